/* family 42: right for the length that it knows
 * task shapes
 * grade: wrong; points <= 0
 * without draw: pass; points >= 5 */
#include "conv1d/attack.h"
#include "conv1d/public.h"

RUN
{
    answer(p, x, w, y);
    if (p->n != PUBLIC_N)
        y[p->n / 2] += 1;
    return 0;
}
SUBMISSION
