/* Time over size, over threads; the memory's staircase. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/interrupt.h"
#include "common/ui.h"
#include "harness/bench/internal.h"
#include "harness/lab/case.h"
#include "harness/machine/machine.h"

bool bench_staircase(struct bench *b, struct hpc_error *err)
{
    FILE *f = bench_table(b, "staircase", "kib,nanoseconds", err);
    struct plot p = {.name = "staircase",
                     .title = "A load that waits for the one before it, over what it reads from",
                     .x = "KiB",
                     .y = "ns a load",
                     .at = "@ KiB",
                     .value = "@ ns",
                     .log_x = true,
                     .log_y = true};
    const size_t most = b->quick ? 32 << 10 : 256 << 10;
    for (size_t kib = 4; f && kib <= most && !hpc_interrupted(); kib *= 2) {
        ui_progress("memory: %zu KiB", kib);
        const double ns = ceiling_latency(kib);
        fprintf(f, "%zu,%.4g\n", kib, ns);
        plot_add(&p, "one core", (double)kib, ns, ns, ns);
    }
    plot_draw(b, &p);
    return f && fclose(f) == 0;
}

static void size_row(FILE *f, const struct contestant *w, const char *key, double value,
                     const struct stats_interval *t)
{
    fprintf(f, "\"%s\",%s,%.9g,%d,%.6g,%.6g,%.6g\n", w->name, key, value, w->trial->threads,
            t->value, t->low, t->high);
}

/* Whether all contestants that are timed have one problem, whose key says alone how large it is: 4
 * samples of a wide net are more than 274 of a narrow one. */
static bool one_problem(const struct bench *b)
{
    const struct lab_case *first = NULL;
    for (int i = 0; i < b->n; i++) {
        const struct lab_case *usual = bench_usual(b, b->who[i].task);
        if (!usual || !b->who[i].task->op->grows || !bench_timed(b, b->who[i].task))
            continue;
        first = first ? first : usual;
        if (usual != first)
            return false;
    }
    return true;
}

/* Millions of floating-point operations of a call. */
static double mflop_of(const struct bench *b, const struct contestant *w, const struct lab_case *c)
{
    struct ready_case ready;
    struct hpc_error err;
    struct hpc_cost cost = {0};
    if (case_ready(c, b->seed, w->trial->threads, &ready, &err))
        c->op->cost(ready.problem, &cost);
    return cost.flops / 1e6;
}

bool bench_sizes(struct bench *b, struct hpc_error *err)
{
    FILE *f = bench_table(b, "size", "variant,key,value,threads,seconds,low,high", err);
    struct plot p = {.name = "size",
                     .title = "Time of a call over the size of the problem",
                     .y = "seconds",
                     .value = "@",
                     .log_x = true,
                     .log_y = true};
    const bool one = one_problem(b);
    char at[80] = "@ MFLOP";
    p.at = at;
    const double most = b->quick ? 1 : 4, least = b->quick ? 0.25 : 0.125;
    for (int i = 0; f && i < b->n && !hpc_interrupted(); i++) {
        const struct contestant *w = &b->who[i];
        const struct lab_case *usual = bench_usual(b, w->task);
        const char *key = w->task->op->grows;
        const double base = usual ? bench_value(b, usual, key) : 0;
        if (!bench_timed(b, w->task) || base <= 0)
            continue;
        p.x = one ? key : "MFLOP of a call (the tasks have problems of their own)";
        if (one)
            snprintf(at, sizeof at, "%s = @", key);
        for (double times = least; times <= most; times *= 2) {
            struct stats_interval t;
            struct lab_case c;
            char value[24];
            snprintf(value, sizeof value, "%.0f", floor(base * times));
            if (!bench_case(b, usual, key, value, w->trial->threads, &c))
                continue;
            ui_progress("%s: %s=%s", w->name, key, value);
            if (hpc_interrupted() || !bench_time(b, w, &c, w->trial->threads, &t))
                break;
            size_row(f, w, key, floor(base * times), &t);
            const double x = one ? floor(base * times) : mflop_of(b, w, &c);
            if (x > 0)
                plot_add(&p, w->name, x, t.value, t.low, t.high);
        }
    }
    plot_draw(b, &p);
    return f && fclose(f) == 0;
}

#define MOST_THREADS 12 /* numbers of threads that are tried */
#define CURVE        32 /* pieces of the law's curve, up to twice as many */

/* T(p) = T(1) (s + (1 - s)/p): the serial fraction s by least squares. */
static double amdahl(const int *threads, const double *seconds, int n)
{
    double up = 0, down = 0;
    for (int i = 0; i < n; i++) {
        const double x = 1 - 1.0 / threads[i];
        up += (seconds[i] / seconds[0] - 1.0 / threads[i]) * x;
        down += x * x;
    }
    return down > 0 ? up / down : 1;
}

struct scaling {
    FILE *table, *fits;
    struct plot strong, weak;
};

