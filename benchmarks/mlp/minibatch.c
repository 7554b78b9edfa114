/* Training 784-1024-1024-10 by minibatches of 256 in fp32: the variants of mlp_minibatch against
 * OpenBLAS and oneDNN doing the same step, as GFLOP/s, ratios and shares of the FMA peak; and the
 * batch sizes 1 to 256. All contestants take turns in an order drawn anew in each round; every
 * result is checked against the oracle in double after the warm-up, and cheaply after each round.
 *
 *   build/bench/minibatch [--out DIR] [--quick] [--rounds N] [--threads N] [--seed N]
 *
 * Writes DIR/MACHINE-minibatch-Nt.csv, a line a timing. Ends with 1 where a result is wrong. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "benchmarks/mlp/minibatch_options.h"
#include "benchmarks/mlp/minibatch_peers.h"
#include "common/random.h"
#include "harness/machine/machine.h"
#include "common/stats.h"
#include "mlp/op/op.h"

enum { MAX_ROUNDS = 200, MAX_CONTESTANTS = 24, SWEEP = 9 }; /* batches of 1, 2, 4, .. 256 */

extern const struct hpc_variant *const hpc_variants[]; /* of `hpclab build --objects mlp` */

/* One variant on one problem. */
struct contestant {
    const struct hpc_variant *v;
    const char *group; /* "net" or "sweep" */
    int threads;
    unsigned char problem[HPC_MAX_PROBLEM] __attribute__((aligned(16)));
    struct hpc_layout layout;
    void *in[HPC_MAX_ARRAYS], *out[HPC_MAX_ARRAYS], *state;
    double flops, seconds[MAX_ROUNDS];
};

struct bench {
    struct minibatch_options o;
    const struct hpc_op *op;
    int n, wrong;
    struct contestant *c[MAX_CONTESTANTS];
    double peak[MAX_ROUNDS];
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static const struct hpc_variant *find(const char *name)
{
    for (int i = 0; hpc_variants[i]; i++)
        if (strcmp(hpc_variants[i]->name, name) == 0)
            return hpc_variants[i];
    return NULL;
}

static void set_problem(struct bench *b, struct contestant *c, int samples, int batch)
{
    char words[2][40];
    const char *const keys[] = {"layers=784,1024,1024,10", "activations=relu,relu,softmax",
                                "rate=0.01", words[0], words[1]};
    struct hpc_params params = {0};
    struct hpc_error err;
    snprintf(words[0], sizeof words[0], "samples=%d", samples);
    snprintf(words[1], sizeof words[1], "batch=%d", batch);
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++)
        if (!hpc_params_set_word(&params, keys[i], "this benchmark", &err))
            exit(hpc_report(&err));
    if (!b->op->parse(&params, c->problem, &err))
        exit(hpc_report(&err));
}

static void check(struct bench *b, struct contestant *c, bool whole)
{
    struct hpc_mismatch m = {0};
    bool admitted = true;
    if (c->v == &peer_openblas_products) /* trains nothing */
        return;
    const bool right = whole ? b->op->check(c->problem, (const void *const *)c->in,
                                            (const void *const *)c->out, &admitted, &m)
                             : b->op->check_quick(c->problem, (const void *const *)c->in,
                                                  (const void *const *)c->out, &m);
    if (right)
        return;
    printf("%s: WRONG: %s, got %g, expected %g within %g\n", c->v->name, m.what, m.got, m.want,
           m.bound);
    b->wrong++;
}

