/* hpclab profile of any lab: see lines.h. */
#define _GNU_SOURCE
#include "harness/lines/lines.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/interrupt.h"
#include "common/random.h"
#include "common/text.h"
#include "common/ui.h"
#include "harness/lines/internal.h"

static struct line *line_of(struct lines *l, int number)
{
    for (int i = 0; i < l->n; i++)
        if (l->line[i].number == number)
            return &l->line[i];
    if (l->n == LINES_MOST)
        return NULL;
    l->line[l->n] = (struct line){.number = number};
    return &l->line[l->n++];
}

static void add_round(struct lines *l, const struct exchange_profile *p)
{
    for (int i = 0; i < p->n; i++) {
        const char *colon = strrchr(p->line[i].place, ':');
        struct line *line = line_of(l, colon ? atoi(colon + 1) : 0);
        if (!line)
            continue;
        line->ran += p->line[i].ran;
        line->called += p->line[i].called;
        line->waited += p->line[i].waited;
    }
    calls_add(l, p);
    for (int i = 0; i < EVENTS; i++) {
        l->events.has[i] |= p->events.has[i];
        l->events.n[i] += p->events.n[i];
    }
    l->events.error = p->events.error;
    l->looks += p->looks;
    l->samples += p->samples;
    l->running += p->running;
    l->ranks = p->ranks;
    l->rounds++;
}

static int most_first(const void *a, const void *b)
{
    const struct line *x = a, *y = b;
    const int n = x->ran + x->called + x->waited, m = y->ran + y->called + y->waited;
    return n != m ? m - n : x->number - y->number;
}

/* The student's words at each line, harmless on a terminal. */
static void read_words(struct lines *l, const char *path)
{
    FILE *f = fopen(path, "re");
    char *text = NULL;
    size_t room = 0;
    for (int number = 1; f && getline(&text, &room, f) >= 0; number++)
        for (int i = 0; i < l->n; i++)
            if (l->line[i].number == number) {
                text[strcspn(text, "\r\n")] = '\0';
                text_fit(l->line[i].text, LINES_TEXT, "%s", text + strspn(text, " \t"));
                hpc_harmless(l->line[i].text);
            }
    free(text);
    if (f)
        fclose(f);
}

static double percent(const struct lines *l, int samples)
{
    return 100.0 * samples / l->samples;
}

/* What Amdahl says if the line with most work cost nothing, and what gprof would not have seen. */
static void say(const struct lines *l, int threads)
{
    const struct line *top = &l->line[0];
    int called = 0, waited = 0, worked = 0;
    for (int i = 0; i < l->n; i++) {
        const struct line *k = &l->line[i];
        called += k->called;
        waited += k->waited;
        worked += k->ran + k->called;
        if (k->ran + k->called > top->ran + top->called)
            top = k;
    }
    const double share = worked ? (double)(top->ran + top->called) / worked : 0;
    if (share >= 0.999)
        printf(
            "  Amdahl: line %d is all of the work that was seen: whatever it gains, all gains.\n",
            top->number);
    else if (share > 0)
        printf(
            "  Amdahl: line %d is %.0f%% of the work. If it cost nothing, the work would be done "
            "%.2f times as fast; at twice its speed %.2f times.\n",
            top->number, 100 * share, 1 / (1 - share), 1 / (1 - share / 2));
    char *events = events_say(&l->events);
    printf("  events: %s.\n", events);
    free(events);
    printf("  gprof sees the program's own code alone: not the %.0f%% in libraries that it calls",
           percent(l, called));
    if (threads > 1)
        printf(", nor the %.0f%% in which threads sleep; %.1f of %d threads were at work",
               percent(l, waited), l->running / l->rounds, threads);
    printf(".\n");
}

static void print(const struct lines *l, const struct lab_task *task, const char *name, int threads)
{
    printf("%s%s/%s%s, %d samples at %d moments, ", ui_style(UI_BOLD), name, task->name,
           ui_style(UI_PLAIN), l->samples, l->looks);
    if (l->ranks)
        printf("rank 0 of %d\n", l->ranks);
    else
        printf("%d thread%s\n", threads, threads == 1 ? "" : "s");
    printf("   share   own  calls  asleep  line\n");
    for (int i = 0; i < l->n && i < LINES_SHOWN; i++) {
        const struct line *k = &l->line[i];
        printf("  %5.1f%%  %3.0f%%   %3.0f%%    %3.0f%%  %4d  %.50s\n",
               percent(l, k->ran + k->called + k->waited), percent(l, k->ran),
               percent(l, k->called), percent(l, k->waited), k->number, k->text);
    }
    int seen = 0;
    for (int i = 0; i < l->n; i++)
        seen += l->line[i].ran + l->line[i].called + l->line[i].waited;
    if (percent(l, l->samples - seen) >= 1)
        printf("  %5.1f%%  in no line of yours: before and after run(), or deep in a library\n",
               percent(l, l->samples - seen));
    calls_print(l);
    say(l, threads);
}

