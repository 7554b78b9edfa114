#include "benchmarks/mlp/sgd_bench.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/random.h"
#include "common/size.h"
#include "harness/machine/machine.h"
#include "harness/machine/pin.h"
#include "common/table.h"

extern const struct hpc_variant hpc_variant_serial_O0; /* serial.c compiled with -O0 */

#define BLOCK_SECONDS 0.01
#define MAX_CALLS     200

double sgd_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

const struct hpc_variant *sgd_find(const char *name)
{
    if (strcmp(name, "serial_O0") == 0)
        return &hpc_variant_serial_O0;
    for (int i = 0; hpc_variants[i]; i++)
        if (strcmp(hpc_variants[i]->name, name) == 0)
            return hpc_variants[i];
    return NULL;
}

struct mlp_problem sgd_paper(int type, int networks, int replicas)
{
    return (struct mlp_problem){
        .n_layers = 5,
        .size = {4, 4, 5, 5, 1},
        .activation = {0, MLP_SOFTMAX, MLP_RELU, MLP_TANH, MLP_SIGMOID},
        .epochs = SGD_EPOCHS,
        .replicas = replicas,
        .merge_every = 1,
        .batch = 1,
        .networks = networks,
        .type = type,
    };
}

static void *typed(const double *from, size_t n, int type)
{
    void *to = hpc_malloc(n * sizeof(double) + 1);
    for (size_t i = 0; i < n; i++)
        if (type == HPC_F64)
            ((double *)to)[i] = from[i];
        else
            ((float *)to)[i] = (float)from[i];
    return to;
}

/* Inputs by (seed, draw): start weights uniform in +-1/2, network 0's the same for all. */
static void make_inputs(const struct sgd_data *data, struct sgd_contestant *c, uint64_t seed,
                        int draw)
{
    struct mlp_problem *p = &c->p;
    size_t weights = mlp_weights(p), n = weights * (size_t)p->networks;
    double *w0 = hpc_malloc(n * sizeof *w0), *rates = hpc_malloc((size_t)p->networks * 8);
    struct hpc_random random;
    hpc_random_init(&random, seed, 'w' + ((uint64_t)draw << 8));
    for (size_t i = 0; i < n; i++)
        w0[i] = hpc_random_double(&random) - 0.5;
    for (int i = 0; i < p->networks; i++)
        rates[i] = c->rate;
    p->samples = data->samples;
    p->permutations = p->epochs < 64 ? p->epochs > 0 ? p->epochs : 1 : 64;
    int32_t *order = hpc_malloc((size_t)p->permutations * (size_t)p->samples * sizeof *order);
    hpc_random_init(&random, seed, 'o' + ((uint64_t)draw << 8));
    for (int e = 0; e < p->permutations; e++)
        hpc_random_permutation(&random, (int *)order + (size_t)e * (size_t)p->samples, p->samples);
    c->in[MLP_X] = typed(data->x, (size_t)data->samples * (size_t)data->columns, p->type);
    c->in[MLP_Y] = typed(data->y, (size_t)data->samples, p->type);
    c->in[MLP_ORDER] = order;
    c->in[MLP_W0] = typed(w0, n, p->type);
    c->in[MLP_RATES] = typed(rates, (size_t)p->networks, p->type);
    c->out[MLP_W] =
        c->threads > 1 ? sgd_shared(n * sizeof(double)) : hpc_malloc(n * sizeof(double));
    c->checked = hpc_malloc(weights * sizeof *c->checked);
    free(w0);
    free(rates);
}

static void free_inputs(struct sgd_contestant *c)
{
    for (int i = 0; i < MLP_N_IN; i++)
        free(c->in[i]);
    if (c->threads == 1)
        free(c->out[MLP_W]);
    free(c->checked);
}

static bool open_contestant(struct sgd_contestant *c)
{
    struct hpc_env env = {c->threads, machine_here()->simd, NULL};
    return c->variant->open(&env, &c->p, &c->state) == 0;
}

/* Seconds of so many calls, in this process. */
static double call(struct sgd_contestant *c, int calls)
{
    size_t bytes = mlp_weights(&c->p) * (size_t)c->p.networks * (c->p.type == HPC_F64 ? 8 : 4);
    memset(c->out[MLP_W], 0xff, bytes); /* not a number */
    double start = sgd_now();
    for (int i = 0; i < calls; i++)
        HPC_ASSERT(c->variant->run(c->state, (const void *const *)c->in, c->out) == 0);
    return sgd_now() - start;
}

/* The same in a process of the contestant's own. */
static double serve(void *context, int calls)
{
    struct sgd_contestant *c = context;
    double seconds = calls ? call(c, calls) : open_contestant(c) ? 0 : -1;
    pin_threads(getpid(), 0); /* as the grader does; OpenMP starts its threads in the first call */
    return seconds;
}

static double call_anywhere(struct sgd_contestant *c, int calls)
{
    return c->child ? sgd_child_run(c->child, calls) : call(c, calls);
}

