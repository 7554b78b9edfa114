/* family 52: brings code in at run time
 * task strict
 * grade: rejected; reason: dlopen
 * without symbols: crash; reason: LEAK */
#include <dlfcn.h>

#include "conv1d/attack.h"

RUN
{
    UNUSED;
    zeros(p, y);
    if (dlopen("libc.so.6", RTLD_NOW | RTLD_NOLOAD))
        leak("a loader");
    return 0;
}
SUBMISSION
