/* Two more tables of sgd.c: what each step from `serial` on is worth, with nets of several widths
 * for the loops that OpenMP shares out; and the paper's Table 1. */
#include <stdlib.h>
#include <string.h>

#include "benchmarks/mlp/sgd_bench.h"
#include "harness/machine/machine.h"

static double median_of(const struct sgd_group *g, const char *label)
{
    for (int i = 0; i < g->n; i++)
        if (strcmp(g->c[i].label, label) == 0)
            return sgd_median(&g->c[i], g->rounds);
    return 0;
}

static void step(FILE *md, const struct sgd_group *g, const char *what, const char *from,
                 const char *to, const char *expected)
{
    double a = median_of(g, from), b = median_of(g, to);
    if (a > 0 && b > 0)
        fprintf(md, "| %s | %s over %s | %.2f | %s |\n", what, to, from, a / b, expected);
}

static void write_samples(FILE *csv, const struct sgd_group *g)
{
    for (int i = 0; i < g->n; i++)
        for (int round = 0; round < g->rounds; round++)
            fprintf(csv, "%s,\"%s\",%d,%d,%d,%d,%.9g\n", g->name, g->c[i].label, round, 1,
                    g->c[i].p.epochs, g->c[i].calls, g->c[i].seconds[round]);
}

/* Loops shared out within an update, on nets width-width-width-1. */
static bool widths(FILE *md, FILE *csv, int width, int samples, int threads, bool quick,
                   uint64_t seed)
{
    static const char *const names[] = {"flat", "openmp_inner", "openmp_owner"};
    struct sgd_data data = {.source = ""};
    sgd_draw(&data, samples, width, seed);
    struct sgd_group *g = hpc_calloc(1, sizeof *g);
    char name[40];
    snprintf(name, sizeof name, "width %d", width);
    *g = (struct sgd_group){.name = name, .data = &data, .seed = seed};
    for (int i = 0; i < 3; i++) {
        struct sgd_contestant c = {.variant = sgd_find(names[i]),
                                   .rate = 1e-4,
                                   .threads = i == 0 ? 1 : threads,
                                   .tolerance = 1e-12};
        c.p = (struct mlp_problem){.n_layers = 4,
                                   .size = {width, width, width, 1},
                                   .activation = {0, MLP_TANH, MLP_TANH, MLP_SIGMOID},
                                   .epochs = 1,
                                   .replicas = 1,
                                   .merge_every = 1,
                                   .batch = 1,
                                   .networks = 1,
                                   .type = HPC_F64};
        snprintf(c.label, sizeof c.label, "%s", names[i]);
        sgd_add(g, &c);
    }
    sgd_time(g, quick ? 3 : 9);
    char what[80];
    snprintf(what, sizeof what, "parallel loops, width %d, %d threads", width, threads);
    step(md, g, what, "flat", "openmp_inner",
         width == 64    ? "0.25 on two cores"
         : width == 256 ? "0.62 on two cores"
                        : "1.64 on two cores");
    snprintf(what, sizeof what, "rows owned by threads, width %d", width);
    step(md, g, what, "openmp_inner", "openmp_owner", width == 256 ? "2.4 on two cores" : "");
    write_samples(csv, g);
    bool good = !g->wrong;
    sgd_close(g);
    free(g);
    free(data.x);
    free(data.y);
    return good;
}

bool sgd_effects(FILE *md, FILE *csv, const struct sgd_group *paper, bool quick, uint64_t seed)
{
    int threads = machine_here()->cores;
    fprintf(md, "\nWhat each step is worth:\n\n| step | ratio of | ratio | expected |\n"
                "|---|---|---|---|\n");
    step(md, paper, "the compiler", "serial, -O0", "serial, -O2", "1.8");
    step(md, paper, "no mallocs", "serial, -O2", "flat", "3.7");
    step(md, paper, "sizes known at compile time", "flat", "fixed", "1.4 to 1.9");
    step(md, paper, "vectors and our own exp", "fixed", "simd, double", "1.5");
    bool good = widths(md, csv, 64, 200, threads, quick, seed);
    good &= widths(md, csv, 256, 40, threads, quick, seed);
    return good & widths(md, csv, 1024, 4, threads, quick, seed);
}

