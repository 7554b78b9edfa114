/* hpclab explain: what a task's last verdict means, why it was given, and what to try. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>

#include "harness/lab/lab.h"
#include "common/nearest.h"
#include "harness/record/explained.h"
#include "harness/record/record.h"
#include "harness/record/score.h"
#include "common/text.h"
#include "common/ui.h"
#include "harness/verbs/verbs.h"
#include "harness/view/view.h"

static const struct option_row rows[] = {{0}};
const struct option_table explain_options = {
    .command = "./hpclab explain",
    .words = "TASK|WORD",
    .title = "what a task's last verdict means and what to try, or a word",
    .about = "What the last grading of a task, TASK or LAB/TASK, found, what that verdict means, "
             "and what to try; or what a WORD of the glossary of handouts/basics.md means.",
    .examples = "./hpclab explain lab3/openmp_trainer\n./hpclab explain sector",
    .least = 1,
    .most = 1,
    .expected = "one task, such as lab3/openmp_trainer, or a word",
    .rows = rows,
};

static const struct task_result *find_task(const struct record *r, const char *task)
{
    for (int i = 0; i < r->n_tasks; i++)
        if (strcmp(r->tasks[i].name, task) == 0)
            return &r->tasks[i];
    return NULL;
}

/* The newest record of `lab` (NULL: of any) that holds the task, into *r. 1: found, 0: there is
 * none, -1: a record is broken. */
static int newest_record(const char *root, const char *lab, const char *task, struct record *r,
                         time_t *when, struct hpc_error *err)
{
    char names[64][LAB_NAME];
    struct record *candidate = hpc_malloc(sizeof *candidate);
    int n = lab_names(root, names, 64), found = 0;
    for (int i = 0; i < n && found >= 0; i++) {
        struct stat s;
        char *path = hpc_printf("%s/results/%s/record.json", root, names[i]);
        bool wanted = (!lab || strcmp(lab, names[i]) == 0) && stat(path, &s) == 0;
        if (wanted && !record_read(path, candidate, err)) {
            found = -1;
        } else if (wanted && find_task(candidate, task) && (!found || s.st_mtime > *when)) {
            *r = *candidate;
            *when = s.st_mtime;
            found = 1;
        }
        free(path);
    }
    free(candidate);
    return found;
}

static void unknown_task(bool is_lab, const char *task, const char *lab, const char *near,
                         const char *const *words, int n, struct hpc_error *err)
{
    struct text all = {0};
    for (int i = 0; lab && i < n; i++)
        text_list(&all, ", ", words[i]);
    if (is_lab)
        hpc_fail(err, "explain: %s is a lab, name a task of it as %s/TASK; expected one of %s", lab,
                 lab, text_string(&all));
    else if (near)
        hpc_fail(err, "unknown task '%.40s', did you mean '%s'?", task, near);
    else if (lab)
        hpc_fail(err, "unknown task '%.40s', expected one of %s's: %s", task, lab,
                 text_string(&all));
    else
        hpc_fail(err, "unknown task '%.40s', expected one of ./hpclab list LAB, or a word", task);
    text_free(&all);
}

/* No record holds it: is it a task at all? */
static int not_graded(struct project *p, const char *only_lab, const char *task)
{
    char names[64][LAB_NAME];
    static char tasks[64 * LAB_MAX_TASKS][LAB_NAME];
    const char *words[64 * LAB_MAX_TASKS], *in = NULL;
    struct hpc_error err;
    int n = lab_names(p->root, names, 64), n_words = 0;
    bool good = true, is_lab = false;
    for (int i = 0; i < n && !only_lab; i++)
        is_lab |= strcmp(names[i], task) == 0;
    only_lab = is_lab ? task : only_lab;
    if (only_lab)
        good = project_lab(p, only_lab, &err);
    for (int i = 0; i < n && good; i++) {
        if ((only_lab && strcmp(only_lab, names[i]) != 0) || !project_lab(p, names[i], &err))
            continue;
        for (int t = 0; t < p->lab->n_tasks; t++) {
            snprintf(tasks[n_words], LAB_NAME, "%s", p->lab->tasks[t].name);
            words[n_words] = tasks[n_words];
            n_words++;
        }
        if (lab_task_find(p->lab, task))
            in = names[i];
    }
    if (!good)
        return hpc_report(&err);
    const char *near = nearest_word(task, words, n_words);
    if (in)
        hpc_fail(&err, "%s/%s was not graded yet, expected `make %s && ./grade` before", in, task,
                 in);
    else
        unknown_task(is_lab, task, only_lab, near, words, n_words, &err);
    return hpc_report(&err);
}

