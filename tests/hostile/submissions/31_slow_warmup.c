/* family 31: slow in the first call, which a lazy grader takes for a warm-up; prepares the others
 * task fast
 * grade: pass; points <= 20
 * without warmup fresh: pass; points >= 42 */
#include "conv1d/attack.h"

static float *kept, first;

RUN
{
    if (!kept || x[0] != first) {
        answer(p, x, w, y);
        answer(p, x, w, y);
        kept = realloc(kept, p->n * sizeof *y);
        memcpy(kept, y, p->n * sizeof *y);
        first = x[0];
    } else {
        memcpy(y, kept, p->n * sizeof *y);
    }
    return 0;
}
SUBMISSION
