/* family 70: leaves half of the work out in every call of the size that is timed, where the
 * sanitizers come first: what is wrong would pass for what is right but unsafe
 * task fast
 * full
 * grade: wrong; points <= 0; reason: case timed
 * without wrong_alone: unsafe; points >= 2.5; reason: right alone */
#include "conv1d/attack.h"

RUN
{
    struct conv1d_problem part = *p;
    if (p->n > 100000)
        part.n = p->n / 2;
    zeros(p, y);
    answer(&part, x, w, y);
    return 0;
}
SUBMISSION