/* One contestant's three times; extrapolated from a tenth where they would take over a minute. */
static void table1_column(FILE *md, FILE *csv, const struct sgd_data *data, const char *variant,
                          int threads, bool quick, uint64_t seed, double *first)
{
    struct sgd_contestant c = {
        .variant = sgd_find(variant), .rate = 0.01, .threads = threads, .tolerance = -1};
    c.p = sgd_paper(HPC_F64, 1, threads);
    snprintf(c.label, sizeof c.label, "%s, %d threads", variant, threads);
    if (!c.variant) {
        fprintf(stderr, "%s: left out, the variant is not here\n", c.label);
        return;
    }
    fprintf(md, "| %s |", c.label);
    double seconds = 0;
    for (int i = 0, epochs = quick ? 100 : 1000; i < 3; i++, epochs *= 10) {
        bool extrapolated = 10 * seconds > 60;
        seconds = extrapolated ? 10 * seconds : sgd_once(data, &c, epochs, seed);
        if (first[i] == 0)
            first[i] = seconds;
        fprintf(md, " %.3f%s | %.0f%% |", seconds, extrapolated ? " (extrapolated)" : "",
                100 * first[i] / seconds);
        fprintf(csv, "table1,\"%s\",0,1,%d,%d,%.9g\n", c.label, epochs, extrapolated ? 0 : 1,
                seconds);
    }
    fprintf(md, "\n");
}

/* R replicas on R threads, merged every `merge_every` epochs, over one replica on one. */
static void efficiency(FILE *md, FILE *csv, const struct sgd_data *data, const char *variant,
                       int threads, int merge_every, uint64_t seed)
{
    struct sgd_group *g = hpc_calloc(1, sizeof *g);
    *g = (struct sgd_group){.name = "efficiency", .data = data, .seed = seed};
    for (int i = 0; i < 2; i++) {
        int n = i ? threads : 1;
        struct sgd_contestant c = {
            .variant = sgd_find(variant), .rate = 0.01, .threads = n, .tolerance = -1};
        c.p = sgd_paper(HPC_F64, 1, n);
        c.p.epochs = 1000;
        c.p.merge_every = merge_every;
        snprintf(c.label, sizeof c.label, "%s, %d threads, merged every %d", variant, n,
                 merge_every);
        sgd_add(g, &c);
    }
    if (g->n == 2) {
        sgd_time(g, 15);
        struct stats_interval r = sgd_ratio(g, &g->c[1], 0);
        fprintf(md, "| %s | %d | %d | %.1f us | %.2f | %.2f to %.2f | %.0f%% |\n", variant, threads,
                merge_every, 1e6 * sgd_median(&g->c[1], 15) / 1000, r.value, r.low, r.high,
                100 * r.value / threads);
        write_samples(csv, g);
    }
    sgd_close(g);
    free(g);
}

bool sgd_table1(FILE *md, FILE *csv, const struct sgd_data *data, uint64_t seed, bool quick)
{
    static const struct {
        const char *variant;
        int threads;
    } columns[] = {{"serial_O0", 1},     {"pthread", 4},        {"pthread", 8},
                   {"pthread", 16},      {"openmp_trainer", 3}, {"openmp_trainer", 4},
                   {"openmp_trainer", 5}};
    double first[3] = {0};
    int base = quick ? 100 : 1000;
    fprintf(md,
            "\n[Dong]'s Table 1: seconds for %d, %d and %d epochs of %d samples, and the paper's "
            "\"optimize rate\" (serial is 100%%). Replicas are merged after every epoch; the "
            "paper's threads were merged once.\n\n",
            base, 10 * base, 100 * base, data->samples);
    fprintf(md, "| program | %d | rate | %d | rate | %d | rate |\n|---|---|---|---|---|---|---|\n",
            base, 10 * base, 100 * base);
    for (size_t i = 0; i < sizeof columns / sizeof columns[0]; i++)
        table1_column(md, csv, data, columns[i].variant, columns[i].threads, quick, seed, first);
    int threads = machine_here()->cores < 8 ? machine_here()->cores : 8;
    fprintf(md, "\nEfficiency: as many replicas as threads over one replica on one thread, 1000 "
                "epochs (target: 80%% at 8 threads; the paper's threads were merged once).\n\n"
                "| program | threads | merged every | an epoch | speed-up | 95%% interval | "
                "efficiency |\n|---|---|---|---|---|---|---|\n");
    static const char *const trainers[] = {"pthread", "openmp_trainer", "simd"};
    for (int i = 0; i < 3; i++)
        for (int merge_every = 1; merge_every <= 1000; merge_every *= merge_every == 1 ? 10 : 100)
            efficiency(md, csv, data, trainers[i], threads, merge_every, seed);
    return true;
}
