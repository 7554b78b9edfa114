/* mlp_sgd/lanes: many networks at once, one in each lane of the vectors.
 *
 * Changes from simd: the lanes hold different networks instead of the units of one. Networks are
 * the problem's `networks` (other start weights or rates, as for a sweep) or its `replicas` between
 * two merges; what is left of the last vector trains a copy that nobody asks for.
 * Why it wins: simd waits for latency with most lanes empty. Here all lanes work, no number has to
 * cross from one lane to another, and with two vectors in a group there is twice as much to do in
 * every wait.
 * What limits it now: on the paper's net an update of 8 double or 16 float networks is some 420
 * arithmetic instructions (81 weights: one FMA forward, one back, one update each; ten exp at 16)
 * and 81 stores of whole vectors. Measured: 570 cycles (double) and 550 (float) on a Zen 4, which
 * starts one 512-bit FMA a cycle and stores half a vector; 500 (float 480) on a Sapphire Rapids
 * with twice of each, where the chain of an update, 330 cycles, hides only in part: there a second
 * vector in the group makes 1.3x, on Zen 4 1.0 to 1.1x. */
#include <stdlib.h>
#include <string.h>

#include "mlp/mlp.h"

#define MAX_GROUP 2 /* vectors that are trained together */

/* The weights don't fit into registers: load them again where they are used again, else the
 * compiler keeps copies, at a store and a load each. */
#define FORGET_WEIGHTS __asm__ volatile("" ::: "memory")

/* [Dong]'s net, which gets code of its own. */
static const struct mlp_problem paper = {
    .n_layers = 5,
    .size = {4, 4, 5, 5, 1},
    .activation = {0, MLP_SOFTMAX, MLP_RELU, MLP_TANH, MLP_SIGMOID},
};

/* One group's share of an epoch; lanes_body.h has it with types. */
struct share {
    const void *x, *y;
    const int32_t *order;
    const int *first;
    int from, to;
    void *w, *rate;
};

/* One level and type. `width` numbers, group * lanes of them, make a row. */
struct kernel {
    int lanes;
    void (*train)(const struct mlp_problem *p, int is_paper, int group, const struct share *e,
                  void *scratch);
    void (*put)(const void *from, size_t n, int width, int lane, void *to);
    void (*get)(const void *from, size_t n, int width, int lane, void *to);
    void (*mean)(void *w, size_t n, int width, int lanes, size_t stride);
};

#define BODY "mlp/variants/lanes_body.h"
#include "mlp/variants/levels.h"

struct lanes {
    const struct mlp_problem *p;
    const struct kernel *kernel;
    int is_paper, nets, group, width, groups;
    size_t type, net_bytes, unit_bytes;
    int *first, *last; /* [groups][width]: a replica's first and last sample in the order */
    char *longer;      /* [groups][width]: whether it has a sample more than the shortest */
    char *w;           /* [groups][mlp_weights][width] */
    char *rate;        /* [groups][width] */
    char *part;        /* [groups][width]: the rates, 0 where a replica has no last sample */
    char *units;       /* o and d: [2][units][width] */
};

static int is_paper(const struct mlp_problem *p)
{
    int same = p->n_layers == paper.n_layers;
    for (int l = 0; same && l < p->n_layers; l++)
        same = p->size[l] == paper.size[l] && (l == 0 || p->activation[l] == paper.activation[l]);
    return same;
}

static void lanes_close(void *state)
{
    struct lanes *s = state;
    free(s->first);
    free(s->last);
    free(s->longer);
    free(s->w);
    free(s->rate);
    free(s->part);
    free(s->units);
    free(s);
}

static void *zeroed(size_t bytes)
{
    bytes = (bytes + 63) / 64 * 64;
    void *p = aligned_alloc(64, bytes);
    return p ? memset(p, 0, bytes) : NULL;
}

static int lanes_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct mlp_problem *p = problem;
    struct lanes *s = calloc(1, sizeof *s);
    if (!s)
        return 1;
