/* hpclab run on a device: reports and traffic. */
#define _GNU_SOURCE
#include <stdio.h>

#include "harness/trial/checker_report.h"
#include "harness/verbs/run_words.h"

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
    checker_reports_read(output, key, stdout, NULL, &r);
    if (outputs > 0 && r.faults == 0)
        print_traffic(&r.traffic, outputs);
    return r.faults;
}
