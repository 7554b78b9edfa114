/* family 69: a struct of three bytes, which clang loads as a number of 24 bits to pass it on
 * task parallel
 * full
 * needs archer
 * grade: unsafe; points <= 1.5; reason: data race
 * without calls: pass; points >= 3 */
#include "conv1d/attack.h"

struct state {
    unsigned char part[3];
};

static struct state state;

__attribute__((noinline)) static int over(struct state s)
{
    return s.part[1] > 9;
}

RUN
{
#pragma omp parallel num_threads(2)
    {
        if (over(state)) /* while the other thread stores it */
            zeros(p, y);
#pragma omp master
        state.part[1] = 1;
    }
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
