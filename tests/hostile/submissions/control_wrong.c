/* family control: an honest mistake
 * task right
 * grade: wrong; points <= 0; hint: mask read backwards */
#include "conv1d/attack.h"

RUN
{
    float flipped[2 * CONV1D_MAX_RADIUS + 1];
    for (int j = 0; j <= 2 * p->radius; j++)
        flipped[j] = w[2 * p->radius - j];
    answer(p, x, flipped, y);
    return 0;
}
SUBMISSION
