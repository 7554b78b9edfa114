/* family 74: opens a library of the system's that it is not linked with, as it would a BLAS
 * task right
 * grade: crash; points <= 0; reason: not there
 * without libraries: crash; points <= 0; reason: LEAK resolver */
#include <dlfcn.h>

#include "conv1d/attack.h"

RUN
{
    UNUSED;
    if (dlopen("libresolv.so.2", RTLD_NOW))
        leak("resolver");
    dprintf(STDOUT_FILENO, "not there\n");
    abort();
}
SUBMISSION
