/* A roofline: measured ceilings, and each variant by its operation's FLOPs and compulsory bytes. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/interrupt.h"
#include "common/text.h"
#include "common/ui.h"
#include "harness/bench/internal.h"
#include "harness/lab/case.h"
#include "harness/machine/copy.h"

struct roof {
    char name[BENCH_NAME];
    int threads;        /* that it is of; 0: the GPU's */
    double copy, peak;  /* bytes and FLOPs a second */
    double least, most; /* FLOPs a byte of those below it */
};
struct roofs {
    int n;
    struct roof roof[BENCH_MOST];
};

/* Over all that lie below it, and all as far as the farthest knee. */
static void draw_roofs(struct plot *p, const struct roofs *all)
{
    double to = 0;
    for (int i = 0; i < all->n; i++)
        to = fmax(to, 2 * fmax(all->roof[i].most, all->roof[i].peak / all->roof[i].copy));
    for (int i = 0; i < all->n; i++) {
        const struct roof *r = &all->roof[i];
        const double knee = r->peak / r->copy, from = fmin(r->least, knee) / 2;
        plot_add(p, r->name, from, from * r->copy / 1e9, 0, 0);
        plot_add(p, r->name, knee, r->peak / 1e9, 0, 0);
        plot_add(p, r->name, to, r->peak / 1e9, 0, 0);
    }
}

/* That a variant of so many FLOPs a byte lies below the roofs of so many threads; false: there are
 * none yet. */
static bool widen(struct roofs *all, int threads, double x)
{
    bool some = false;
    for (int i = 0; i < all->n; i++) {
        struct roof *r = &all->roof[i];
        if (r->threads != threads)
            continue;
        r->least = r->most > 0 ? fmin(r->least, x) : x;
        r->most = fmax(r->most, x);
        some = true;
    }
    return some;
}

/* A roof of that name, which the table and the screen get, too. */
static void add_roof(struct roofs *all, FILE *ceilings, struct roof r)
{
    if (all->n == BENCH_MOST)
        return;
    all->roof[all->n++] = r;
    fprintf(ceilings, "\"%s\",%.6g,%.6g\n", r.name, r.copy / 1e9, r.peak / 1e9);
    ui_progress_end();
    printf("  %s: %.1f GB/s, %.1f GFLOP/s\n", r.name, r.copy / 1e9, r.peak / 1e9);
}

/* A roof for each unit of the GPU that could be measured. */
static void add_gpu_roofs(struct roofs *all, FILE *ceilings, const struct contestant *w,
                          const struct case_try *like)
{
    static const char *const units[TRIAL_PEAKS] = {
        [TRIAL_FMA] = "FMA",
        [TRIAL_TF32] = "TF32 matrix",
        [TRIAL_HALF] = "half matrix",
    };
    ui_progress("roofline: the GPU's copy");
    const double copy = trial_peak(w->trial, TRIAL_COPY, like);
    for (int u = TRIAL_FMA; u < TRIAL_PEAKS && copy > 0; u++) {
        ui_progress("roofline: the GPU's %s peak", units[u]);
        struct roof r = {.copy = copy, .peak = trial_peak(w->trial, u, like)};
        text_fit(r.name, sizeof r.name, "copy and %s peaks on the GPU, measured", units[u]);
        if (r.peak > 0)
            add_roof(all, ceilings, r);
    }
}

/* The peaks of so many threads for a problem's type of numbers. */
static void add_host_roof(struct roofs *all, FILE *ceilings, const struct bench *b,
                          const struct contestant *w, const void *problem)
{
    const struct hpc_cost unit = {.flops = 1e9, .bytes = 0};
    const int threads = w->trial->threads;
    struct hpc_layout layout;
    w->task->op->layout(problem, &layout);
    struct roof r = {.threads = threads,
                     .copy = copy_rate(threads, b->quick),
                     .peak = 1e9 / measure_floor(&unit, &layout, threads)};
    text_fit(r.name, sizeof r.name, "copy and FMA peaks, %d thread%s, measured", threads,
             threads == 1 ? "" : "s");
    add_roof(all, ceilings, r);
}

/* One contestant's point, below its roof. */
static void place(struct bench *b, const struct contestant *w, FILE *f, FILE *ceilings,
                  struct plot *p, struct roofs *all)
{
    const struct lab_case *c = bench_usual(b, w->task);
    struct stats_interval t;
    struct ready_case ready;
    struct hpc_cost cost;
    struct hpc_error err;
    if (!c || !bench_timed(b, w->task) || !case_ready(c, b->seed, w->trial->threads, &ready, &err))
        return;
    c->op->cost(ready.problem, &cost);
    ui_progress("roofline: %s", w->name);
    if (cost.flops <= 0 || cost.bytes <= 0 || !bench_time(b, w, c, w->trial->threads, &t))
        return;
    const double x = cost.flops / cost.bytes;
    const int threads = lab_task_cuda(w->task) ? 0 : w->trial->threads;
    if (!widen(all, threads, x)) {
        if (threads == 0)
            add_gpu_roofs(all, ceilings, w, &(struct case_try){.c = c, .ready = ready});
        else
            add_host_roof(all, ceilings, b, w, ready.problem);
        widen(all, threads, x);
    }
    plot_add(p, w->name, x, cost.flops / t.value / 1e9, cost.flops / t.high / 1e9,
             cost.flops / t.low / 1e9);
    fprintf(f, "\"%s\",%s,%.6g,%.6g,%.6g,%.6g,%.6g\n", w->name, c->name, cost.flops, cost.bytes, x,
            t.value, cost.flops / t.value / 1e9);
}

bool bench_roofline(struct bench *b, struct hpc_error *err)
{
    FILE *f = bench_table(b, "roofline",
                          "variant,case,flops,bytes,flops_per_byte,seconds,gflops_per_second", err);
    FILE *ceilings =
        bench_table(b, "ceilings", "what,copy_gb_per_second,peak_gflops_per_second", err);
    struct roofs all = {0};
    struct plot p = {.name = "roofline",
                     .title = "Roofline: FLOPs of the method over its compulsory bytes",
                     .x = "FLOP a byte",
                     .y = "GFLOP/s",
                     .at = "@ FLOP a byte",
                     .value = "@ GFLOP/s",
                     .log_x = true,
                     .log_y = true};
    for (int i = 0; f && ceilings && i < b->n && !hpc_interrupted(); i++)
        place(b, &b->who[i], f, ceilings, &p, &all);
    draw_roofs(&p, &all);
    plot_draw(b, &p);
    const bool good = f && ceilings;
    return (!f || fclose(f) == 0) && (!ceilings || fclose(ceilings) == 0) && good;
}
