/* family 21: leaves the output of the call before
 * task right
 * grade: wrong; points <= 0
 * without poison fresh: pass; points >= 20 */
#include "conv1d/attack.h"

static int calls;

RUN
{
    if (calls++ == 0)
        answer(p, x, w, y);
    return 0;
}
SUBMISSION