/* Add a contestant, unless it is not here or refuses; run it once, and check what it gave. */
static void enter(struct bench *b, const char *group, const struct hpc_variant *v, int threads,
                  int samples, int batch)
{
    const struct hpc_env env = {threads, machine_here()->simd, NULL};
    struct hpc_cost cost;
    if (!v || b->n == MAX_CONTESTANTS)
        return;
    struct contestant *c = hpc_calloc(1, sizeof *c);
    c->v = v;
    c->group = group;
    c->threads = threads;
    set_problem(b, c, samples, batch);
    b->op->layout(c->problem, &c->layout);
    b->op->cost(c->problem, &cost);
    c->flops = cost.flops;
    for (int i = 0; i < c->layout.n_in; i++)
        c->in[i] = hpc_calloc(c->layout.in[i].count + 1, hpc_type_bytes(c->layout.in[i].type));
    for (int i = 0; i < c->layout.n_out; i++)
        c->out[i] = hpc_calloc(c->layout.out[i].count + 1, hpc_type_bytes(c->layout.out[i].type));
    b->op->generate(c->problem, b->o.seed, 0, c->in);
    if (v->open(&env, c->problem, &c->state)) {
        printf("%s: left out, it does not run here\n", v->name);
        return;
    }
    v->run(c->state, (const void *const *)c->in, c->out);
    check(b, c, strcmp(group, "net") == 0);
    b->c[b->n++] = c;
}

static void round_of_all(struct bench *b, struct hpc_random *random, int round)
{
    const struct timespec pause = {0, 5 * 1000 * 1000}; /* until the threads of before sleep */
    int order[MAX_CONTESTANTS];
    hpc_random_permutation(random, order, b->n);
    nanosleep(&pause, NULL);
    b->peak[round] = fma_peak(b->o.threads, machine_here()->simd);
    for (int i = 0; i < b->n; i++) {
        struct contestant *c = b->c[order[i]];
        nanosleep(&pause, NULL);
        const double start = now();
        c->v->run(c->state, (const void *const *)c->in, c->out);
        c->seconds[round] = now() - start;
        check(b, c, false);
    }
}

static double gflops(const struct bench *b, const struct contestant *c)
{
    return c->flops / stats_median(c->seconds, b->o.rounds) * 1e-9;
}

/* How many times faster than the contestant `v` of the same round, with its interval. */
static void print_ratio(const struct bench *b, const struct contestant *c,
                        const struct hpc_variant *v)
{
    double ratios[MAX_ROUNDS];
    for (int i = 0; i < b->n; i++) {
        if (b->c[i]->v != v)
            continue;
        for (int r = 0; r < b->o.rounds; r++)
            ratios[r] = b->c[i]->seconds[r] / b->c[i]->flops / (c->seconds[r] / c->flops);
        const struct stats_interval s =
            stats_bootstrap_median(ratios, b->o.rounds, 0.95, 2000, b->o.seed);
        printf("  %6.3f [%.3f, %.3f]", s.value, s.low, s.high);
        return;
    }
    printf("  %22s", "-");
}

static void print_tables(const struct bench *b)
{
    const double peak = stats_quantile(b->peak, b->o.rounds, 1);
    printf("\nFMA peak, %d threads: %.1f GFLOP/s (the best of %d rounds; median %.1f)\n",
           b->o.threads, peak, b->o.rounds, stats_median(b->peak, b->o.rounds));
    printf("\n%-24s %7s %7s %9s %6s  %22s  %22s\n", "784-1024-1024-10", "threads", "batch",
           "GFLOP/s", "peak", "over OpenBLAS", "over its products");
    for (int i = 0; i < b->n; i++) {
        const struct contestant *c = b->c[i];
        const struct mlp_problem *p = (const struct mlp_problem *)c->problem;
        if (strcmp(c->group, "net") != 0)
            continue;
        printf("%-24s %7d %7d %9.2f %5.1f%%", c->v->name, c->threads, p->batch, gflops(b, c),
               100 * gflops(b, c) / (peak * c->threads / b->o.threads));
        print_ratio(b, c, &peer_openblas);
        print_ratio(b, c, &peer_openblas_products);
        printf("\n");
    }
    printf("\n%-24s %7s %9s %14s\n", "batch sizes", "batch", "GFLOP/s", "us a sample");
    for (int i = 0; i < b->n; i++) {
        const struct contestant *c = b->c[i];
        const struct mlp_problem *p = (const struct mlp_problem *)c->problem;
        if (strcmp(c->group, "sweep") == 0)
            printf("%-24s %7d %9.2f %14.2f\n", c->v->name, p->batch, gflops(b, c),
                   1e6 * stats_median(c->seconds, b->o.rounds) / p->samples);
    }
}

