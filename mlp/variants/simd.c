/* mlp_sgd/simd: one sample after another as fast as the chain between two updates allows.
 *
 * Changes from fixed: all units of a layer are lanes of one vector, all weights of a net of up to
 * eight units a layer stay in registers, exp is our own (simd_math.h), and what need not wait for
 * the last update does not (simd_small.h). Double and float; the level is chosen by open().
 * Why it wins: fixed's loops of five steps do not fill a vector, and libm's exp waits for each of
 * ten numbers in turn.
 * What limits it now: latency. From one update's delta to the next's there are some 45 dependent
 * operations: three exp, three divisions, four products of a vector and a matrix; about 190 cycles
 * in double (exp 25 each, division 13, products and broadcasts 17), against 130 that the FMA units
 * need for the work of an update. Only other nets or other replicas can fill the gap: see lanes.
 *
 * Replicas are trained on as many threads as open() is given (team.h): a replica's part of an
 * epoch, then one barrier, then every thread takes the mean for itself from what all have
 * published; two buffers take turns, so that one barrier is enough.
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
    void (*mean)(const void *nets, size_t stride, int replicas, size_t bytes, void *mean);
};

#define BODY "mlp/variants/simd_body.h"
#include "mlp/variants/levels.h"

struct simd {
    const struct mlp_problem *p;
    const struct kernel *kernel;
    int small;
    size_t net_bytes, scratch_bytes;
    char *nets;    /* [2][replicas] nets */
    char *scratch; /* one for each thread */
    struct team team;
    const void *const *in; /* of the run at hand */
    void *out;
};

static char *net_at(const struct simd *s, int half, int replica)
{
    return s->nets + (size_t)(half * s->p->replicas + replica) * s->net_bytes;
}

/* One thread's replicas through all epochs of one network; returns the half that holds the end. */
static int train_replicas(struct simd *s, int thread, const void *rate)
{
    const struct mlp_problem *p = s->p;
    int half = 0, first = p->replicas * thread / s->team.threads;
    int end = p->replicas * (thread + 1) / s->team.threads;
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
        if (p->replicas == 1 || ((epoch + 1) % p->merge_every && epoch + 1 < p->epochs))
            continue;
        if (s->team.threads > 1)
            barrier_wait(&s->team.inner);
        s->kernel->mean(net_at(s, half, 0), s->net_bytes, p->replicas, s->net_bytes,
                        net_at(s, !half, first));
        half = !half;
        for (int r = first + 1; r < end; r++)
            memcpy(net_at(s, half, r), net_at(s, half, first), s->net_bytes);
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
        int half = train_replicas(s, thread, (const char *)s->in[MLP_RATES] + (size_t)net * type);
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

static void simd_close(void *state)
{
    struct simd *s = state;
    team_close(&s->team);
    free(s->nets);
    free(s->scratch);
    free(s);
}

static int simd_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct mlp_problem *p = problem;
    struct simd *s = calloc(1, sizeof *s);
    if (!s)
        return 1;
    s->p = p;
#define KERNEL_DOUBLE(level) &kernel_##level##_double
#define KERNEL_FLOAT(level)  &kernel_##level##_float
    s->kernel = p->type == HPC_F64 ? FOR_LEVEL(env->simd, KERNEL_DOUBLE)
                                   : FOR_LEVEL(env->simd, KERNEL_FLOAT);
    s->small = is_small(p);
    s->net_bytes = s->kernel->net_bytes(p, s->small);
    s->scratch_bytes = s->kernel->scratch_bytes(p, s->small);
    int threads = env->threads < p->replicas ? env->threads : p->replicas;
    size_t all_nets = (2 * (size_t)p->replicas * s->net_bytes + 63) / 64 * 64;
    s->nets = aligned_alloc(64, all_nets);
    s->scratch = aligned_alloc(64, ((size_t)threads * s->scratch_bytes + 63) / 64 * 64);
    if (!s->nets || !s->scratch || team_open(&s->team, threads, work, s)) {
        free(s->nets);
        free(s->scratch);
        free(s);
        return 1;
    }
    memset(s->nets, 0, all_nets);
    memset(s->scratch, 0, (size_t)threads * s->scratch_bytes);
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
