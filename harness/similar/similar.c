/* Submissions that are alike: what is compared, and in what order pairs come out. */
#define _GNU_SOURCE
#include "harness/similar/similar.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/command.h"
#include "common/scratch.h"
#include "common/text.h"
#include "harness/build/build.h"
#include "harness/handin/handin.h"
#include "harness/similar/given.h"

#define LEAST_SHARE 0.2 /* of the shorter text: a pair that shares less is left out */
#define SECONDS     10  /* that gcc may take for one text */

/* A source as gcc's preprocessor leaves it, macros and what is under `#if 0` put in and out; as it
 * is where gcc does not take it, *as_written then. NULL: it is not there. */
static char *text_of(const char *root, const char *source, const struct hpc_op *op,
                     const char *flags, const char *libraries, bool *as_written)
{
    struct hpc_error err;
    char *text = command_text(root, source, &err);
    const struct build_spec spec = {.root = root,
                                    .source = source,
                                    .folder = "build/text",
                                    .op_folder = op->folder,
                                    .given = op->given,
                                    .flags = flags,
                                    .libraries = libraries,
                                    .seconds = SECONDS,
                                    .kind = BUILD_PLAIN};
    char *preprocessed = text ? build_text(&spec) : NULL;
    *as_written = text && !preprocessed;
    if (preprocessed) {
        free(text);
        text = preprocessed;
    }
    return text;
}

static char *text_of_variant(const char *root, const struct variant *v)
{
    bool as_written;
    return text_of(root, v->file, v->op, v->flags, v->libraries, &as_written);
}

static char *text_of_task(const char *root, const char *source, const struct lab_task *task,
                          bool *as_written)
{
    return text_of(root, source, task->op, task->flags, task->libraries, as_written);
}

/* What students have of a task: its starter and its baseline. */
static struct given given_of(const struct class_state *c, const struct lab_task *task)
{
    struct given given = {NULL, 0};
    bool as_written;
    char *starter = hpc_printf("labs/%s/starter/%s", c->project->lab->name, task->file);
    const struct variant *base = catalogue_find(c->project->catalogue, task->baseline);
    char *texts[] = {text_of_task(c->project->root, starter, task, &as_written),
                     base ? text_of_variant(c->project->root, base) : NULL};
    for (int i = 0; i < 2; i++) {
        if (texts[i])
            given_add(&given, texts[i]);
        free(texts[i]);
    }
    free(starter);
    return given;
}

static void add_text(struct similar *x, char *label, const struct lab *lab, int task,
                     const char *text, const struct given *given, bool old)
{
    bool cut = false;
    x->text = hpc_realloc(x->text, (unsigned long)(x->n + 1) * sizeof *x->text);
    x->text[x->n] = (struct similar_text){.label = label,
                                          .text = given_left_out(given, text, &cut),
                                          .task_file = lab->tasks[task].file,
                                          .task = task,
                                          .number = x->n,
                                          .old = old};
    x->n++;
    if (cut)
        fprintf(stderr,
                "hpclab: %s: %s is %zu KiB long, of which the first %d are compared: look at it\n",
                label, lab->tasks[task].file, strlen(text) >> 10, GIVEN_MOST_TEXT >> 10);
}

/* The tasks' files of a submission, which is opened once: an archive takes a jail to read. */
static void add_submission(struct similar *x, const struct class_state *c,
                           const struct submission *s, const struct given *given, bool old)
{
    const struct lab *lab = c->project->lab;
    struct handin h = {.root = ""};
    struct hpc_error err;
    const bool good = handin_open(c->project->root, lab, s->path, &h, &err);
    for (int i = 0; i < lab->n_tasks && good; i++) {
        if (lab->tasks[i].kind != TASK_VARIANT)
            continue;
        char *name = hpc_printf("labs/%s/%s", lab->name, lab->tasks[i].file);
        bool as_written;
        char *text = text_of_task(h.root, name, &lab->tasks[i], &as_written);
        char *label = hpc_printf(old ? "past %s" : "%s", old ? s->name : s->student);
        if (as_written)
            fprintf(stderr, "hpclab: %s: %s is compared as it was written: gcc does not take it\n",
                    label, lab->tasks[i].file);
        if (text)
            add_text(x, label, lab, i, text, &given[i], old);
        else
            free(label);
        free(text);
        free(name);
    }
    handin_close(&h);
}

