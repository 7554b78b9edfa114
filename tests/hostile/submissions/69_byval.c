/* family 69: a struct that is passed by value while another thread stores it: clang's thread
 * sanitizer does not look at the copy that becomes the argument
 * task parallel
 * full
 * needs archer
 * grade: unsafe; points <= 1.5; reason: data race
 * without calls: pass; points >= 3 */
#include "conv1d/attack.h"

struct state {
    long part[5];
};

static struct state state;

__attribute__((noinline)) static int over(int k, struct state s)
{
    return s.part[k] > 9;
}

RUN
{
#pragma omp parallel num_threads(2)
    {
        if (over(2, state)) /* while the other thread stores it */
            zeros(p, y);
#pragma omp master
        state.part[2] = 1;
    }
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