/* What has lines of its own, such as a compiler's, keeps them. */
static void print_row(const char *label, const char *words)
{
    char columns[48];
    snprintf(columns, sizeof columns, "%-10s ", label);
    if (strchr(words, '\n'))
        printf("%s%s\n", columns, words);
    else
        ui_row(columns, words);
}

static void print_curve(const struct task_speed *s, const char *curve)
{
    char *words = hpc_printf("%s (%s)", curve, s->target_source);
    print_row("", words);
    free(words);
}

static void print_speed(const struct task_speed *s)
{
    char student[16], baseline[16], curve[120], line[300], ratio[60];
    if (!s->measured)
        return;
    record_ratio(s, ratio, sizeof ratio);
    const int digits = (int)strcspn(ratio, " ");
    if (s->of_copy) {
        text_fit(line, sizeof line,
                 "%s, a copy of as many bytes %s: %.*s of its speed, 95%% of it in %s, %d pairs",
                 ui_seconds(s->student_s, student, sizeof student),
                 ui_seconds(s->baseline_s, baseline, sizeof baseline), digits, ratio,
                 ratio + digits + 1, s->pairs);
        print_row("speed", line);
        score_share_explain(s->target, curve, sizeof curve);
        print_curve(s, curve);
        return;
    }
    text_fit(line, sizeof line, "%s against the baseline's %s: %.*s, 95%% of it in %s, %d pairs",
             ui_seconds(s->student_s, student, sizeof student),
             ui_seconds(s->baseline_s, baseline, sizeof baseline), digits, ratio,
             ratio + digits + 1, s->pairs);
    print_row("speed", line);
    if (s->target < LAB_LEAST_TARGET)
        return;
    score_explain(s->target, curve, sizeof curve);
    print_curve(s, curve);
}

static void print_traffic(const struct task_traffic *t)
{
    char mark[300];
    for (int i = 0; t->measured && i < t->n; i++) {
        record_mark(&t->mark[i], mark, sizeof mark);
        printf("traffic    %s %s (case %s)\n", t->mark[i].met ? ui_tick() : ui_cross(), mark,
               t->case_name);
    }
}

/* Races in it, as two lanes of time: as its last grading under the checker saw them. */
static void print_races(struct project *p, const struct record *r, const struct task_result *t)
{
    struct hpc_error ignored;
    const enum verdict v = t->outcome.verdict;
    if ((v != VERDICT_UNSAFE && v != VERDICT_WRONG) || !project_lab(p, r->lab, &ignored))
        return;
    const struct lab_task *task = lab_task_find(p->lab, t->name);
    if (!task)
        return;
    struct text timelines = {0};
    char *reports = hpc_printf("%s/results/%s/%s.jsonl", p->root, r->lab, t->name);
    char *file = hpc_printf("labs/%s/%s", r->lab, task->file);
    view_timelines(reports, p->root, file, &timelines);
    fputs(text_string(&timelines), stdout);
    text_free(&timelines);
    free(file);
    free(reports);
}

/* The words with LAB, TASK, FILE and IMPL in them as what they are here; make's LAB= stays. */
static void print_words(const char *words, const struct record *r, const struct task_result *t,
                        const char *file)
{
    const char *const names[][2] = {
        {"LAB", r->lab}, {"TASK", t->name}, {"FILE", file}, {"IMPL", r->implementation}};
    struct text text = {0};
    for (const char *p = words; *p;) {
        size_t n = 0;
        for (size_t i = 0; i < sizeof names / sizeof *names && n == 0; i++)
            if (strncmp(p, names[i][0], strlen(names[i][0])) == 0 &&
                p[strlen(names[i][0])] != '=') {
                n = strlen(names[i][0]);
                text_add(&text, "%s", names[i][1]);
            }
        if (n == 0)
            text_add(&text, "%c", *p);
        p += n ? n : 1;
    }
    ui_paragraph(0, "", text_string(&text));
    text_free(&text);
}

