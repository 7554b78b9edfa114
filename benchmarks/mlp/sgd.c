/* The paper's command (banknote data, 4-4-5-5-1, rate 0.01) by all variants of mlp_sgd, against our
 * `serial` compiled with -O0: nanoseconds an update, ratios with bootstrap intervals beside the
 * targets, the training error after 10, 20 and 40 epochs, and two replicas on two threads judged
 * by the time to the training error that `serial` has after 40. benchmarks/mlp/run builds and
 * starts it. All contestants take turns in an order drawn anew in each round; each timed result is
 * compared with serial's weights.
 *
 *   build/bench/sgd [--out DIR] [--quick] [--rounds N] [--seed N] [--table1] [--commit TEXT]
 *
 * --table1 times the paper's Table 1 instead (a 16-core machine's business: minutes).
 * Writes DIR/MACHINE-mlp.md and .csv (every sample). Ends with 1 where a result is wrong. */
#define _GNU_SOURCE
#include <getopt.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "benchmarks/mlp/sgd_bench.h"
#include "harness/machine/machine.h"

#define RATE  0.01
#define DRAWS 5 /* of start weights and orders, for training errors */

struct options {
    const char *out, *commit;
    int rounds, quick, table1;
    uint64_t seed;
};

/* What is timed on the paper's command. Targets are over serial at -O0. */
static const struct {
    const char *label, *variant;
    int type, networks;
    double tolerance, target;
} plan[] = {
    {"serial, -O0", "serial_O0", HPC_F64, 1, 0, 0},
    {"serial, -O2", "serial", HPC_F64, 1, 0, 0},
    {"flat", "flat", HPC_F64, 1, 0, 0},
    {"fixed", "fixed", HPC_F64, 1, 1e-12, 11},
    {"simd, double", "simd", HPC_F64, 1, 1e-14, 16},
    {"simd, float", "simd", HPC_F32, 1, 0.017, 21},
    {"lanes, 8 double", "lanes", HPC_F64, 8, 1e-14, 85},
    {"lanes, 16 double", "lanes", HPC_F64, 16, 1e-14, 0},
    {"lanes, 16 float", "lanes", HPC_F32, 16, 0.017, 210},
    {"lanes, 32 float", "lanes", HPC_F32, 32, 0.017, 0},
};
enum { PLANNED = sizeof plan / sizeof plan[0], SERIAL_O2 = 1, FLAT = 2 };

/* Replicas, timed until they have serial's training error; rate and epochs are searched. */
static const struct {
    const char *label, *variant, *search; /* search: the variant that finds rate and epochs */
    int type, replicas, threads;
    double target;
} replicas[] = {
    {"openmp_trainer, 2 threads", "openmp_trainer", "simd", HPC_F64, 2, 2, 0},
    {"pthread, 2 threads", "pthread", "simd", HPC_F64, 2, 2, 0},
    {"simd, double, 2 threads", "simd", "simd", HPC_F64, 2, 2, 28},
    {"simd, float, 2 threads", "simd", "simd", HPC_F32, 2, 2, 37},
    {"lanes, 8 double as replicas", "lanes", "lanes", HPC_F64, 8, 1, 0},
    {"lanes, 16 float as replicas", "lanes", "lanes", HPC_F32, 16, 1, 0},
};
enum { REPLICATED = sizeof replicas / sizeof replicas[0] };

static struct sgd_contestant planned(int i)
{
    struct sgd_contestant c = {.variant = sgd_find(plan[i].variant),
                               .p = sgd_paper(plan[i].type, plan[i].networks, 1),
                               .rate = RATE,
                               .threads = 1,
                               .tolerance = plan[i].tolerance,
                               .target = plan[i].target};
    snprintf(c.label, sizeof c.label, "%s", plan[i].label);
    return c;
}

static struct sgd_contestant replicated(int i, double rate, int epochs)
{
    struct sgd_contestant c = {.variant = sgd_find(replicas[i].variant),
                               .p = sgd_paper(replicas[i].type, 1, replicas[i].replicas),
                               .rate = rate,
                               .threads = replicas[i].threads,
                               .tolerance = -1,
                               .target = replicas[i].target};
    c.p.epochs = epochs;
    snprintf(c.label, sizeof c.label, "%s", replicas[i].label);
    return c;
}

/* The rate with which R replicas reach `error` in the fewest epochs, and those epochs; the errors
 * are means over DRAWS draws. No rate over R times serial's is tried: a replica sees a part 1/R of
 * the samples, and a gain by a better rate would be serial's too. False where none reaches it
 * within 3 times serial's epochs. */
