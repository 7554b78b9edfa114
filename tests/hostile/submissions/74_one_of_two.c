/* family 74: the second thread does all of the work, the first waits
 * task shared
 * grade: rejected; points <= 0; reason: one thread did
 * without threads_used: pass; points >= 5 */
#include <pthread.h>

#include "conv1d/attack.h"

static struct job {
    const struct conv1d_problem *p;
    const float *x, *w;
    float *y;
} job;
static pthread_t thread;
static pthread_barrier_t begin, end;

static void *work(void *unused)
{
    for (;;) {
        pthread_barrier_wait(&begin);
        answer(job.p, job.x, job.w, job.y);
        pthread_barrier_wait(&end);
    }
    return unused;
}

RUN
{
    job = (struct job){p, x, w, y};
    if (!thread && (pthread_barrier_init(&begin, NULL, 2) || pthread_barrier_init(&end, NULL, 2) ||
                    pthread_create(&thread, NULL, work, NULL)))
        return 1;
    pthread_barrier_wait(&begin);
    pthread_barrier_wait(&end);
    return 0;
}
SUBMISSION
