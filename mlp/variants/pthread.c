/* mlp_sgd/pthread: replicas on a pool of our own, with one barrier of our own per merge.
 *
 * Changes from openmp_trainer: threads are started once, in open(). Every replica has two sets of
 * weights, so that one barrier per merge is enough: behind it each thread adds up all replicas'
 * finished sets and goes on in its other set, which nobody reads before the next barrier. The
 * barrier spins for about as long as an epoch of a small net takes, then sleeps: going to sleep and
 * waking up costs as much as such an epoch, but spinning on a machine with more threads than
 * processors holds up the one that all wait for. (team.h's barrier, which yields, was 3% slower
 * here with bound threads, and no better with free ones.) Layers of up to 8 units are compiled for
 * their width. Equal to flat within 1e-12.
 * Why it wins: less waiting; sums of small layers stay in registers.
 * What limits it now: exp and tanh of libm, and the chain of each update on the one before. Every
 * thread makes the whole mean, which is no loss while it is short beside an epoch. */
#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "mlp/activation.h"
#include "mlp/mlp.h"

#define PAD    16   /* doubles: two cache lines */
#define SPINS  4000 /* looks at the barrier before sleeping: 50 to 200 us */
#define INLINE static inline __attribute__((always_inline))

/* Sense-reversing: `turn` counts the times that all threads have met. */
struct barrier {
    atomic_int missing;
    _Alignas(128) atomic_uint turn;
    int threads, spins;
    pthread_mutex_t mutex;
    pthread_cond_t met;
};

struct worker {
    struct pool *pool;
    pthread_t thread;
    int me;
};

struct pool {
    struct barrier barrier;
    const struct mlp_problem *p;
    int threads; /* the caller of run() is thread 0 */
    bool quit;
    size_t weights, stride; /* of a net; doubles from one replica to the next */
    double *replica;        /* [replicas][stride]: two sets of weights, o and D of all units */
    const void *const *in;
    struct worker *workers;
};

static void barrier_wait(struct barrier *b)
{
    unsigned turn = atomic_load_explicit(&b->turn, memory_order_relaxed);
    if (atomic_fetch_sub(&b->missing, 1) == 1) {
        atomic_store(&b->missing, b->threads);
        pthread_mutex_lock(&b->mutex); /* nobody is between looking at turn and going to sleep */
        atomic_store(&b->turn, turn + 1);
        pthread_cond_broadcast(&b->met);
        pthread_mutex_unlock(&b->mutex);
        return;
    }
    for (int i = 0; i < b->spins; i++) {
        if (atomic_load_explicit(&b->turn, memory_order_acquire) != turn)
            return;
#if defined(__x86_64__)
        __builtin_ia32_pause();
#endif
    }
    pthread_mutex_lock(&b->mutex);
    while (atomic_load(&b->turn) == turn)
        pthread_cond_wait(&b->met, &b->mutex);
    pthread_mutex_unlock(&b->mutex);
}

/* z = bias + in W. */
INLINE void forward_layer(int n_in, int n, const double *restrict w, const double *restrict in,
                          double *restrict z)
{
    for (int k = 0; k < n; k++)
        z[k] = w[k];
    for (int i = 0; i < n_in; i++)
        for (int k = 0; k < n; k++)
            z[k] += in[i] * w[(size_t)(i + 1) * (size_t)n + (size_t)k];
}

/* Update W; e, unless NULL, gets the errors of the n_in units by W as it was. */
INLINE void backward_layer(int n_in, int n, double *restrict w, const double *restrict in,
                           const double *restrict d, double *restrict e, double rate)
{
    for (int k = 0; k < n; k++)
        w[k] += rate * d[k];
    for (int i = 0; i < n_in; i++) {
        double sum = 0;
        w += n;
        for (int k = 0; k < n; k++) {
            sum += d[k] * w[k];
            w[k] += rate * d[k] * in[i];
        }
        if (e)
            e[i] = sum;
    }
}

/* CALL(N) with N a constant for small n. */
#define FOR_WIDTH(n, CALL)                                                                         \
    switch (n) {                                                                                   \
    case 1:                                                                                        \
        CALL(1);                                                                                   \
        break;                                                                                     \
    case 2:                                                                                        \
        CALL(2);                                                                                   \
        break;                                                                                     \
    case 3:                                                                                        \
        CALL(3);                                                                                   \
        break;                                                                                     \
    case 4:                                                                                        \
        CALL(4);                                                                                   \
        break;                                                                                     \
    case 5:                                                                                        \
        CALL(5);                                                                                   \
        break;                                                                                     \
    case 6:                                                                                        \
        CALL(6);                                                                                   \
        break;                                                                                     \
    case 8:                                                                                        \
        CALL(8);                                                                                   \
        break;                                                                                     \
    default:                                                                                       \
        CALL(n);                                                                                   \
        break;                                                                                     \
    }

/* One update of the net w by one sample. o, d: room for all units. */
static void learn(const struct mlp_problem *p, double *w, const double *x, const double *y,
                  double *o, double *d, double rate)
{
    int last = p->n_layers - 1;
    const double *in = x;
    for (int l = 1; l <= last; l++, in = o, o += p->size[l - 1]) {
#define FORWARD(N) forward_layer(p->size[l - 1], N, w, in, o)
        FOR_WIDTH(p->size[l], FORWARD)
        mlp_activate(p->activation[l], p->size[l], o);
        w += mlp_matrix(p, l - 1);
    }
    o -= p->size[last];
    for (int k = 0; k < p->size[last]; k++)
        d[k] = y[k] - o[k];
    for (int l = last; l >= 1; l--) {
        double *e = l > 1 ? d + p->size[l] : NULL;
        mlp_derivative(p->activation[l], p->size[l], o, d);
        w -= mlp_matrix(p, l - 1);
        o -= l > 1 ? p->size[l - 1] : 0;
#define BACKWARD(N) backward_layer(p->size[l - 1], N, w, l > 1 ? o : x, d, e, rate)
        FOR_WIDTH(p->size[l], BACKWARD)
        d = e;
    }
}