/* Opened before anything is timed, so that nothing is lost to a wrong --out. */
static FILE *open_csv(const struct bench *b)
{
    char *path =
        hpc_printf("%s/%s-minibatch-%dt.csv", b->o.out, machine_here()->name, b->o.threads);
    FILE *f = fopen(path, "w");
    if (!f)
        fprintf(stderr, "minibatch: cannot write %s\n", path);
    free(path);
    return f;
}

static bool write_csv(const struct bench *b, FILE *f)
{
    fprintf(f, "group,name,threads,samples,batch,round,seconds,gflops\n");
    for (int r = 0; r < b->o.rounds; r++) {
        fprintf(f, "peak,FMA,%d,,,%d,,%.3f\n", b->o.threads, r, b->peak[r]);
        for (int i = 0; i < b->n; i++) {
            const struct contestant *c = b->c[i];
            const struct mlp_problem *p = (const struct mlp_problem *)c->problem;
            fprintf(f, "%s,\"%s\",%d,%d,%d,%d,%.9f,%.3f\n", c->group, c->v->name, c->threads,
                    p->samples, p->batch, r, c->seconds[r], c->flops / c->seconds[r] * 1e-9);
        }
    }
    return fclose(f) == 0;
}

static void enter_all(struct bench *b)
{
    const int t = b->o.threads, samples = b->o.quick ? 512 : 1024;
    enter(b, "net", &peer_openblas, t, samples, 256);
    enter(b, "net", &peer_openblas_products, t, samples, 256);
    enter(b, "net", &peer_onednn, t, samples, 256);
    enter(b, "net", find("minibatch"), t, samples, 256);
    enter(b, "net", find("minibatch_amx"), t, samples, 256);
    enter(b, "net", find("minibatch"), 1, samples, 256);
    enter(b, "net", find("minibatch_simd"), 1, samples, 256);
    enter(b, "net", find("blocked"), 1, 256, 256);
    enter(b, "net", find("unrolled"), 1, 64, 64);
    enter(b, "net", find("minibatch_naive"), 1, b->o.quick ? 8 : 32, b->o.quick ? 8 : 32);
    for (int batch = 1, i = 0; i < SWEEP; i++, batch *= 2)
        enter(b, "sweep", find("minibatch"), t, 16 * batch, batch);
}

static void close_all(struct bench *b)
{
    for (int i = 0; i < b->n; i++) {
        struct contestant *c = b->c[i];
        c->v->close(c->state);
        for (int k = 0; k < HPC_MAX_ARRAYS; k++) {
            free(c->in[k]);
            free(c->out[k]);
        }
        free(c);
    }
}

int main(int argc, char **argv)
{
    const struct machine *m = machine_here();
    struct bench b = {.o = {.threads = m->cores, .seed = hpc_random_seed()}};
    struct machine_load load;
    struct hpc_random random;
    if (!minibatch_options(argc, argv, MAX_ROUNDS, &b.o))
        return HPC_EXIT_USAGE;
    b.op = hpc_op_find("mlp_minibatch");
    setvbuf(stdout, NULL, _IOLBF, 0);
    machine_load_read(&load); /* a core that others use stops both threads at every barrier */
    printf("machine: %s, %s, %d cores, %s; load before %.2f\nseed %llu, %d rounds\n", m->name,
           m->cpu, m->cores, m->compiler, load.load1, (unsigned long long)b.o.seed, b.o.rounds);
    FILE *csv = b.o.out ? open_csv(&b) : NULL;
    if (b.o.out && !csv)
        return HPC_EXIT_USAGE;
    enter_all(&b);
    hpc_random_init(&random, b.o.seed, 1);
    for (int r = 0; r < b.o.rounds; r++)
        round_of_all(&b, &random, r);
    print_tables(&b);
    printf("\n%d results were wrong\n", b.wrong);
    const bool written = !csv || write_csv(&b, csv);
    close_all(&b);
    return b.wrong ? HPC_EXIT_BELOW : written ? HPC_EXIT_OK : HPC_EXIT_ENVIRONMENT;
}