static bool match(const struct sgd_data *data, int i, double error, uint64_t seed, double *rate,
                  int *epochs)
{
    static const double multiples[] = {1, 1.5, 2, 4, 8, 12, 16};
    *epochs = 3 * SGD_EPOCHS + 1;
    for (size_t m = 0; m < sizeof multiples / sizeof multiples[0]; m++) {
        if (multiples[m] > replicas[i].replicas)
            break;
        struct sgd_contestant c = replicated(i, RATE * multiples[m], 0);
        c.variant = sgd_find(replicas[i].search);
        c.threads = 1;               /* the same weights, and no thread in this process yet */
        int low = 0, high = *epochs; /* high - 1 epochs are worth a try */
        while (high - low > 1) {
            int middle = (low + high) / 2;
            if (sgd_error(data, &c, middle, seed, DRAWS) <= error)
                high = middle;
            else
                low = middle;
        }
        if (high < *epochs) {
            *epochs = high;
            *rate = c.rate;
        }
    }
    return *epochs <= 3 * SGD_EPOCHS;
}

static void write_samples(FILE *csv, const struct sgd_group *g)
{
    for (int i = 0; i < g->n; i++)
        for (int round = 0; round < g->rounds; round++)
            fprintf(csv, "%s,\"%s\",%d,%d,%d,%d,%.9g\n", g->name, g->c[i].label, round,
                    g->c[i].p.networks, g->c[i].p.epochs, g->c[i].calls, g->c[i].seconds[round]);
}

static void write_table(FILE *md, const struct sgd_group *g)
{
    fprintf(md, "\n| program | ns an update | over serial -O0 | 95%% interval | target | cv | "
                "largest error of a weight |\n|---|---|---|---|---|---|---|\n");
    for (int i = 0; i < g->n; i++) {
        const struct sgd_contestant *c = &g->c[i];
        struct stats_interval r = sgd_ratio(g, c, 0);
        char target[40] = "", worst[40] = "";
        if (c->target > 0)
            snprintf(target, sizeof target, "%.0f%s", c->target,
                     r.value >= c->target ? ", met" : ", below");
        if (c->tolerance >= 0)
            snprintf(worst, sizeof worst, "%.1e of %.0e", c->worst, c->tolerance);
        else
            snprintf(worst, sizeof worst, "rate %g, %d epochs", c->rate, c->p.epochs);
        double updates = (double)c->p.epochs * c->p.samples * c->p.networks;
        fprintf(md, "| %s | %.1f | %.2f | %.2f to %.2f | %s | %.1f%% | %s |\n", c->label,
                1e9 * sgd_median(c, g->rounds) / updates, r.value, r.low, r.high, target,
                100 * sgd_cv(c, g->rounds), worst);
    }
}

static void write_errors(FILE *md, const struct sgd_data *data, uint64_t seed)
{
    static const int at[] = {10, 20, 40};
    fprintf(md,
            "\nTraining error (mean of %d draws) after 10, 20, 40 epochs, all at rate %g:\n\n"
            "| program | 10 | 20 | 40 |\n|---|---|---|---|\n",
            DRAWS, RATE);
    for (int i = 0; i < PLANNED + REPLICATED; i++) {
        struct sgd_contestant c = i < PLANNED ? planned(i) : replicated(i - PLANNED, RATE, 0);
        if (!c.variant)
            continue;
        fprintf(md, "| %s |", c.label);
        for (int k = 0; k < 3; k++)
            fprintf(md, " %.4f |", sgd_error(data, &c, at[k], seed, DRAWS));
        fprintf(md, "\n");
    }
}

static void write_head(FILE *md, const struct options *o, const struct sgd_data *data, int argc,
                       char **argv)
{
    const struct machine *m = machine_here();
    struct machine_load load;
    machine_load_read(&load);
    char day[40];
    time_t now = time(NULL);
    strftime(day, sizeof day, "%Y-%m-%d", gmtime(&now));
    fprintf(md, "# MLP, per-sample SGD, on %s\n\n", m->name);
    fprintf(md, "%s; %d cores; %s; load %.2f at the start; %s; commit %s; %s.  \nCommand: `",
            m->cpu, m->cores, machine_simd_name(m->simd), load.load1, m->compiler, o->commit, day);
    for (int i = 0; i < argc; i++)
        fprintf(md, "%s%s", i ? " " : "", argv[i]);
    fprintf(md, "`. Data: %s, %d samples.\n", data->source, data->samples);
}

