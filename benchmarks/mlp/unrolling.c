/* What unrolling does and what it doesn't: the table of handouts/measured_lab2.md, and for lab2 the
 * steps from minibatch_naive to minibatch_simd. Started by benchmarks/mlp/unrolling.sh, which
 * builds one object for each pair of UNROLL and ACCUMULATORS and the table `unrolling_variants`,
 * whose first entry is the baseline.
 *
 *   unrolling [ROUNDS [RAW.csv]]
 *
 * Two nets: 784-1024-1024-10, batch 16, one update; and the paper's 4-4-5-5-1, a sample at a time.
 * All variants take turns in an order drawn anew in each round; every result of the first round is
 * checked against the oracle. Ends with 1 where one is wrong. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "common/random.h"
#include "harness/machine/machine.h"
#include "common/stats.h"
#include "mlp/op/op.h"

enum { MAX_VARIANTS = 24, MAX_ROUNDS = 100, NETS = 2, WORDS = 6 };

struct entry {
    const char *label;
    const struct hpc_variant *variant;
};
extern const struct entry unrolling_variants[]; /* ended by a NULL label */

struct net {
    const char *label, *words[WORDS];
};

static const struct net nets[NETS] = {
    {"784-1024-1024-10, batch 16",
     {"layers=784,1024,1024,10", "activations=relu,relu,softmax", "samples=16", "batch=16",
      "epochs=1", "rate=0.01"}},
    {"4-4-5-5-1, batch 1",
     {"layers=4,4,5,5,1", "activations=softmax,relu,tanh,sigmoid", "samples=1096", "batch=1",
      "epochs=10", "rate=0.01"}},
};

struct bench {
    const struct hpc_op *op;
    int variants, rounds, wrong;
    unsigned char problem[NETS][HPC_MAX_PROBLEM] __attribute__((aligned(16)));
    void *in[NETS][HPC_MAX_ARRAYS], *out[NETS][HPC_MAX_ARRAYS];
    void *state[NETS][MAX_VARIANTS];
    double seconds[NETS][MAX_VARIANTS][MAX_ROUNDS];
};

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void open_net(struct bench *b, int n, uint64_t seed)
{
    struct hpc_params params = {0};
    struct hpc_error err;
    struct hpc_layout layout;
    const struct hpc_env env = {1, machine_here()->simd, NULL};
    for (int i = 0; i < WORDS; i++)
        if (!hpc_params_set_word(&params, nets[n].words[i], "this benchmark", &err))
            exit(hpc_report(&err));
    if (!b->op->parse(&params, b->problem[n], &err))
        exit(hpc_report(&err));
    b->op->layout(b->problem[n], &layout);
    for (int i = 0; i < layout.n_in; i++)
        b->in[n][i] = hpc_calloc(layout.in[i].count + 1, hpc_type_bytes(layout.in[i].type));
    for (int i = 0; i < layout.n_out; i++)
        b->out[n][i] = hpc_calloc(layout.out[i].count + 1, hpc_type_bytes(layout.out[i].type));
    b->op->generate(b->problem[n], seed, 0, b->in[n]);
    for (int v = 0; v < b->variants; v++)
        if (unrolling_variants[v].variant->open(&env, b->problem[n], &b->state[n][v])) {
            fprintf(stderr, "unrolling: %s refuses %s\n", unrolling_variants[v].label,
                    nets[n].label);
            exit(HPC_EXIT_ENVIRONMENT);
        }
}

static void run(struct bench *b, int n, int v)
{
    unrolling_variants[v].variant->run(b->state[n][v], (const void *const *)b->in[n], b->out[n]);
}

/* Also the warm-up. */
static void check_all(struct bench *b, int n)
{
    for (int v = 0; v < b->variants; v++) {
        struct hpc_mismatch m = {0};
        bool admitted = true;
        run(b, n, v);
        if (b->op->check(b->problem[n], (const void *const *)b->in[n],
                         (const void *const *)b->out[n], &admitted, &m))
            continue;
        printf("%s on %s: WRONG: %s\n", unrolling_variants[v].label, nets[n].label, m.what);
        b->wrong++;
    }
}

