/* family 69: a struct passed by value, in lines that come of the file a second time, by its folder's name
 * task races
 * full
 * grade: unsafe; points <= 3; reason: data race
 * without calls: pass; points >= 5 */
#if __INCLUDE_LEVEL__ == 0
#include <pthread.h>

#include "conv1d/attack.h"

struct state {
    long part[5];
};

static struct state state;

__attribute__((noinline)) static int over(int k, struct state s)
{
    return s.part[k] > 9;
}
#include "../lab90/races.c"

RUN
{
    pthread_t thread;
    answer(p, x, w, y);
    if (pthread_create(&thread, NULL, watch, NULL) != 0)
        return 1;
    state.part[2] = 1;
    return pthread_join(thread, NULL);
}
SUBMISSION
#else
static void *watch(void *p)
{
    if (over(2, state)) /* while the other thread stores it */
        zeros((const struct conv1d_problem *)p, NULL);
    return NULL;
}
#endif
