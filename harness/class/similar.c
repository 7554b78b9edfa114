/* Submissions that are alike, by Debian's similarity-tester (sim_c): names, layout, comments and
 * numbers do not count there. Lines that everybody was given are blank before. */
#define _GNU_SOURCE
#include "harness/class/similar.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/scratch.h"
#include "common/text.h"
#include "harness/handin/handin.h"

#define LEAST_RUN   "24" /* tokens in a row; sim_c's own least */
#define LEAST_SHARE 0.2

#define MOST_TEXT (32 << 10) /* not given: of what repeats itself sim_c takes the square */

/* What everybody was given: its lines without blanks, sorted. */
struct given {
    char **line;
    size_t n;
};

static char *squeezed(const char *line, size_t n)
{
    char *const text = hpc_malloc(n + 1), *to = text;
    for (size_t i = 0; i < n; i++)
        if (!strchr(" \t\r", line[i]))
            *to++ = line[i];
    *to = '\0';
    return text;
}

static int by_text(const void *a, const void *b)
{
    return strcmp(*(char *const *)a, *(char *const *)b);
}

static void given_add(struct given *g, const char *text)
{
    for (const char *at = text; *at;) {
        const size_t length = strcspn(at, "\n");
        g->line = hpc_realloc(g->line, (unsigned long)(g->n + 1) * sizeof *g->line);
        g->line[g->n++] = squeezed(at, length);
        at += length + (at[length] == '\n');
    }
    if (g->n > 0)
        qsort(g->line, g->n, sizeof *g->line, by_text);
}

static void given_free(struct given *g)
{
    for (size_t i = 0; i < g->n; i++)
        free(g->line[i]);
    free(g->line);
}

/* Whether it has a line that is this one but for blanks. */
static bool is_given(const struct given *g, const char *line, size_t n)
{
    char *wanted = squeezed(line, n);
    const bool found = *wanted && g->n && bsearch(&wanted, g->line, g->n, sizeof wanted, by_text);
    free(wanted);
    return found;
}

/* The text with the lines of `given` blank, so that lines keep their numbers; of its own lines
 * MOST_TEXT, and whether that is less than all. */
static char *without_given(const char *text, const struct given *given, bool *cut)
{
    struct text t = {0};
    size_t own = 0;
    for (const char *at = text; *at && own <= MOST_TEXT;) {
        const size_t length = strcspn(at, "\n");
        if (!is_given(given, at, length)) {
            own += length;
            *cut = own > MOST_TEXT;
            text_add(&t, "%.*s", *cut ? 0 : (int)length, at);
        }
        text_add(&t, "\n");
        at += length + (at[length] == '\n');
    }
    return text_take(&t);
}

/* What students have of a task: its starter and its baseline. */
static struct given given_of(const struct class_state *c, const struct lab_task *task)
{
    struct given given = {NULL, 0};
    struct hpc_error err;
    char *starter = hpc_printf("labs/%s/starter/%s", c->project->lab->name, task->file);
    const struct variant *base = catalogue_find(c->project->catalogue, task->baseline);
    const char *const names[] = {starter, base ? base->file : NULL};
    for (int i = 0; i < 2; i++) {
        char *text = names[i] ? command_text(c->project->root, names[i], &err) : NULL;
        if (text)
            given_add(&given, text);
        free(text);
    }
    free(starter);
    return given;
}

static void add_text(struct similar *x, char *label, const char *file, const char *text,
                     const struct given *given, bool old)
{
    bool cut = false;
    x->text = hpc_realloc(x->text, (unsigned long)(x->n + 1) * sizeof *x->text);
    x->text[x->n++] = (struct similar_text){
        .label = label, .text = without_given(text, given, &cut), .task_file = file, .old = old};
    if (cut)
        fprintf(stderr,
                "hpclab: %s: %s is %zu KiB long, of which the first %d are compared: look at it\n",
                label, file, strlen(text) >> 10, MOST_TEXT >> 10);
}

/* The task's file of each submission that counts; of another term, of all. */
static void add_submissions(struct similar *x, const struct class_state *c,
                            const struct submissions *all, const struct lab_task *task,
                            const struct given *given, bool old)
{
    for (int i = 0; i < all->n; i++) {
        const struct submission *s = &all->at[i];
        const struct roster_student *who = old ? NULL : roster_find(&c->roster, s->student);
        struct handin h = {.root = ""};
        struct hpc_error err;
        if (s->refused[0] || (!old && (!who || class_last(c, who) != s)))
            continue;
        if (handin_open(c->project->root, c->project->lab, s->path, &h, &err)) {
            char *name = hpc_printf("labs/%s/%s", c->project->lab->name, task->file);
            char *text = command_text(h.root, name, &err);
            if (text)
                add_text(x, hpc_printf(old ? "past %s" : "%s", old ? s->name : s->student),
                         task->file, text, given, old);
            free(text);
            free(name);
        }
        handin_close(&h);
    }
}

