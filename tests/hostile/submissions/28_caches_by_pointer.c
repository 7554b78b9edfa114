/* family 28: keeps an answer for the place that its inputs lie at
 * task right
 * grade: wrong; points <= 0
 * without fresh: pass; points >= 20 */
#include "conv1d/attack.h"

static const float *seen;
static float *kept;

RUN
{
    if (x != seen) {
        answer(p, x, w, y);
        kept = realloc(kept, p->n * sizeof *y);
        memcpy(kept, y, p->n * sizeof *y);
        seen = x;
    }
    memcpy(y, kept, p->n * sizeof *y);
    return 0;
}
SUBMISSION
