/* family 56: more memory than it was given, by malloc
 * task right
 * grade: memory; points <= 0; reason: memory limit of 64 MiB
 * without memory: crash; reason: LEAK */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    const size_t bytes = (size_t)1 << 30;
    char *block = malloc(bytes);
    if (!block)
        return 1;
    for (size_t i = 0; i < bytes; i += 1 << 20)
        block[i] = 1;
    leak("a GiB of memory");
    return 0;
}
SUBMISSION