#define KERNEL_DOUBLE(level) &kernel_##level##_double
#define KERNEL_FLOAT(level)  &kernel_##level##_float
    s->p = p;
    s->kernel = p->type == HPC_F64 ? FOR_LEVEL(env->simd, KERNEL_DOUBLE)
                                   : FOR_LEVEL(env->simd, KERNEL_FLOAT);
    s->is_paper = is_paper(p);
    s->nets = p->networks > p->replicas ? p->networks : p->replicas;
    s->group = s->nets > s->kernel->lanes ? MAX_GROUP : 1;
    s->width = s->group * s->kernel->lanes;
    s->groups = (s->nets + s->width - 1) / s->width;
    s->type = p->type == HPC_F64 ? sizeof(double) : sizeof(float);
    s->net_bytes = mlp_weights(p) * (size_t)s->width * s->type;
    s->unit_bytes = (size_t)mlp_unit(p, p->n_layers) * (size_t)s->width * s->type;
    size_t all = (size_t)s->groups * (size_t)s->width;
    s->first = calloc(all, sizeof *s->first);
    s->last = calloc(all, sizeof *s->last);
    s->longer = calloc(all, 1);
    s->w = zeroed((size_t)s->groups * s->net_bytes);
    s->rate = zeroed(all * s->type);
    s->part = zeroed(all * s->type);
    s->units = zeroed(3 * s->unit_bytes);
    if (!s->first || !s->last || !s->longer || !s->w || !s->rate || !s->part || !s->units) {
        lanes_close(s);
        return 1;
    }
    for (int r = 0; r < s->nets && p->replicas > 1; r++) {
        int end;
        mlp_shard(p, r, &s->first[r], &end);
        s->last[r] = end > s->first[r] ? end - 1 : 0;
        s->longer[r] = end - s->first[r] > p->samples / p->replicas;
    }
    *state = s;
    return 0;
}

/* Replicas take floor(samples / replicas) samples each; then some have one more, and the others
 * repeat one at rate 0. */
static void train_epoch(const struct lanes *s, const void *const in[], const int32_t *order)
{
    const struct mlp_problem *p = s->p;
    int shared = p->replicas == 1, all = p->samples / p->replicas;
    for (int g = 0; g < s->groups; g++) {
        size_t at = (size_t)g * (size_t)s->width;
        struct share e = {.x = in[MLP_X],
                          .y = in[MLP_Y],
                          .order = order,
                          .first = shared ? NULL : s->first + at,
                          .to = all,
                          .w = s->w + (size_t)g * s->net_bytes,
                          .rate = s->rate + at * s->type};
        s->kernel->train(p, s->is_paper, s->group, &e, s->units);
        if (p->samples % p->replicas == 0)
            continue;
        e.order = order;
        e.first = s->last + at;
        e.from = 0;
        e.to = 1;
        e.rate = s->part + at * s->type;
        s->kernel->train(p, s->is_paper, s->group, &e, s->units);
    }
}

static int lanes_run(void *state, const void *const in[], void *const out[])
{
    const struct lanes *s = state;
    const struct mlp_problem *p = s->p;
    size_t n = mlp_weights(p), one = n * s->type;
    for (int net = 0; net < s->groups * s->width; net++) {
        size_t from = net < p->networks ? (size_t)net : 0;
        char *group = s->w + (size_t)(net / s->width) * s->net_bytes;
        s->kernel->put((const char *)in[MLP_W0] + from * one, n, s->width, net % s->width, group);
        const char *rate = (const char *)in[MLP_RATES] + from * s->type;
        memcpy(s->rate + (size_t)net * s->type, rate, s->type);
        if (net < p->replicas && s->longer[net])
            memcpy(s->part + (size_t)net * s->type, rate, s->type);
    }
    for (int epoch = 0; epoch < p->epochs && p->samples > 0; epoch++) {
        train_epoch(s, in,
                    (const int32_t *)in[MLP_ORDER] +
                        (size_t)(epoch % p->permutations) * (size_t)p->samples);
        if (p->replicas > 1 && ((epoch + 1) % p->merge_every == 0 || epoch + 1 == p->epochs))
            s->kernel->mean(s->w, n, s->width, p->replicas, s->net_bytes / s->type);
    }
    for (int net = 0; net < p->networks; net++)
        s->kernel->get(s->w + (size_t)(net / s->width) * s->net_bytes, n, s->width, net % s->width,
                       (char *)out[MLP_W] + (size_t)net * one);
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,    "mlp_sgd", "lanes",
                                        lanes_open, lanes_run, lanes_close};