/* What its verdict means for a task of its kind. */
static void print_meaning(struct project *p, const struct record *r, const struct task_result *t)
{
    struct hpc_error ignored;
    const struct lab_task *task =
        project_lab(p, r->lab, &ignored) ? lab_task_find(p->lab, t->name) : NULL;
    const bool cuda = task && lab_task_cuda(task);
    const enum explain_kind kind = !task                        ? EXPLAIN_C
                                   : task->kind == TASK_ANSWERS ? EXPLAIN_SHEET
                                   : cuda                       ? EXPLAIN_CUDA
                                                                : EXPLAIN_C;
    const struct explanation *e = explained_words(t, kind);
    putchar('\n');
    print_words(e->means, r, t, task ? task->file : "your file");
    print_words(e->advice, r, t, task ? task->file : "your file");
}

static void print_task(const struct record *r, const struct task_result *t, time_t when)
{
    char date[32], line[300], points[60];
    struct tm local;
    bool good = t->outcome.verdict == VERDICT_PASS;
    strftime(date, sizeof date, "%Y-%m-%d %H:%M", localtime_r(&when, &local));
    printf("%s%s/%s%s  %s\n", ui_style(UI_BOLD), r->lab, t->name, ui_style(UI_PLAIN), t->title);
    record_task_points(t, points, sizeof points);
    text_fit(line, sizeof line, "%s, %s, hpclab %s, %s points", date, r->implementation, r->version,
             points);
    if (t->pending > 0)
        text_fit(line, sizeof line, "%s, %g pending", line, t->pending);
    print_row("graded", line);
    printf("verdict    %s%s%s\n", ui_style(good ? UI_GOOD : UI_BAD),
           verdict_names[t->outcome.verdict], ui_style(UI_PLAIN));
    if (t->correctness.cases > 0)
        printf("cases      %d of %d right\n", t->correctness.passed, t->correctness.cases);
    if (*t->outcome.reason)
        print_row("reason", t->outcome.reason);
    if (*t->correctness.first_failure &&
        strcmp(t->correctness.first_failure, t->outcome.reason) != 0)
        print_row("first", t->correctness.first_failure);
    if (*t->safety)
        print_row("safety", t->safety);
    print_traffic(&t->traffic);
    print_speed(&t->speed);
    if (*t->outcome.hint)
        print_row("hint", t->outcome.hint);
    if (*t->reproduce)
        printf("again      %s\n", t->reproduce);
}

static int explain(struct project *p, const char *word)
{
    char lab[LAB_NAME] = "", words[512];
    struct hpc_error err;
    time_t when = 0;
    const char *slash = strchr(word, '/'), *task = slash ? slash + 1 : word;
    if (slash)
        snprintf(lab, sizeof lab, "%.*s", (int)(slash - word), word);
    struct record *r = hpc_calloc(1, sizeof *r);
    int found = newest_record(p->root, slash ? lab : NULL, task, r, &when, &err);
    int status = HPC_EXIT_OK;
    if (found > 0) {
        print_task(r, find_task(r, task), when);
        print_meaning(p, r, find_task(r, task));
        print_races(p, r, find_task(r, task));
    } else if (found == 0 && glossary_words(p->root, word, words, sizeof words))
        print_row(word, words);
    else
        status = found < 0 ? hpc_report(&err) : not_graded(p, slash ? lab : NULL, task);
    free(r);
    return status;
}

int verb_explain(struct project *p, int argc, char **argv)
{
    struct hpc_error err;
    int go = options_read(&explain_options, &argc, &argv, NULL, &err);
    if (go <= 0)
        return go ? hpc_report(&err) : HPC_EXIT_OK;
    return explain(p, argv[0]);
}
