/* hpclab run on a device: reports, traffic, the floor of a copy. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>

#include "harness/trial/runner.h"
#include "harness/trial/checker_report.h"
#include "harness/verbs/run_words.h"
#include "common/stats.h"

/* A count, and of how many outputs; sectors and conflicts by request. */
static void print_line(const char *what, double count, const char *part, double parts,
                       double outputs)
{
    if (count <= 0)
        return;
    printf("      %-18s %12.0f requests  %9.4f an output", what, count, count / outputs);
    if (part)
        printf("  %12.0f %s, %.2f a request", parts, part, parts / count);
    putchar('\n');
}

static void print_traffic(const struct traffic *t, double outputs)
{
    for (int k = 0; k < t->n; k++) {
        const double *c = t->kernel[k].counter;
        printf("  traffic  %s: %.0f launch%s, %.0f threads\n", t->kernel[k].name,
               c[TRAFFIC_LAUNCHES], c[TRAFFIC_LAUNCHES] == 1 ? "" : "es", c[TRAFFIC_THREADS]);
        print_line("global loads", c[TRAFFIC_GLOBAL_LOAD_REQUESTS], "sectors",
                   c[TRAFFIC_GLOBAL_LOAD_SECTORS], outputs);
        print_line("global stores", c[TRAFFIC_GLOBAL_STORE_REQUESTS], "sectors",
                   c[TRAFFIC_GLOBAL_STORE_SECTORS], outputs);
        print_line("shared loads", c[TRAFFIC_SHARED_LOAD_REQUESTS], "conflicts",
                   c[TRAFFIC_SHARED_LOAD_CONFLICTS], outputs);
        print_line("shared stores", c[TRAFFIC_SHARED_STORE_REQUESTS], "conflicts",
                   c[TRAFFIC_SHARED_STORE_CONFLICTS], outputs);
        print_line("constants", c[TRAFFIC_CONSTANT_REQUESTS], NULL, 0, outputs);
        print_line("atomics", c[TRAFFIC_ATOMICS], NULL, 0, outputs);
    }
    if (t->n)
        printf("      a request is a warp's instruction, a sector 32 bytes of memory\n");
}

int run_print_reports(const char *output, const char *key, double outputs)
{
    struct checker_reports r;
    checker_reports_read(output, key, stdout, &r);
    if (outputs > 0 && r.faults == 0)
        print_traffic(&r.traffic, outputs);
    return r.faults;
}

double run_copy_seconds(const char *root, const struct exchange_spec *spec, int calls)
{
    struct build_result built;
    struct hpc_error err;
    struct outcome o = {0};
    if (!build_copy(root, spec->op, &built, &err))
        return 0;
    struct exchange_spec copy = *spec;
    copy.runner = built.output;
    build_runner_needs(&built, &copy);
    double *seconds = hpc_calloc((size_t)calls, sizeof *seconds), median = 0;
    struct exchange *x = exchange_open(&copy, &o);
    int n = 0;
    for (struct exchange_call call; x && n < calls; n++) {
        if (!exchange_run(x, (uint64_t)n, false, &call, &o))
            break;
        seconds[n] = call.seconds;
    }
    if (n > 0 && n == calls)
        median = stats_median(seconds, n);
    if (x)
        exchange_close(x, &o, NULL, 0);
    free(seconds);
    return median;
}