static void time_all(struct bench *b, struct hpc_random *random)
{
    int order[MAX_VARIANTS];
    for (int r = 0; r < b->rounds; r++)
        for (int n = 0; n < NETS; n++) {
            hpc_random_permutation(random, order, b->variants);
            for (int i = 0; i < b->variants; i++) {
                const double start = now();
                run(b, n, order[i]);
                b->seconds[n][order[i]][r] = now() - start;
            }
        }
}

static void print_table(const struct bench *b)
{
    printf("| %-26s | %-30s | %-30s |\n|%.*s|%.*s|%.*s|\n", "variant", nets[0].label, nets[1].label,
           28, "--------------------------------", 32, "--------------------------------", 32,
           "--------------------------------");
    for (int v = 0; v < b->variants; v++) {
        printf("| %-26s |", unrolling_variants[v].label);
        for (int n = 0; n < NETS; n++) {
            double ratio[MAX_ROUNDS];
            char cell[80];
            for (int r = 0; r < b->rounds; r++)
                ratio[r] = b->seconds[n][0][r] / b->seconds[n][v][r];
            const struct stats_interval s = stats_bootstrap_median(ratio, b->rounds, 0.95, 2000, 1);
            snprintf(cell, sizeof cell, "%.2fx [%.2f, %.2f]  %.3g ms", s.value, s.low, s.high,
                     1e3 * stats_median(b->seconds[n][v], b->rounds));
            printf(" %-30s |", cell);
        }
        printf("\n");
    }
}

static bool write_raw(const struct bench *b, const char *path)
{
    FILE *f = fopen(path, "w");
    if (!f)
        return false;
    fprintf(f, "net,variant,round,seconds\n");
    for (int n = 0; n < NETS; n++)
        for (int v = 0; v < b->variants; v++)
            for (int r = 0; r < b->rounds; r++)
                fprintf(f, "\"%s\",\"%s\",%d,%.9f\n", nets[n].label, unrolling_variants[v].label, r,
                        b->seconds[n][v][r]);
    return fclose(f) == 0;
}

static void close_net(struct bench *b, int n)
{
    for (int v = 0; v < b->variants; v++)
        unrolling_variants[v].variant->close(b->state[n][v]);
    for (int i = 0; i < HPC_MAX_ARRAYS; i++) {
        free(b->in[n][i]);
        free(b->out[n][i]);
    }
}

int main(int argc, char **argv)
{
    const struct machine *m = machine_here();
    struct bench *b = hpc_calloc(1, sizeof *b);
    struct hpc_random random;
    const uint64_t seed = hpc_random_seed();
    b->rounds = argc > 1 ? atoi(argv[1]) : 15;
    if (b->rounds < 1 || b->rounds > MAX_ROUNDS || argc > 3) {
        fprintf(stderr, "usage: unrolling [1..%d [RAW.csv]]\n", MAX_ROUNDS);
        return HPC_EXIT_USAGE;
    }
    while (b->variants < MAX_VARIANTS && unrolling_variants[b->variants].label)
        b->variants++;
    b->op = hpc_op_find("mlp_minibatch");
    for (int n = 0; n < NETS; n++) {
        open_net(b, n, seed);
        check_all(b, n);
    }
    hpc_random_init(&random, seed, 1);
    time_all(b, &random);
    printf("%s, %s, one thread, -O2, %d rounds, seed %llu\n\n", m->cpu, m->compiler, b->rounds,
           (unsigned long long)seed);
    print_table(b);
    const bool written = argc < 3 || write_raw(b, argv[2]);
    const int status = b->wrong ? HPC_EXIT_BELOW : written ? HPC_EXIT_OK : HPC_EXIT_ENVIRONMENT;
    for (int n = 0; n < NETS; n++)
        close_net(b, n);
    free(b);
    return status;
}
