/* family 26: hides work in a callback of CUDA's
 * task strict
 * grade: rejected; reason: cudaLaunchHostFunc
 * without symbols: build; reason: cudaLaunchHostFunc */
#include "conv1d/attack.h"

int cudaLaunchHostFunc(void *stream, void (*function)(void *), void *data);

static void later(void *p)
{
    memset(p, 0, 4);
}

RUN
{
    UNUSED;
    return cudaLaunchHostFunc(NULL, later, y);
}
SUBMISSION
