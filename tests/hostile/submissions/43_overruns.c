/* family 43: writes a few elements before and behind its output
 * task right
 * grade: unsafe; points <= 10; reason: outside its output
 * without guard: pass; points >= 20 */
#include "conv1d/attack.h"

RUN
{
    answer(p, x, w, y);
    y[-1] = 1;
    y[p->n] = 1;
    return 0;
}
SUBMISSION
