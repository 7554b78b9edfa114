/* family 56: more memory than it was given, shared
 * task right
 * grade: wrong; points <= 0
 * without memory: crash; reason: LEAK */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    const size_t bytes = (size_t)1 << 30;
    char *block = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    zeros(p, y);
    if (block == MAP_FAILED)
        return 0;
    for (size_t i = 0; i < bytes; i += 1 << 20)
        block[i] = 1;
    leak("a GiB of shared memory");
    return 0;
}
SUBMISSION
