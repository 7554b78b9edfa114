/* family 79: a stack that jumps over its guard
 * task right
 * grade: crash; points <= 0; reason: Segmentation fault|stack-overflow
 * structural: there is nothing below the stack that is worth reaching */
#include <alloca.h>

#include "conv1d/attack.h"

RUN
{
    UNUSED;
    volatile char *low = alloca((size_t)512 << 20);
    low[0] = 1;
    zeros(p, y);
    return low[0];
}
SUBMISSION
