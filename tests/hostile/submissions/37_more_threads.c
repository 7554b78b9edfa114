/* family 37: two threads where the task gives one
 * task fast
 * alone
 * grade: pass|rejected|noisy; points <= 10
 * without affinity noise: rejected; points <= 0; reason: processors where the task gives 1
 * without affinity cpu_bound call_processors: pass; points >= 12 */
/* An honest one has 5; two processors that are one core give less than twice its pace. */
#include <pthread.h>

#include "conv1d/attack.h"

static struct half {
    const struct conv1d_problem *p;
    const float *x, *w;
    float *y;
} half;

/* Outputs of the second half, with the elements of the first that they need. */
static void *second(void *unused)
{
    const int64_t n = (int64_t)half.p->n, r = half.p->radius;
    for (int64_t i = n / 2; i < n; i++) {
        float sum = 0;
        for (int64_t j = -r; j <= r && i + j < n; j++)
            if (i + j >= 0)
                sum += half.w[j + r] * half.x[i + j];
        half.y[i] = sum;
    }
    return unused;
}

RUN
{
    const int64_t n = (int64_t)p->n, r = p->radius;
    pthread_t thread;
    half = (struct half){p, x, w, y};
    if (pthread_create(&thread, NULL, second, NULL))
        return 1;
    for (int64_t i = 0; i < n / 2; i++) {
        float sum = 0;
        for (int64_t j = i < r ? -i : -r; j <= r && i + j < n; j++)
            sum += w[j + r] * x[i + j];
        y[i] = sum;
    }
    return pthread_join(thread, NULL);
}
SUBMISSION
