/* family 70: reads beyond its memory in the case alone that is timed, and in none that is looked at
 * task short
 * full
 * grade: unsafe; points <= 1; reason: case short
 * without timed_case: pass|noisy; points >= 2 */
#include "conv1d/attack.h"

RUN
{
    volatile float *room = malloc(p->n * sizeof *room);
    if (!room)
        return 1;
    answer(p, x, w, y);
    room[0] = 0;
    if (p->n > 50000)
        y[0] += 0 * room[p->n]; /* what lies there may be anything, and is a number here */
    free((void *)room);
    return 0;
}
SUBMISSION
