/* family 77: so slow that a few pairs say all, and the others only hold the grader
 * task fast
 * long
 * grade: pass; points <= 5; reason: timed in 3 pairs only
 * without early_end noise: pass; points >= 5 */
#include "conv1d/attack.h"

RUN
{
    usleep(300000);
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