/* Take network 0's weights; all of all networks have to be finite. False where they are not. */
static bool take(struct sgd_contestant *c)
{
    size_t weights = mlp_weights(&c->p);
    bool finite = true;
    for (size_t i = 0; i < weights * (size_t)c->p.networks; i++) {
        double w = mlp_element(c->out[MLP_W], c->p.type, i);
        finite = finite && mlp_finite(w);
        if (i < weights)
            c->checked[i] = w;
    }
    return finite;
}

bool sgd_add(struct sgd_group *g, const struct sgd_contestant *given)
{
    HPC_ASSERT(g->n < SGD_MAX_CONTESTANTS);
    struct sgd_contestant *c = &g->c[g->n];
    *c = *given;
    if (!c->variant) {
        fprintf(stderr, "%s: left out, the variant is not here\n", c->label);
        return false;
    }
    make_inputs(g->data, c, g->seed, 0);
    c->child = c->threads > 1 ? sgd_child_start(serve, c) : NULL;
    if (!c->child && (c->threads > 1 || !open_contestant(c))) {
        fprintf(stderr, "%s: left out, the variant refuses the problem\n", c->label);
        free_inputs(c);
        return false;
    }
    double once = call_anywhere(c, 1); /* warm-up, and how long it takes */
    double calls = BLOCK_SECONDS / once;
    c->calls = calls < 1 ? 1 : calls > MAX_CALLS ? MAX_CALLS : (int)calls;
    g->n++;
    return true;
}

static void time_one(struct sgd_group *g, struct sgd_contestant *c, int round)
{
    double seconds = call_anywhere(c, c->calls);
    c->seconds[round] = seconds / c->calls;
    bool good = seconds > 0 && take(c);
    if (good && c->tolerance >= 0)
        for (size_t i = 0; i < mlp_weights(&c->p); i++) {
            double difference = fabs(c->checked[i] - g->c[0].checked[i]);
            c->worst = difference > c->worst ? difference : c->worst;
        }
    if (good && (c->tolerance < 0 || c->worst <= c->tolerance))
        return;
    if (!g->wrong)
        fprintf(stderr, "%s: wrong, |w - %s's w| is %.3g, expected at most %.3g\n", c->label,
                g->c[0].label, good ? c->worst : NAN, c->tolerance);
    g->wrong = true;
}

void sgd_time(struct sgd_group *g, int rounds)
{
    struct hpc_random random;
    hpc_random_init(&random, g->seed, 'r');
    g->rounds = rounds;
    call_anywhere(&g->c[0], 1); /* the reference's result has to be there before the others' */
    take(&g->c[0]);
    for (int round = 0; round < rounds; round++) {
        int turn[SGD_MAX_CONTESTANTS];
        hpc_random_permutation(&random, turn, g->n);
        for (int i = 0; i < g->n; i++)
            time_one(g, &g->c[turn[i]], round);
    }
}

void sgd_close(struct sgd_group *g)
{
    for (int i = 0; i < g->n; i++) {
        if (g->c[i].child)
            sgd_child_stop(g->c[i].child);
        else
            g->c[i].variant->close(g->c[i].state);
        free_inputs(&g->c[i]);
    }
    g->n = 0;
}

double sgd_median(const struct sgd_contestant *c, int rounds)
{
    return stats_median(c->seconds, rounds);
}

double sgd_cv(const struct sgd_contestant *c, int rounds)
{
    double sum = 0, squares = 0;
    for (int i = 0; i < rounds; i++)
        sum += c->seconds[i];
    for (int i = 0; i < rounds; i++)
        squares += (c->seconds[i] - sum / rounds) * (c->seconds[i] - sum / rounds);
    return rounds > 1 ? sqrt(squares / (rounds - 1)) / (sum / rounds) : 0;
}

struct stats_interval sgd_ratio(const struct sgd_group *g, const struct sgd_contestant *c,
                                int versus)
{
    double ratio[SGD_MAX_ROUNDS];
    for (int i = 0; i < g->rounds; i++)
        ratio[i] = g->c[versus].seconds[i] / c->seconds[i] * c->p.networks;
    return stats_bootstrap_median(ratio, g->rounds, 0.95, 2000, g->seed);
}

double sgd_once(const struct sgd_data *data, const struct sgd_contestant *given, int epochs,
                uint64_t seed)
{
    struct sgd_contestant c = *given;
    c.p.epochs = epochs;
    make_inputs(data, &c, seed, 0);
    c.child = sgd_child_start(serve, &c);
    double seconds = c.child ? sgd_child_run(c.child, 1) : -1;
    if (c.child)
        sgd_child_stop(c.child);
    free_inputs(&c);
    return seconds;
}

double sgd_error(const struct sgd_data *data, const struct sgd_contestant *given, int epochs,
                 uint64_t seed, int draws)
{
    double sum = 0;
    for (int draw = 0; draw < draws; draw++) {
        struct sgd_contestant c = *given;
        c.p.epochs = epochs;
        c.threads = 1; /* the weights don't depend on it */
        make_inputs(data, &c, seed, draw);
        HPC_ASSERT(open_contestant(&c));
        call(&c, 1);
        take(&c);
        c.variant->close(c.state);
        sum += mlp_error(&c.p, c.checked, data->x, data->y);
        free_inputs(&c);
    }
    return sum / draws;
}