/* Every variant of the operation that is here but for the baseline. */
static void add_references(struct similar *x, const struct class_state *c,
                           const struct lab_task *task, const struct given *given)
{
    const struct catalogue *all = c->project->catalogue;
    struct hpc_error err;
    for (int i = 0; i < all->n; i++) {
        const struct variant *v = &all->variant[i];
        if (v->op != task->op || !v->at_hand || strcmp(v->name, task->baseline) == 0)
            continue;
        char *text = command_text(c->project->root, v->file, &err);
        if (text)
            add_text(x, hpc_printf("reference %s", v->name), task->file, text, given, true);
        free(text);
    }
}

static struct similar_pair *pair_of(struct similar *x, int a, int b)
{
    for (int i = 0; i < x->n_pairs; i++)
        if (x->pair[i].text[0] == &x->text[a] && x->pair[i].text[1] == &x->text[b])
            return &x->pair[i];
    x->pair = hpc_realloc(x->pair, (unsigned long)(x->n_pairs + 1) * sizeof *x->pair);
    x->pair[x->n_pairs] = (struct similar_pair){.text = {&x->text[a], &x->text[b]}};
    return &x->pair[x->n_pairs++];
}

/* A line of sim_c's: "File 3.c: 974 tokens", or "1.c: line 5-9 |3.c: line 7-11 [28]". */
static void read_line(struct similar *x, const char *line)
{
    int a, b;
    struct similar_run r;
    if (sscanf(line, "File %d.c: %d tokens", &a, &b) == 2 && a >= 0 && a < x->n)
        x->text[a].tokens = b;
    if (sscanf(line, "%d.c: line %d-%d |%d.c: line %d-%d [%d]", &a, &r.from[0], &r.to[0], &b,
               &r.from[1], &r.to[1], &r.tokens) != 7 ||
        a < 0 || b < 0 || a >= x->n || b >= x->n || a == b)
        return;
    struct similar_pair *p = pair_of(x, a, b);
    p->run = hpc_realloc(p->run, (unsigned long)(p->n + 1) * sizeof *p->run);
    p->run[p->n++] = r;
    p->tokens += r.tokens;
}

/* The texts from `first` on, of one task, each with each. */
static bool compare(struct similar *x, int first, bool cpp, struct hpc_error *err)
{
    struct command_line line = {0};
    bool good = true, parted = false;
    command_add_text(&line, cpp ? "sim_c++" : "sim_c");
    command_add_text(&line, "-n -e -s -r " LEAST_RUN);
    for (int i = first; i < x->n && good; i++) {
        char *path = hpc_printf("%s/%d.c", x->folder, i);
        FILE *f = fopen(path, "we");
        good = f && fputs(x->text[i].text, f) >= 0;
        good = f && fclose(f) == 0 && good;
        if (x->text[i].old && !parted)
            command_add(&line, "/");
        parted = parted || x->text[i].old;
        command_add_printf(&line, "%d.c", i);
        if (!good)
            hpc_fail_env(err, "%s: %s", path, strerror(errno));
        free(path);
    }
    good =
        good && (line.n < COMMAND_WORDS || hpc_fail(err, "%d texts to compare, expected at most %d",
                                                    x->n - first, COMMAND_WORDS - 8));
    good = good && command_run((const char *const *)line.word, x->folder, "pairs", NULL, err);
    char *found = good ? command_text(x->folder, "pairs", err) : NULL;
    for (char *rest = found, *at; (at = rest ? strsep(&rest, "\n") : NULL) != NULL;)
        read_line(x, at);
    good = found != NULL;
    free(found);
    command_line_clear(&line);
    return good;
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

static bool compare_tasks(struct similar *x, const struct class_state *c,
                          const struct submissions *past, struct hpc_error *err)
{
    const struct lab *lab = c->project->lab;
    int first[LAB_MAX_TASKS + 1] = {0};
    bool good = true;
    for (int i = 0; i < lab->n_tasks; i++) { /* all texts first: pairs point at them */
        const struct lab_task *task = &lab->tasks[i];
        if (task->kind == TASK_VARIANT) {
            struct given given = given_of(c, task);
            add_submissions(x, c, &c->submissions, task, &given, false);
            add_submissions(x, c, past, task, &given, true);
            add_references(x, c, task, &given);
            given_free(&given);
        }
        first[i + 1] = x->n;
    }
    const int n = x->n;
    for (int i = 0; i < lab->n_tasks && good; i++) {
        x->n = first[i + 1];
        if (first[i + 1] > first[i])
            good = compare(x, first[i], lab_task_cuda(&lab->tasks[i]), err);
    }
    x->n = n;
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
