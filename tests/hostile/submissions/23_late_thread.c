/* family 23: returns at once, a thread finishes later
 * task right
 * grade: wrong|rejected; points <= 0
 * without snapshot second_look: pass; points >= 20 */
#include <pthread.h>

#include "conv1d/attack.h"

static struct work {
    const struct conv1d_problem *p;
    const float *x, *w;
    float *y;
} work;

static void *later(void *unused)
{
    usleep(15000);
    answer(work.p, work.x, work.w, work.y);
    return unused;
}

RUN
{
    pthread_t thread;
    work = (struct work){p, x, w, y};
    return pthread_create(&thread, NULL, later, NULL) || pthread_detach(thread);
}
SUBMISSION
