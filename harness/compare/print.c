/* What two versions differ in, as tables. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "harness/compare/internal.h"

#define SHOWN 3    /* lines of a profile */
#define LEAST 0.01 /* of a time: no difference that is told is smaller */

char faster_of(const struct stats_interval *ratio, double noise)
{
    const double least = 1 + fmax(noise, LEAST);
    return ratio->low > least ? 'B' : ratio->high < 1 / least ? 'A' : '\0';
}

/* Samples in percent: of all lines, by what the threads did there. */
enum doing { RAN, CALLED, WAITED };
static double percent(const struct exchange_profile *p, enum doing what)
{
    double sum = 0;
    for (int i = 0; i < p->n; i++)
        sum += what == RAN      ? p->line[i].ran
               : what == CALLED ? p->line[i].called
                                : p->line[i].waited;
    return p->samples ? 100 * sum / p->samples : 0;
}

/* Lines of the staged copy by their number: "line 30 (41%)". */
static void print_lines(const struct side *s)
{
    const struct exchange_profile *p = &s->profile;
    printf("    %c spends it at", s->letter);
    for (int i = 0; i < p->n && i < SHOWN; i++) {
        const struct exchange_line *l = &p->line[i];
        const char *colon = strrchr(l->place, ':');
        printf("%s line %d (%.0f%%)", i ? "," : "", colon ? atoi(colon + 1) : 0,
               100.0 * (l->ran + l->called + l->waited) / p->samples);
    }
    printf("\n");
}

void print_profiles(const struct side side[2], int threads)
{
    static const char *const names[] = {"in its own code", "in what it calls", "asleep there"};
    const struct exchange_profile *a = &side[0].profile, *b = &side[1].profile;
    if (!side[0].profiled || !side[1].profiled) {
        printf("  counters: not seen, for calls are too few or too short\n");
        return;
    }
    char head[60];
    snprintf(head, sizeof head, "counters, of %d and %d samples", a->samples, b->samples);
    printf("  %-32s %7s  %7s\n", head, "A", "B");
    printf("    %-30s %7.2f  %7.2f\n", "threads that run, on average", a->running, b->running);
    for (int i = 0; i < 3 && (threads > 1 || i < WAITED); i++)
        printf("    %-30s %6.0f%%  %6.0f%%\n", names[i], percent(a, (enum doing)i),
               percent(b, (enum doing)i));
    printf("    %-30s %7d  %7d\n", "vector operations at its top", a->packed, b->packed);
    printf("    %-30s %7d  %7d\n", "scalar ones there", a->scalar, b->scalar);
    print_lines(&side[0]);
    print_lines(&side[1]);
}

static double total(const struct traffic *t, int counter)
{
    double sum = 0;
    for (int k = 0; k < t->n; k++)
        sum += t->kernel[k].counter[counter];
    return sum;
}

/* "global_load_sectors" without the underlines, which are for lab.ini. */
static char *words_of(const char *name)
{
    char *words = hpc_strdup(name);
    for (char *p = words; (p = strchr(p, '_')) != NULL;)
        *p = ' ';
    return words;
}

/* In a sentence: the sectors of global memory, in the direction of the times. */
static void print_moved(const struct task_traffic *a, const struct task_traffic *b)
{
    const double one = (total(&a->counted, TRAFFIC_GLOBAL_LOAD_SECTORS) +
                        total(&a->counted, TRAFFIC_GLOBAL_STORE_SECTORS)) /
                       a->outputs,
                 other = (total(&b->counted, TRAFFIC_GLOBAL_LOAD_SECTORS) +
                          total(&b->counted, TRAFFIC_GLOBAL_STORE_SECTORS)) /
                         b->outputs;
    if (other > 0)
        printf("  A moves %.3g times as many sectors of global memory as B: %s\n", one / other,
               one > other   ? "B moves fewer"
               : one < other ? "A moves fewer"
                             : "no difference");
}

void print_traffic(const struct side side[2])
{
    const struct task_traffic *a = &side[0].traffic, *b = &side[1].traffic;
    printf("  traffic per output, case %s\n  %-27s %10s %10s   %8s\n", a->case_name, "", "A", "B",
           "A over B");
    for (int c = 0; c < TRAFFIC_COUNTERS; c++) {
        const double one = total(&a->counted, c) / a->outputs;
        const double other = total(&b->counted, c) / b->outputs;
        if (c < TRAFFIC_GLOBAL_LOAD_REQUESTS || (one == 0 && other == 0))
            continue;
        char *words = words_of(traffic_names[c]);
        printf("    %-25s %10.4g %10.4g", words, one, other);
        if (other > 0)
            printf("   %8.3g\n", one / other);
        else
            printf("   %8s\n", "-");
        free(words);
    }
    for (int i = 0; i < 2; i++) {
        const double launches = total(&side[i].traffic.counted, TRAFFIC_LAUNCHES);
        printf("    %c launches %.0f kernel%s of %.0f threads in all\n", side[i].letter, launches,
               launches == 1 ? "" : "s", total(&side[i].traffic.counted, TRAFFIC_THREADS));
    }
    print_moved(a, b);
}
