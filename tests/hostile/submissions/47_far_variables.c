/* family 47: variables that no program has room for
 * task right
 * grade: build; points <= 0; reason: larger than the 2 GiB
 * structural: what has no room for itself is not linked */
#include "conv1d/attack.h"

static volatile char far[3UL << 30];
static volatile int at;

RUN
{
    far[at] = 1;
    answer(p, x, w, y);
    return far[at + 7];
}
SUBMISSION
