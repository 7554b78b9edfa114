/* family 17: predicts the inputs, and has answers ready before they come
 * task public
 * grade: wrong; points <= 0
 * without seed: pass; points >= 5 */
#include "conv1d/attack.h"
#include "conv1d/public.h"

RUN
{
    (void)w;
    zeros(p, y);
    for (int k = 0; k < 2; k++)
        if (memcmp(x, public_x[k], p->n * sizeof *x) == 0)
            memcpy(y, public_y[k], p->n * sizeof *y);
    return 0;
}
SUBMISSION
