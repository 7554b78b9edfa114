/* Of 2D convolutions: a variant against its baseline over layers of a network and over sparsity; by
 * time on a GPU, else by the sectors that the CPU device counts. */
#define _GNU_SOURCE
#include <stdlib.h>
#include <string.h>

#include "common/interrupt.h"
#include "common/text.h"
#include "common/ui.h"
#include "harness/bench/internal.h"

static double sectors(const struct task_traffic *t)
{
    double sum = 0;
    for (int k = 0; k < t->counted.n; k++)
        sum += t->counted.kernel[k].counter[TRAFFIC_GLOBAL_LOAD_SECTORS] +
               t->counted.kernel[k].counter[TRAFFIC_GLOBAL_STORE_SECTORS];
    return sum;
}

/* What a case costs: seconds, or sectors; 0 where it does not come to its end. */
static double cost_of(struct bench *b, const struct contestant *w, const struct lab_case *c)
{
    struct stats_interval t;
    struct task_traffic traffic;
    struct outcome o = {.verdict = VERDICT_PASS};
    if (bench_timed(b, w->task))
        return bench_time(b, w, c, w->trial->threads, &t) ? t.value : 0;
    if (trial_traffic(w->trial, c, b->seed, &traffic, &o))
        return sectors(&traffic);
    hpc_harmless(o.reason);
    ui_progress_end();
    printf("  left out: %s: %s\n", w->name, o.reason);
    return 0;
}

/* All keys of "c=4 h=32 k=8". */
static bool set_words(const struct bench *b, const struct lab_case *from, const char *words,
                      struct lab_case *c)
{
    char *copy = hpc_strdup(words), *rest = copy, *word;
    bool good = true;
    *c = *from;
    while (good && (word = strtok_r(rest, " ", &rest)) != NULL) {
        char *equals = strchr(word, '=');
        struct lab_case before = *c;
        *equals = '\0';
        good = bench_case(b, &before, word, equals + 1, 1, c);
    }
    free(copy);
    return good;
}

/* One contestant over the points of a list, "c=4 h=32; c=8 h=16", against the baseline there. */
static void sweep(struct bench *b, const struct contestant *w, const struct contestant *base,
                  const char *kind, const char *list, FILE *f, struct plot *p)
{
    char *copy = hpc_strdup(list), *rest = copy, *words;
    const struct lab_case *usual = bench_usual(b, w->task);
    const bool timed = bench_timed(b, w->task);
    struct lab_case c;
    for (int i = 1; usual && (words = strtok_r(rest, ";", &rest)) != NULL; i++) {
        words += *words == ' ';
        if (hpc_interrupted() || !set_words(b, usual, words, &c))
            continue;
        ui_progress("%s: %s", w->name, words);
        const double theirs = cost_of(b, base, &c), own = theirs > 0 ? cost_of(b, w, &c) : 0;
        if (own <= 0)
            break;
        const double x = strchr(words, ' ') ? i : strtod(strchr(words, '=') + 1, NULL);
        fprintf(f, "\"%s\",%s,%s,%s,%.6g,%.6g,%.4f\n", w->name, kind, words,
                timed ? "seconds" : "sectors", own, theirs, theirs / own);
        plot_add(p, w->name, x, theirs / own, 0, 0);
    }
    free(copy);
}

static const struct contestant *baseline_of(const struct bench *b, const struct contestant *w)
{
    for (int i = 0; i < b->n; i++)
        if (strcmp(b->who[i].trial->whose, w->task->baseline) == 0)
            return &b->who[i];
    return NULL;
}

bool bench_ratios(struct bench *b, struct hpc_error *err)
{
    const bool gpu = b->device == DEVICE_CUDA;
    FILE *f = NULL;
    struct plot layers = {.name = "layers",
                          .title = gpu ? "Times faster than the baseline, over layers"
                                       : "Fewer sectors than the baseline, over layers",
                          .x = "layer, of those in ratios.csv",
                          .y = "baseline over variant",
                          .at = "layer @",
                          .value = "@x"};
    struct plot sparsity = {.name = "sparsity",
                            .title = gpu ? "Times faster than the baseline, over sparsity"
                                         : "Fewer sectors than the baseline, over sparsity",
                            .x = "share of zeros",
                            .y = "baseline over variant",
                            .at = "a share of @",
                            .value = "@x"};
    for (int i = 0; i < b->n && !hpc_interrupted(); i++) {
        const struct contestant *w = &b->who[i], *base = baseline_of(b, w);
        const struct hpc_op *op = w->task->op;
        if (!base || base == w || !op->layers)
            continue;
        if (!f &&
            !(f = bench_table(b, "ratios",
                              "variant,sweep,problem,unit,variant_cost,baseline_cost,ratio", err)))
            return false;
        sweep(b, w, base, "layers", op->layers, f, &layers);
        sweep(b, w, base, "sparsity", op->thins, f, &sparsity);
    }
    plot_draw(b, &layers);
    plot_draw(b, &sparsity);
    return !f || fclose(f) == 0;
}
