/* family control: threads that hand each other structs, returned and passed by value
 * task races
 * full
 * grade: pass; points >= 5 */
#include <pthread.h>

#include "conv1d/attack.h"

#define THREADS 2

struct range {
    int64_t begin, end;
};

struct sum {
    double of[3];
    int n;
};

struct share {
    const struct conv1d_problem *p;
    const float *x, *w;
    float *y;
    struct range range;
    struct sum sum;
    struct range (*split)(int64_t n, int k);
    pthread_t thread;
};

static struct sum total;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;

static struct range split(int64_t n, int k)
{
    return (struct range){n * k / THREADS, n * (k + 1) / THREADS};
}

static struct sum add(struct sum a, const struct sum *b, double y)
{
    const struct sum none = {{0}, 0};
    a.of[a.n % 3] += y + (b ? *b : none).of[0];
    a.n++;
    return a;
}

static float element(struct share s, int64_t i)
{
    float sum = 0;
    for (int64_t j = -s.p->radius; j <= s.p->radius; j++)
        if (i + j >= 0 && i + j < (int64_t)s.p->n)
            sum += s.w[j + s.p->radius] * s.x[i + j];
    return sum;
}

static void *work(void *state)
{
    struct share *s = state;
    for (int64_t i = s->range.begin; i < s->range.end; i++) {
        s->y[i] = element(*s, i);
        s->sum = add(s->sum, NULL,
                     s->y[i]);
    }
    pthread_mutex_lock(&lock);
    total = add(add(total, &s->sum, 1), NULL, 2);
    pthread_mutex_unlock(&lock);
    return NULL;
}

RUN
{
    struct share share[THREADS];
    memset(&total, 0, sizeof total);
    for (int k = 0; k < THREADS; k++) {
        share[k] = (struct share){.p = p, .x = x, .w = w, .y = y, .split = split};
        share[k].range = share[k].split((int64_t)p->n, k);
        if (pthread_create(&share[k].thread, NULL, work, &share[k]))
            return 1;
    }
    for (int k = 0; k < THREADS; k++)
        if (pthread_join(share[k].thread, NULL))
            return 1;
    return total.n != 2 * THREADS;
}
SUBMISSION