static bool bench_paper(FILE *md, FILE *csv, const struct options *o, const struct sgd_data *data)
{
    struct sgd_group *g = hpc_calloc(1, sizeof *g);
    *g = (struct sgd_group){.name = "paper", .data = data, .seed = o->seed};
    for (int i = 0; i < PLANNED; i++) {
        struct sgd_contestant c = planned(i);
        sgd_add(g, &c);
    }
    HPC_ASSERT(g->n > FLAT);
    double error = sgd_error(data, &g->c[FLAT], SGD_EPOCHS, o->seed, DRAWS);
    for (int i = 0; i < REPLICATED; i++) {
        double rate = 0;
        int epochs = 0;
        struct sgd_contestant c = replicated(i, RATE, SGD_EPOCHS);
        if (!c.variant || !match(data, i, error, o->seed, &rate, &epochs)) {
            fprintf(stderr, "%s: left out, %s\n", c.label,
                    c.variant ? "never reaches serial's error" : "the variant is not here");
            continue;
        }
        c = replicated(i, rate, epochs);
        sgd_add(g, &c);
    }
    sgd_time(g, o->rounds);
    fprintf(md,
            "\n%d rounds, contestants in random order, medians; ratios are taken round by round "
            "and are per network.\nReplicas are timed to serial's training error after %d epochs "
            "(%.4f, mean of %d draws), at the best rate up to R times serial's.\n",
            o->rounds, SGD_EPOCHS, error, DRAWS);
    write_table(md, g);
    struct stats_interval flat = sgd_ratio(g, &g->c[FLAT], SERIAL_O2);
    fprintf(md, "\nflat over serial, both -O2: %.2f (%.2f to %.2f), target 3.5%s.\n", flat.value,
            flat.low, flat.high, flat.value >= 3.5 ? ", met" : ", below");
    write_samples(csv, g);
    bool good = !g->wrong & sgd_effects(md, csv, g, o->quick, o->seed);
    write_errors(md, data, o->seed);
    sgd_close(g);
    free(g);
    return good;
}

static bool read_options(int argc, char **argv, struct options *o)
{
    static const struct option longs[] = {{"out", required_argument, NULL, 'o'},
                                          {"commit", required_argument, NULL, 'c'},
                                          {"rounds", required_argument, NULL, 'r'},
                                          {"seed", required_argument, NULL, 's'},
                                          {"quick", no_argument, NULL, 'q'},
                                          {"table1", no_argument, NULL, 't'},
                                          {NULL, 0, NULL, 0}};
    *o = (struct options){.out = "benchmarks/results", .commit = "unknown", .seed = 1};
    for (int c; (c = getopt_long(argc, argv, "", longs, NULL)) != -1;) {
        if (c == 'o')
            o->out = optarg;
        else if (c == 'c')
            o->commit = optarg;
        else if (c == 'r')
            o->rounds = atoi(optarg);
        else if (c == 's')
            o->seed = strtoull(optarg, NULL, 0);
        else if (c == 'q')
            o->quick = 1;
        else if (c == 't')
            o->table1 = 1;
        else
            return false;
    }
    if (o->rounds == 0)
        o->rounds = o->quick ? 7 : 25;
    return optind == argc && o->rounds > 0 && o->rounds <= SGD_MAX_ROUNDS;
}

static FILE *open_result(const struct options *o, const char *ending)
{
    char *path = hpc_printf("%s/%s-mlp%s%s", o->out, machine_here()->name,
                            o->table1 ? "-table1" : "", ending);
    FILE *f = fopen(path, "w");
    if (f)
        printf("%s\n", path);
    else
        perror(path);
    free(path);
    return f;
}

int main(int argc, char **argv)
{
    struct options o;
    if (!read_options(argc, argv, &o)) {
        fprintf(stderr, "usage: sgd [--out DIR] [--quick] [--rounds 1..%d] [--seed N] [--table1]\n",
                SGD_MAX_ROUNDS);
        return HPC_EXIT_USAGE;
    }
    struct sgd_data data = {.source = ""};
    sgd_load(&data, o.seed);
    FILE *md = open_result(&o, ".md"), *csv = open_result(&o, ".csv");
    if (!md || !csv)
        return HPC_EXIT_ENVIRONMENT;
    write_head(md, &o, &data, argc, argv);
    fprintf(csv, "group,program,round,networks,epochs,calls,seconds\n");
    bool good =
        o.table1 ? sgd_table1(md, csv, &data, o.seed, o.quick) : bench_paper(md, csv, &o, &data);
    fclose(md);
    fclose(csv);
    free(data.x);
    free(data.y);
    return good ? HPC_EXIT_OK : HPC_EXIT_BELOW;
}
