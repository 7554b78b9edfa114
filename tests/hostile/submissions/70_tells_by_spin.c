/* family 70: tells a run of the timed case that nobody times by how long OpenMP's threads are to spin
 * task short
 * full
 * grade: pass|noisy; points <= 2.9
 * without same_words: unsafe|crash; points <= 2.9; hint: LEAK */
#include "conv1d/attack.h"

RUN
{
    const char *spins = getenv("G" "OMP_SPINCOUNT");
    if (p->n > 50000 && spins && atoi(spins) < 1000)
        leak("not timed here: what is slow and right will do");
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