/* The fit's curve, on to threads that this machine lacks, for through two points it goes without a
 * difference; and a line about it. Beyond 1 the threads are in each other's way. */
static void say_scaling(const struct contestant *w, struct scaling *s, const int *threads,
                        const double *seconds, int n)
{
    const double raw = amdahl(threads, seconds, n), serial = fmin(1, fmax(0, raw));
    const double up = seconds[0] / seconds[n - 1];
    const int most = threads[n - 1];
    char fit[BENCH_NAME + 40];
    snprintf(fit, sizeof fit, "Amdahl, serial %.1f%% (%s)", 100 * serial, w->name);
    for (int i = 0; i <= CURVE; i++) {
        const double p = 1 + (2 * most - 1.0) * i / CURVE;
        plot_add_model(&s->strong, fit, p, 1 / (serial + (1 - serial) / p));
    }
    fprintf(s->fits, "\"%s\",%d,%.4f,%.4f\n", w->name, n, raw, up / most);
    ui_progress_end();
    printf("  %s: %d threads are %.2f times as fast as one, efficiency %.0f%%; ", w->name, most, up,
           100 * up / most);
    if (raw > 1)
        printf("more threads are slower, which Amdahl's law does not know\n");
    else
        printf("by Amdahl's law %.0f%% of it is serial%s\n", 100 * serial,
               raw < 0 ? ", or less: they gain more than they are" : "");
}

/* One contestant with 1, 2, 4 .. threads: the same problem, and one that grows with them. */
static void scale(struct bench *b, const struct contestant *w, struct scaling *s)
{
    const struct lab_case *usual = bench_usual(b, w->task);
    const char *key = w->task->op->grows;
    const double base = bench_value(b, usual, key);
    const int most = w->trial->threads;
    int threads[MOST_THREADS], n = 0, weak = 0;
    double seconds[MOST_THREADS], first = 0;
    for (int t = 1; t <= most && n < MOST_THREADS; t = t < most && 2 * t > most ? most : 2 * t) {
        struct stats_interval strong, grown;
        struct lab_case c;
        char value[24];
        ui_progress("%s: %d thread%s", w->name, t, t == 1 ? "" : "s");
        if (hpc_interrupted() || !bench_time(b, w, usual, t, &strong))
            return;
        threads[n] = t;
        seconds[n++] = strong.value;
        const double up = seconds[0] / strong.value;
        fprintf(s->table, "\"%s\",strong,%d,%.9g,%.6g,%.6g,%.6g,%.4f,%.4f\n", w->name, t, base,
                strong.value, strong.low, strong.high, up, up / t);
        plot_add(&s->strong, w->name, t, up, seconds[0] / strong.high, seconds[0] / strong.low);
        snprintf(value, sizeof value, "%.0f", floor(base / most) * t);
        if (base < most || !bench_case(b, usual, key, value, t, &c) ||
            !bench_time(b, w, &c, t, &grown))
            continue;
        first = weak++ ? first : grown.value;
        fprintf(s->table, "\"%s\",weak,%d,%s,%.6g,%.6g,%.6g,,%.4f\n", w->name, t, value,
                grown.value, grown.low, grown.high, first / grown.value);
        plot_add(&s->weak, w->name, t, first / grown.value, first / grown.high, first / grown.low);
    }
    if (n > 1)
        say_scaling(w, s, threads, seconds, n);
}

/* A baseline of several threads is given to nobody. */
static bool scales(const struct bench *b, const struct contestant *w)
{
    return !lab_task_cuda(w->task) && w->trial->threads > 1 && bench_usual(b, w->task) &&
           strcmp(w->trial->whose, w->task->baseline) != 0;
}

bool bench_threads(struct bench *b, struct hpc_error *err)
{
    struct scaling s = {
        .strong = {.name = "speedup",
                   .title = "Speed-up over threads, the same problem",
                   .x = "threads",
                   .y = "times one thread",
                   .at = "@ threads",
                   .value = "@x"},
        .weak = {.name = "weak",
                 .title = "Efficiency over threads, a problem that grows with them",
                 .x = "threads",
                 .y = "time of one thread's part over time of all",
                 .at = "@ threads",
                 .value = "@"},
    };
    s.table = bench_table(b, "threads",
                          "variant,scaling,threads,size,seconds,low,high,speedup,efficiency", err);
    s.fits = bench_table(b, "amdahl", "variant,points,serial_fraction,efficiency", err);
    for (int i = 0; s.table && s.fits && i < b->n && !hpc_interrupted(); i++)
        if (scales(b, &b->who[i]))
            scale(b, &b->who[i], &s);
    plot_draw(b, &s.strong);
    plot_draw(b, &s.weak);
    const bool good = s.table && s.fits;
    return (!s.table || fclose(s.table) == 0) && (!s.fits || fclose(s.fits) == 0) && good;
}
