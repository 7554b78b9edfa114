/* A task in CUDA: times of the CPU device say nothing, its counts do. By kernel, by line, and the
 * dearest requests lane by lane. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "common/text.h"
#include "common/ui.h"
#include "harness/lines/internal.h"
#include "harness/view/view.h"

#define MAPS 2 /* requests that are drawn */

static void print_kernel(const struct traffic_kernel *k)
{
    static const struct {
        const char *name, *unit;
        enum traffic_counter requests;
        double best; /* units a request of neighbours; */
    } kinds[] = {{"global loads", "sectors", TRAFFIC_GLOBAL_LOAD_REQUESTS, 4},
                 {"global stores", "sectors", TRAFFIC_GLOBAL_STORE_REQUESTS, 4},
                 {"shared loads", "extra passes", TRAFFIC_SHARED_LOAD_REQUESTS, 0},
                 {"shared stores", "extra passes", TRAFFIC_SHARED_STORE_REQUESTS, 0}};
    char name[80];
    text_fit(name, sizeof name, "%s", k->name);
    hpc_harmless(name);
    printf("  %s: %.0f launch%s, %.0f threads\n", name, k->counter[TRAFFIC_LAUNCHES],
           k->counter[TRAFFIC_LAUNCHES] > 1 ? "es" : "", k->counter[TRAFFIC_THREADS]);
    for (int i = 0; i < 4; i++) {
        const double n = k->counter[kinds[i].requests], units = k->counter[kinds[i].requests + 1];
        if (n > 0)
            printf("    %-14s %10.0f requests, %.2f %s each%s\n", kinds[i].name, n, units / n,
                   kinds[i].unit, units / n > 2 * kinds[i].best + 0.5 ? ", fewer would do" : "");
    }
    if (k->counter[TRAFFIC_CONSTANT_REQUESTS] > 0)
        printf("    %-14s %10.0f requests\n", "constant loads",
               k->counter[TRAFFIC_CONSTANT_REQUESTS]);
}

/* What a request of the line takes. */
static void print_cost(const struct view_line *l)
{
    const double each = l->requests > 0 ? l->units / l->requests : 0;
    const bool extra = view_shared(l) || strcmp(view_unit(l), "word") == 0;
    printf("%6.2f %-8s", each + extra, view_shared(l) ? "passes" : extra ? "words" : "sectors");
}

static void print_line(const struct view_line *l, const char *file, const char *source)
{
    struct view_source around = {0};
    if (strcmp(l->file, file) == 0)
        view_source(source, l->line, &around);
    const int at = l->line - around.from;
    const double lanes = l->requests > 0 ? l->lanes / l->requests : 0;
    printf("  %4d  %-13.13s %9.0f ", l->line, l->access, l->requests);
    print_cost(l);
    printf(" %4.0f  %.26s\n", lanes,
           at >= 0 && at < around.n ? around.words[at] + strspn(around.words[at], " ") : l->file);
}

/* Every line that asks memory for something, and what the dearest requests look like. */
static void print_lines(const struct view *v, const char *file, const char *source)
{
    const char *kernel = "";
    int number[MAPS];
    for (int i = 0; i < v->n_lines; i++) {
        const struct view_line *l = &v->line[i];
        if (strcmp(kernel, l->kernel) != 0)
            printf("  %s, line by line:\n  line  access         requests  each takes      lanes\n",
                   l->kernel);
        kernel = l->kernel;
        print_line(l, file, source);
    }
    const int n = view_wasteful(v, number, MAPS);
    for (int i = 0; i < n; i++) {
        const struct view_line *l = &v->line[number[i]];
        struct text t = {0};
        char words[200];
        view_sentence(l, words, sizeof words);
        printf("  line %d, %s:\n    %s\n", l->line, l->access, words);
        view_lanes(l, &t);
        fputs(text_string(&t), stdout);
        text_free(&t);
    }
    if (v->n_lines && !n)
        printf("  no line of it takes more sectors or passes than neighbours would.\n");
}

/* The checker's own lines, kept in results/LAB/profile/TASK.jsonl. */
static bool look(struct project *p, const struct lab_task *task, const char *reports,
                 struct task_traffic *traffic, struct outcome *o, struct hpc_error *err)
{
    const int at = task->traffic_case >= 0 ? task->traffic_case : task->cases[0];
    struct trial *t = trial_open(p, task, "student");
    t->reports = fopen(reports, "we");
    t->by_line = true;
    bool good = t->reports || hpc_fail_env(err, "cannot write %s: %s", reports, strerror(errno));
    if (good) {
        ui_progress("%s: counting traffic", task->name);
        good = trial_traffic(t, &p->lab->cases[at], hpc_random_seed(), traffic, o);
        ui_progress_end();
        hpc_harmless(o->reason);
        if (!good)
            hpc_fail(err, "profile: %s: %s", task->name, o->reason);
        fclose(t->reports);
    }
    trial_close(t);
    return good;
}

bool lines_count(struct project *p, const struct lab_task *task, const char *folder,
                 struct hpc_error *err)
{
    struct task_traffic traffic;
    struct outcome o = {.verdict = VERDICT_PASS};
    struct view *v = hpc_calloc(1, sizeof *v);
    char *reports = hpc_printf("%s/%s.jsonl", folder, task->name);
    char *file = hpc_printf("labs/%s/%s", p->lab->name, task->file);
    char *source = view_file(p->root, file);
    bool good = look(p, task, reports, &traffic, &o, err);
    if (good) {
        printf("%s%s/%s%s, case %s, counted on the CPU device\n", ui_style(UI_BOLD), p->lab->name,
               task->name, ui_style(UI_PLAIN), traffic.case_name);
        for (int i = 0; i < traffic.counted.n; i++)
            print_kernel(&traffic.counted.kernel[i]);
        view_read(reports, v);
        print_lines(v, file, source);
        good = lines_draw_lanes(v, folder, task->name, err);
    }
    free(source);
    free(file);
    free(reports);
    free(v);
    return good;
}
