/* family 47: a variable that no process of its limits has room for
 * task right
 * grade: crash; points <= 0; reason: in open()
 * structural: what has no room for itself ends before its first line */
#include "conv1d/attack.h"

static char huge[1u << 30];

RUN
{
    huge[p->n] = 1;
    zeros(p, y);
    (void)x, (void)w;
    return huge[5];
}
SUBMISSION
