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
    double copy, fma;   /* bytes and FLOPs a second; fma 0: not known, as of a GPU */
    double least, most; /* FLOPs a byte of those below it */
};
struct roofs {
    int n;
    struct roof roof[BENCH_MOST];
};

/* Over all that lie below it. */
static void draw_roof(struct plot *p, const struct roof *r)
{
    const char *name = r->name;
    const double least = r->least, most = r->most;
    if (r->fma > 0) {
        const double knee = r->fma / r->copy;
        const double from = fmin(least, knee) / 2, to = fmax(most, knee) * 2;
        plot_add(p, name, from, from * r->copy / 1e9, 0, 0);
        plot_add(p, name, knee, r->fma / 1e9, 0, 0);
        plot_add(p, name, to, r->fma / 1e9, 0, 0);
    } else {
        plot_add(p, name, least / 2, least / 2 * r->copy / 1e9, 0, 0);
        plot_add(p, name, most * 2, most * 2 * r->copy / 1e9, 0, 0);
    }
}

/* The peaks for a problem's type of numbers with so many threads; of a GPU the copy alone. */
static struct roof measure_roof(struct bench *b, const struct contestant *w,
                                const struct lab_case *c, const struct ready_case *ready,
                                const struct hpc_cost *cost)
{
    struct hpc_layout layout;
    struct roof r = {0};
    w->task->op->layout(ready->problem, &layout);
    if (lab_task_cuda(w->task)) {
        const struct case_try like = {.c = c, .ready = *ready};
        const double seconds = trial_copy_seconds(w->trial, &like, 5);
        r.copy = seconds > 0 ? cost->bytes / seconds : 0;
        return r;
    }
    const struct hpc_cost unit = {.flops = 1e9, .bytes = 0};
    r.fma = 1e9 / measure_floor(&unit, &layout, w->trial->threads);
    r.copy = copy_rate(w->trial->threads, b->quick);
    return r;
}

static char *roof_name(const struct contestant *w)
{
    if (lab_task_cuda(w->task))
        return hpc_strdup("copy on the GPU, measured");
    return hpc_printf("copy and FMA peaks, %d thread%s, measured", w->trial->threads,
                      w->trial->threads == 1 ? "" : "s");
}

static struct roof *find_roof(struct roofs *all, const char *name)
{
    for (int i = 0; i < all->n; i++)
        if (strcmp(all->roof[i].name, name) == 0)
            return &all->roof[i];
    return NULL;
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
    char *name = roof_name(w);
    struct roof *r = find_roof(all, name);
    if (!r) {
        r = &all->roof[all->n++];
        *r = measure_roof(b, w, c, &ready, &cost);
        r->least = r->most = x;
        text_fit(r->name, sizeof r->name, "%s", name);
        fprintf(ceilings, "\"%s\",%.6g,%.6g\n", name, r->copy / 1e9, r->fma / 1e9);
        ui_progress_end();
        printf("  %s: %.1f GB/s, %.1f GFLOP/s\n", name, r->copy / 1e9, r->fma / 1e9);
    }
    r->least = fmin(r->least, x);
    r->most = fmax(r->most, x);
    plot_add(p, w->name, x, cost.flops / t.value / 1e9, cost.flops / t.high / 1e9,
             cost.flops / t.low / 1e9);
    fprintf(f, "\"%s\",%s,%.6g,%.6g,%.6g,%.6g,%.6g\n", w->name, c->name, cost.flops, cost.bytes, x,
            t.value, cost.flops / t.value / 1e9);
    free(name);
}

bool bench_roofline(struct bench *b, struct hpc_error *err)
{
    FILE *f = bench_table(b, "roofline",
                          "variant,case,flops,bytes,flops_per_byte,seconds,gflops_per_second", err);
    FILE *ceilings =
        bench_table(b, "ceilings", "what,copy_gb_per_second,fma_gflops_per_second", err);
    struct roofs all = {0};
    struct plot p = {.name = "roofline",
                     .title = "Roofline: FLOPs of the method over its compulsory bytes",
                     .x = "FLOP a byte",
                     .y = "GFLOP/s",
                     .log_x = true,
                     .log_y = true};
    for (int i = 0; f && ceilings && i < b->n && !hpc_interrupted(); i++)
        place(b, &b->who[i], f, ceilings, &p, &all);
    for (int i = 0; i < all.n; i++)
        draw_roof(&p, &all.roof[i]);
    plot_draw(b, &p);
    const bool good = f && ceilings;
    return (!f || fclose(f) == 0) && (!ceilings || fclose(ceilings) == 0) && good;
}
