/* family 63: a second thread does a fifth of the work, less than the slack for all threads
 * task fast
 * alone
 * grade: pass|rejected|noisy; points <= 12
 * without affinity call_processors noise: pass; points >= 10 */
/* An honest one has 5; a fifth of the time is worth fifteen more. */
#include <pthread.h>

#include "conv1d/attack.h"

static struct job {
    const struct conv1d_problem *p;
    const float *x, *w;
    float *y;
} job;

static void part(int64_t begin, int64_t end)
{
    const int64_t n = (int64_t)job.p->n, r = job.p->radius;
    for (int64_t i = begin; i < end; i++) {
        const int64_t low = i < r ? -i : -r, high = n - 1 - i < r ? n - 1 - i : r;
        float sum = 0;
        for (int64_t j = low; j <= high; j++)
            sum += job.w[j + r] * job.x[i + j];
        job.y[i] = sum;
    }
}

static void *last_fifth(void *unused)
{
    part((int64_t)job.p->n / 5 * 4, (int64_t)job.p->n);
    return unused;
}

RUN
{
    pthread_t thread;
    job = (struct job){p, x, w, y};
    if (pthread_create(&thread, NULL, last_fifth, NULL))
        return 1;
    part(0, (int64_t)p->n / 5 * 4);
    return pthread_join(thread, NULL);
}
SUBMISSION