/* The mean of set `set` of all replicas into the other set of each of thread me's replicas. */
static void merge(const struct pool *s, int me, int set)
{
    const double *from = s->replica + (size_t)set * s->weights;
    double *to = s->replica + (size_t)!set * s->weights;
    int replicas = s->p->replicas;
    for (size_t i = 0; i < s->weights; i++) {
        double sum = from[i];
        for (int r = 1; r < replicas; r++)
            sum += from[(size_t)r * s->stride + i];
        for (int r = me; r < replicas; r += s->threads)
            to[(size_t)r * s->stride + i] = sum / replicas;
    }
}

/* The replicas me, me + threads, .. through all epochs. Returns the set of the final weights. */
static int train(struct pool *s, int me)
{
    const struct mlp_problem *p = s->p;
    const double *x = s->in[MLP_X], *y = s->in[MLP_Y], rate = *(const double *)s->in[MLP_RATES];
    size_t n = s->weights, n_x = (size_t)p->size[0], n_y = (size_t)p->size[p->n_layers - 1];
    int set = 0;
    for (int r = me; r < p->replicas; r += s->threads)
        memcpy(s->replica + (size_t)r * s->stride, s->in[MLP_W0], n * sizeof *x);
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        const int32_t *order = s->in[MLP_ORDER];
        const int32_t *row = order + (size_t)(epoch % p->permutations) * (size_t)p->samples;
        for (int r = me; r < p->replicas; r += s->threads) {
            double *base = s->replica + (size_t)r * s->stride, *o = base + 2 * n;
            int first, last;
            mlp_shard(p, r, &first, &last);
            for (int i = first; i < last; i++)
                learn(p, base + (size_t)set * n, x + (size_t)row[i] * n_x, y + (size_t)row[i] * n_y,
                      o, o + mlp_unit(p, p->n_layers), rate);
        }
        if (p->replicas > 1 && ((epoch + 1) % p->merge_every == 0 || epoch + 1 == p->epochs)) {
            barrier_wait(&s->barrier);
            merge(s, me, set);
            set = !set;
        }
    }
    return set;
}

static void *worker_main(void *argument)
{
    const struct worker *w = argument;
    struct pool *s = w->pool;
    for (;;) {
        barrier_wait(&s->barrier);
        if (s->quit)
            return NULL;
        train(s, w->me);
        barrier_wait(&s->barrier);
    }
}

static void pool_close(void *state)
{
    struct pool *s = state;
    s->quit = true;
    barrier_wait(&s->barrier);
    for (int t = 1; t < s->threads; t++)
        pthread_join(s->workers[t].thread, NULL);
    pthread_cond_destroy(&s->barrier.met);
    pthread_mutex_destroy(&s->barrier.mutex);
    free(s->workers);
    free(s->replica);
    free(s);
}

/* Start the workers; where one cannot be started, go on with those that could. */
static void start(struct pool *s)
{
    int wanted = s->threads, t = 1;
    s->barrier.threads = wanted;
    s->barrier.spins = wanted <= sysconf(_SC_NPROCESSORS_ONLN) ? SPINS : 0;
    atomic_init(&s->barrier.missing, wanted);
    pthread_mutex_init(&s->barrier.mutex, NULL);
    pthread_cond_init(&s->barrier.met, NULL);
    for (; t < wanted; t++) {
        s->workers[t] = (struct worker){.pool = s, .me = t};
        if (pthread_create(&s->workers[t].thread, NULL, worker_main, &s->workers[t]) != 0)
            break;
    }
    s->threads = s->barrier.threads = t; /* all wait for us: nobody has read these */
    atomic_fetch_sub(&s->barrier.missing, wanted - t);
}

static int pool_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct mlp_problem *p = problem;
    if (p->type != HPC_F64 || p->networks != 1)
        return 1;
    struct pool *s = aligned_alloc(128, sizeof *s);
    if (!s)
        return 1;
    *s = (struct pool){.p = p, .threads = env->threads < p->replicas ? env->threads : p->replicas};
    s->weights = mlp_weights(p);
    s->stride = 2 * (s->weights + (size_t)mlp_unit(p, p->n_layers));
    s->stride = (s->stride + 2 * PAD - 1) / PAD * PAD;
    s->replica =
        aligned_alloc(PAD * sizeof(double), (size_t)p->replicas * s->stride * sizeof(double));
    s->workers = calloc((size_t)s->threads, sizeof *s->workers);
    if (!s->replica || !s->workers) {
        free(s->replica);
        free(s->workers);
        free(s);
        return 1;
    }
    start(s);
    *state = s;
    return 0;
}

static int pool_run(void *state, const void *const in[], void *const out[])
{
    struct pool *s = state;
    s->in = in;
    barrier_wait(&s->barrier);
    int set = train(s, 0);
    memcpy(out[MLP_W], s->replica + (size_t)set * s->weights, s->weights * sizeof(double));
    barrier_wait(&s->barrier);
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,   "mlp_sgd", "pthread",
                                        pool_open, pool_run,  pool_close};
