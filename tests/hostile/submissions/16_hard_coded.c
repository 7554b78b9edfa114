/* family 16: answers of the public case, known by heart
 * task public
 * grade: wrong; points <= 0
 * without seed: pass; points >= 5 */
#include "conv1d/attack.h"
#include "conv1d/public.h"

static int calls;

RUN
{
    (void)x, (void)w;
    memcpy(y, public_y[calls++ % 2], p->n * sizeof *y);
    return 0;
}
SUBMISSION
