/* family 20: infinities and NaN of both signs where an answer is hard
 * task right
 * grade: wrong; points <= 0
 * without finite: pass; points >= 20 */
#include <math.h>

#include "conv1d/attack.h"

RUN
{
    answer(p, x, w, y);
    for (uint64_t i = 0; i < p->n; i += 3)
        y[i] = i % 2 ? INFINITY : i % 4 ? -INFINITY : -NAN;
    return 0;
}
SUBMISSION
