/* family 70: tells a run of the timed case that nobody times by how long OpenMP's threads are to spin
 * task fast
 * full
 * grade: pass|noisy; points <= 6
 * without same_words: unsafe|crash; points <= 6; hint: LEAK */
#include "conv1d/attack.h"

RUN
{
    const char *spins = getenv("G" "OMP_SPINCOUNT");
    if (p->n > 1000000 && spins && atoi(spins) < 1000)
        leak("not timed here: what is slow and right will do");
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