/* The case that is looked at: the speed case, that which asks for threads, else the one with most
 * arithmetic. */
static int usual_case(const struct lab *lab, const struct lab_task *task)
{
    struct ready_case ready;
    struct hpc_error none;
    int found = task->cases[0];
    double most = -1;
    if (task->speed_case >= 0 || task->threads_case >= 0)
        return task->speed_case >= 0 ? task->speed_case : task->threads_case;
    for (int i = 0; i < task->n_cases; i++) {
        const struct lab_case *c = &lab->cases[task->cases[i]];
        struct hpc_cost cost = {.flops = 0};
        if (!case_ready(c, 1, 1, &ready, &none))
            continue;
        c->op->cost(ready.problem, &cost);
        if (cost.flops > most) {
            most = cost.flops;
            found = task->cases[i];
        }
    }
    return found;
}

/* A task in C. */
static bool sample(struct project *p, const struct lab_task *task, const char *folder, int rounds,
                   struct hpc_error *err)
{
    struct lines *l = hpc_calloc(1, sizeof *l);
    struct lab_task own = *task;
    own.speed_case = usual_case(p->lab, task);
    struct trial *t = trial_open(p, &own, "student");
    char *source = hpc_printf("%s/labs/%s/%s", p->root, p->lab->name, task->file);
    struct outcome seen = trial_runner(t, BUILD_PLAIN)->outcome;
    bool good = seen.verdict == VERDICT_PASS;
    for (int i = 0; good && i < rounds && !hpc_interrupted(); i++) {
        struct exchange_profile profile;
        ui_progress("%s: looking where it is, round %d of %d", task->name, i + 1, rounds);
        if (trial_profile(t, hpc_random_seed(), &profile, &seen))
            add_round(l, &profile);
    }
    ui_progress_end();
    good = l->samples > 0 && l->n > 0;
    if (good) {
        qsort(l->line, (size_t)l->n, sizeof *l->line, most_first);
        calls_sort(l);
        read_words(l, source);
        print(l, task, p->lab->name, l->ranks ? 1 : t->threads);
        good = lines_write(l, folder, task->name, err) && calls_write(l, folder, task->name, err);
    } else {
        hpc_harmless(seen.reason);
        hpc_fail(err, "profile: %s: %s", task->name,
                 *seen.reason ? seen.reason
                              : "none of its calls could be looked at: ./grade says more");
    }
    free(source);
    trial_close(t);
    free(l);
    return good;
}

/* What is known of a task on the GPU besides, where the lab's are graded on one; else a line says
 * what is missing. True, for the counts of the CPU device are there. */
static bool on_gpu(struct project *p, const struct lab_task *task, const char *folder)
{
    struct hpc_error err;
    enum hpc_place device;
    if (lab_device(p->lab, "auto", &device, &err) && device == DEVICE_CUDA &&
        !lines_nsight(p, task, &p->lab->cases[usual_case(p->lab, task)], folder, &err))
        printf("  on the GPU: nothing by Nsight Compute: %s\n", err.text);
    return true;
}

bool lines_of_lab(struct project *p, const char *only, int rounds, struct hpc_error *err)
{
    const struct lab_task *named = only ? lab_task_find(p->lab, only) : NULL;
    if (only && (!named || named->kind != TASK_VARIANT)) {
        char *hint = lab_program_hint(p->lab, only);
        hpc_fail(err, "--only %s: %s has no variant task of that name%s", only, p->lab->name, hint);
        free(hint);
        return false;
    }
    char *folder = hpc_printf("%s/results/%s/profile", p->root, p->lab->name);
    bool good = folder_make(folder, err);
    int done = 0;
    for (int i = 0; good && i < p->lab->n_tasks && !hpc_interrupted(); i++) {
        const struct lab_task *task = &p->lab->tasks[i];
        if (task->kind != TASK_VARIANT || (named && task != named))
            continue;
        if (lab_task_cuda(task) ? lines_count(p, task, folder, err) && on_gpu(p, task, folder)
                                : sample(p, task, folder, rounds, err))
            done++;
        else
            hpc_report(err);
    }
    free(folder);
    return good && (done > 0 ||
                    hpc_fail(err, "profile: none of %s's files could be looked at", p->lab->name));
}
