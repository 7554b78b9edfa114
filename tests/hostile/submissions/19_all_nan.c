/* family 19: NaN, which is no wildcard
 * task right
 * grade: wrong; points <= 0
 * without finite: pass; points >= 20 */
#include <math.h>

#include "conv1d/attack.h"

RUN
{
    UNUSED;
    for (uint64_t i = 0; i < p->n; i++)
        y[i] = NAN;
    return 0;
}
SUBMISSION
