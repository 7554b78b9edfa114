/* family 41: calls a library where it must write its own
 * task strict
 * grade: rejected; reason: dlopen
 * without symbols libraries: crash; reason: LEAK */
#include <dlfcn.h>

#include "conv1d/attack.h"

RUN
{
    UNUSED;
    void *library = dlopen("libm.so.6", RTLD_NOW);
    zeros(p, y);
    if (library && dlsym(library, "fma"))
        leak("a library's function");
    return 0;
}
SUBMISSION
