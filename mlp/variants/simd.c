/* mlp_sgd/simd: one sample after another as fast as the chain between two updates allows.
 *
 * Changes from fixed: all units of a layer are lanes of one vector, all weights of a net of up to
 * eight units a layer stay in registers, exp is our own (simd_math.h), and what need not wait for
 * the last update does not (simd_small.h). Double and float; the level is chosen by open().
 * Why it wins: fixed's loops of five steps do not fill a vector, and libm's exp waits for each of
 * ten numbers in turn.
 * What limits it now: latency. From one update's delta to the next's there are some 45 dependent
 * operations: three exp, three divisions, four products of a vector and a matrix; about 185 cycles
 * on a Zen 4 (exp 25, division 13, product and broadcast 17), 230 on a Sapphire Rapids. Measured:
 * 206 and 224 in float, 265 and 290 in double, where 130 cycles of 512-bit FMA get in the way.
 * Only other nets or other replicas can fill the gaps: see lanes.
 *
 * Replicas are trained on as many threads as open() is given (team.h): a replica's part of an
 * epoch; one barrier; then every thread takes the mean for itself. Two buffers take turns, so that
 * nobody writes what others may still read. (Sharing out the mean takes a second barrier, and was
 * slower with 4, 8 and 16 threads.)
 * Nets with more units or outputs take simd_wide.h's loops over whole vectors. */
#include <stdlib.h>
#include <string.h>

#include "mlp/mlp.h"
#include "mlp/variants/team.h"

/* [Dong]'s net: the one that is `small` below. */
static const struct mlp_problem paper = {
    .n_layers = 5,
    .size = {4, 4, 5, 5, 1},
    .activation = {0, MLP_SOFTMAX, MLP_RELU, MLP_TANH, MLP_SIGMOID},
};

/* One level and type. Nets are vectors in a layout of the kernel's own. */
struct kernel {
    size_t (*net_bytes)(const struct mlp_problem *p, int small);
    size_t (*scratch_bytes)(const struct mlp_problem *p, int small); /* zero at first */
    void (*load)(const struct mlp_problem *p, int small, const void *w, void *net);
    void (*store)(const struct mlp_problem *p, int small, void *net, void *w);
    void (*train)(const struct mlp_problem *p, int small, void *net, void *scratch,
                  const void *const in[], const void *rate, const int32_t *order, int count);
    void (*mean)(const void *nets, int replicas, size_t bytes, void *mean);
};

#define BODY "mlp/variants/simd_body.h"
#include "mlp/variants/levels.h"

struct simd {
    const struct mlp_problem *p;
    const struct kernel *kernel;
    int small;
    size_t net_bytes, scratch_bytes;
    char *nets;    /* [2][replicas] */
    char *scratch; /* one for each thread */
    struct team team;
    const void *const *in; /* of the run at hand */
    void *out;
};

static char *net_at(const struct simd *s, int half, int replica)
{
    return s->nets + (size_t)(half * s->p->replicas + replica) * s->net_bytes;
}

/* Replicas first .. end-1 of the other half get the mean of all of this half. */
static void merge(struct simd *s, int thread, int half, int first, int end)
{
    if (s->team.threads > 1)
        barrier_wait(&s->team.inner, thread);
    char *mean = net_at(s, !half, first);
    s->kernel->mean(net_at(s, half, 0), s->p->replicas, s->net_bytes, mean);
    for (int r = first + 1; r < end; r++)
        memcpy(net_at(s, !half, r), mean, s->net_bytes);
}

/* One thread's replicas through all epochs of one network; returns the half that holds the end. */
static int train_replicas(struct simd *s, int thread, int first, int end, const void *rate)
{
    const struct mlp_problem *p = s->p;
    int half = 0;
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        const int32_t *order = (const int32_t *)s->in[MLP_ORDER] +
                               (size_t)(epoch % p->permutations) * (size_t)p->samples;
        for (int r = first; r < end; r++) {
            int from, to;
            mlp_shard(p, r, &from, &to);
            if (from < to)
                s->kernel->train(p, s->small, net_at(s, half, r),
                                 s->scratch + (size_t)thread * s->scratch_bytes, s->in, rate,
                                 order + from, to - from);
        }
        if (p->replicas > 1 && ((epoch + 1) % p->merge_every == 0 || epoch + 1 == p->epochs)) {
            merge(s, thread, half, first, end);
            half = !half;
        }
    }
    return half;
}

static void work(void *context, int thread)
{
    struct simd *s = context;
    const struct mlp_problem *p = s->p;
    size_t type = p->type == HPC_F64 ? sizeof(double) : sizeof(float);
    size_t weights = mlp_weights(p) * type;
    int first = p->replicas * thread / s->team.threads;
    int end = p->replicas * (thread + 1) / s->team.threads;
    for (int net = 0; net < p->networks; net++) {
        const char *w0 = (const char *)s->in[MLP_W0] + (size_t)net * weights;
        for (int r = first; r < end; r++)
            s->kernel->load(p, s->small, w0, net_at(s, 0, r));
        const char *rate = (const char *)s->in[MLP_RATES] + (size_t)net * type;
        int half = train_replicas(s, thread, first, end, rate);
        if (thread == 0)
            s->kernel->store(p, s->small, net_at(s, half, 0),
                             (char *)s->out + (size_t)net * weights);
    }
}

static int is_small(const struct mlp_problem *p)
{
    int same = p->n_layers == paper.n_layers;
    for (int l = 0; same && l < p->n_layers; l++)
        same = p->size[l] == paper.size[l] && (l == 0 || p->activation[l] == paper.activation[l]);
    return same;
}

static void *zeroed(size_t bytes)
{
    bytes = (bytes + 63) / 64 * 64;
    void *p = aligned_alloc(64, bytes);
    return p ? memset(p, 0, bytes) : NULL;
}

static void simd_free(struct simd *s)
{
    free(s->nets);
    free(s->scratch);
    free(s);
}

static void simd_close(void *state)
{
    struct simd *s = state;
    team_close(&s->team);
    simd_free(s);
}

static int simd_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct mlp_problem *p = problem;
    struct simd *s = zeroed(sizeof *s);
    if (!s)
        return 1;
#define KERNEL_DOUBLE(level) &kernel_##level##_double
#define KERNEL_FLOAT(level)  &kernel_##level##_float
    s->p = p;
    s->kernel = p->type == HPC_F64 ? FOR_LEVEL(env->simd, KERNEL_DOUBLE)
                                   : FOR_LEVEL(env->simd, KERNEL_FLOAT);
    s->small = is_small(p);
    s->net_bytes = (s->kernel->net_bytes(p, s->small) + 63) / 64 * 64; /* whole cache lines */
    s->scratch_bytes = (s->kernel->scratch_bytes(p, s->small) + 63) / 64 * 64;
    int threads = env->threads < p->replicas ? env->threads : p->replicas;
    s->nets = zeroed(2 * (size_t)p->replicas * s->net_bytes);
    s->scratch = zeroed((size_t)threads * s->scratch_bytes);
    if (!s->nets || !s->scratch || team_open(&s->team, threads, work, s)) {
        simd_free(s);
        return 1;
    }
    *state = s;
    return 0;
}

static int simd_run(void *state, const void *const in[], void *const out[])
{
    struct simd *s = state;
    s->in = in;
    s->out = out[MLP_W];
    team_run(&s->team);
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,   "mlp_sgd", "simd",
                                        simd_open, simd_run,  simd_close};