/* Each submission that counts; of another term, all. */
static void add_submissions(struct similar *x, const struct class_state *c,
                            const struct submissions *all, const struct given *given, bool old)
{
    for (int i = 0; i < all->n; i++) {
        const struct submission *s = &all->at[i];
        const struct roster_student *who = old ? NULL : roster_find(&c->roster, s->student);
        if (!s->refused[0] && (old || (who && class_last(c, who) == s)))
            add_submission(x, c, s, given, old);
    }
}

/* Every variant of the operation that is here but for the baseline. */
static void add_references(struct similar *x, const struct class_state *c, int number,
                           const struct given *given)
{
    const struct lab_task *task = &c->project->lab->tasks[number];
    const struct catalogue *all = c->project->catalogue;
    for (int i = 0; i < all->n; i++) {
        const struct variant *v = &all->variant[i];
        if (v->op != task->op || !v->at_hand || strcmp(v->name, task->baseline) == 0)
            continue;
        char *text = text_of_variant(c->project->root, v);
        if (text)
            add_text(x, hpc_printf("reference %s", v->name), c->project->lab, number, text, given,
                     true);
        free(text);
    }
}

/* Pairs in their order, those that share little left out. */
static void rank(struct similar *x)
{
    int kept = 0;
    for (int i = 0; i < x->n_pairs; i++) {
        struct similar_pair p = x->pair[i];
        const int a = p.text[0]->tokens, b = p.text[1]->tokens, least = a < b ? a : b;
        p.share = least > 0 ? (double)p.tokens / least : 0;
        p.share = p.share > 1 ? 1 : p.share;
        if (p.share >= LEAST_SHARE)
            x->pair[kept++] = p;
        else
            free(p.run);
    }
    x->n_pairs = kept;
    qsort(x->pair, (size_t)kept, sizeof *x->pair, similar_order);
}

/* A task's texts together: students', of before, references, each in the order they came in. */
static int by_task(const void *a, const void *b)
{
    const struct similar_text *x = a, *y = b;
    return x->task != y->task ? x->task - y->task : x->number - y->number;
}

/* Whether a student handed in something of a task: what nobody did is compared with nothing. */
static bool is_handed_in(const struct similar *x, int task)
{
    for (int i = 0; i < x->n; i++)
        if (x->text[i].task == task && !x->text[i].old)
            return true;
    return false;
}

/* All texts, before pairs point at them. */
static void read_texts(struct similar *x, const struct class_state *c,
                       const struct submissions *past)
{
    const struct lab *lab = c->project->lab;
    struct given given[LAB_MAX_TASKS] = {{NULL, 0}};
    for (int i = 0; i < lab->n_tasks; i++)
        if (lab->tasks[i].kind == TASK_VARIANT)
            given[i] = given_of(c, &lab->tasks[i]);
    add_submissions(x, c, &c->submissions, given, false);
    add_submissions(x, c, past, given, true);
    for (int i = 0; i < lab->n_tasks; i++) {
        if (is_handed_in(x, i))
            add_references(x, c, i, &given[i]);
        given_free(&given[i]);
    }
    if (x->n > 0)
        qsort(x->text, (size_t)x->n, sizeof *x->text, by_task);
}

static bool compare_tasks(struct similar *x, const struct class_state *c,
                          const struct submissions *past, struct hpc_error *err)
{
    bool good = true;
    read_texts(x, c, past);
    for (int first = 0, end = 0; first < x->n && good; first = end) {
        while (end < x->n && x->text[end].task == x->text[first].task)
            end++;
        good = similar_runs(x, first, end,
                            lab_task_cuda(&c->project->lab->tasks[x->text[first].task]), err);
    }
    rank(x);
    return good;
}

int class_similar(struct class_state *c, const char *past, struct hpc_error *err)
{
    struct similar x = {.folder = scratch_name(c->project->root, "similar")};
    struct roster others = {.n = 0};
    struct submissions before = {.n = 0};
    bool good = command_find("sim_c") != NULL ||
                hpc_fail_env(err, "class similar: no sim_c here, expected the package "
                                  "similarity-tester");
    good = good && folder_make(x.folder, err) &&
           (!past || submissions_find(c->project->root, c->project->lab, past, c->o.pattern,
                                      x.folder, &others, &before, err));
    good = good && compare_tasks(&x, c, &before, err) && similar_write(c, &x, err);
    for (int i = 0; i < x.n; i++) {
        free(x.text[i].label);
        free(x.text[i].text);
    }
    for (int i = 0; i < x.n_pairs; i++)
        free(x.pair[i].run);
    free(x.text);
    free(x.pair);
    folder_remove(x.folder);
    free(x.folder);
    roster_free(&others);
    submissions_free(&before);
    return good ? x.n_pairs : -1;
}
