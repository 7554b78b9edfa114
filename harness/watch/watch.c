/* hpclab watch: inotify tells of a saved file, a process of our own grades its task. */
#define _GNU_SOURCE
#include "harness/watch/watch.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/inotify.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/command.h"
#include "common/interrupt.h"
#include "common/scratch.h"
#include "common/ui.h"
#include "harness/watch/results.h"

struct values {
    bool plain, whole;
};
static const struct option_row rows[] = {
    {"plain", NULL, "no colours, no symbols; a line for each grading", OPTION_SWITCH,
     .at = offsetof(struct values, plain)},
    {"full", NULL, "grade as ./grade does, in place of --quick", OPTION_SWITCH,
     .at = offsetof(struct values, whole)},
    {0},
};
const struct option_table watch_options = {
    .command = "./hpclab watch",
    .words = "[LAB]",
    .title = "grades a task whenever you save its file",
    .about = "Grades the task of each file that is saved in labs/LAB/ (of the lab selected last, "
             "where none is named), with --quick, and keeps the last ten results on the screen. A "
             "file that is saved while it is being graded is graded again. Sheets of answers are "
             "left alone: their first complete version counts.",
    .ending = "Ctrl-C ends it, with 0.",
    .examples = "./hpclab watch lab3",
    .most = 1,
    .expected = "one lab at a time",
    .rows = rows,
};

static const double quiet = 0.2; /* seconds: an editor may write a file in several steps */

struct watch {
    const struct lab *lab;
    struct values options;
    bool screen;   /* a terminal, whose lines may be taken back */
    int events;    /* of inotify */
    double *saved; /* when the file of a task was saved and not graded since; 0: no */
    pid_t child;   /* grades it; 0: nobody */
    int grading;   /* the task */
    char *scratch; /* a folder */
    char *record;  /* there: record.json */
    struct results results;
};

static void show(const struct watch *w)
{
    if (w->screen)
        printf("\033[H\033[2J%s%s%s  %s\n\n", ui_style(UI_BOLD), w->lab->name, ui_style(UI_PLAIN),
               "save a file and it is graded; Ctrl-C ends this");
    results_print(&w->results, w->screen);
    if (w->screen && w->child)
        printf("          grading %s ..\n", w->lab->tasks[w->grading].name);
    fflush(stdout);
}

static void mark(struct watch *w, const char *name)
{
    for (int i = 0; i < w->lab->n_tasks; i++) {
        const struct lab_task *t = &w->lab->tasks[i];
        if (t->kind != TASK_ANSWERS && (!name || strcmp(t->file, name) == 0))
            w->saved[i] = clock_now();
    }
}

static void take_events(struct watch *w)
{
    char bytes[4096] __attribute__((aligned(__alignof__(struct inotify_event))));
    ssize_t n;
    while ((n = read(w->events, bytes, sizeof bytes)) > 0)
        for (ssize_t at = 0; at < n;) {
            const struct inotify_event *e = (const struct inotify_event *)(bytes + at);
            if (e->mask & IN_Q_OVERFLOW)
                mark(w, NULL);
            else if (e->len > 0)
                mark(w, e->name);
            at += (ssize_t)(sizeof *e + e->len);
        }
}

/* A process of its own, which a saved file or Ctrl-C ends in order. */
static bool start(struct watch *w, int task, struct hpc_error *err)
{
    char *log = hpc_printf("%s/log.txt", w->scratch);
    struct command_line c = {.n = 0};
    command_add_list(&c, (const char *[]){"hpclab", "grade", w->lab->name, "--only",
                                          w->lab->tasks[task].name, "--plain", "--impl", "student",
                                          "--json", w->record, NULL});
    if (!w->options.whole)
        command_add(&c, "--quick");
    unlink(w->record);
    w->saved[task] = 0;
    w->grading = task;
    w->child = fork();
    if (w->child == 0) {
        int out = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0666);
        if (out < 0 || dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0)
            _exit(126);
        execv("/proc/self/exe", c.word);
        _exit(127);
    }
    free(log);
    command_line_clear(&c);
    if (w->child > 0)
        return true;
    w->child = 0;
    hpc_fail_env(err, "a grading cannot be started: %s", strerror(errno));
    return false;
}

/* The last line that a grading which left no record said. */
static char *last_words(const struct watch *w)
{
    struct hpc_error err;
    char *text = command_text(w->scratch, "log.txt", &err);
    char *end = text ? text + strlen(text) : NULL;
    while (end && end > text && end[-1] == '\n')
        *--end = '\0';
    char *line = end ? strrchr(text, '\n') : NULL;
    char *words = hpc_strdup(line ? line + 1 : text && *text ? text : "it said nothing");
    free(text);
    return words;
}

/* Look whether the grading has ended. What was saved again meanwhile does not count. */
static void look(struct watch *w)
{
    if (w->child && w->saved[w->grading] > 0)
        kill(w->child, SIGINT);
    if (!w->child || waitpid(w->child, NULL, WNOHANG) != w->child)
        return;
    w->child = 0;
    if (w->saved[w->grading] > 0 || hpc_interrupted())
        return;
    char *said = last_words(w);
    results_add(&w->results, w->record, &w->lab->tasks[w->grading], said);
    free(said);
    show(w);
}

static bool start_next(struct watch *w, struct hpc_error *err)
{
    int next = -1;
    for (int i = 0; i < w->lab->n_tasks; i++)
        if (w->saved[i] > 0 && (next < 0 || w->saved[i] < w->saved[next]))
            next = i;
    if (w->child || next < 0 || clock_now() - w->saved[next] < quiet)
        return true;
    if (!start(w, next, err))
        return false;
    if (w->screen)
        show(w);
    return true;
}

static bool open_events(struct watch *w, const char *root, struct hpc_error *err)
{
    char *folder = hpc_printf("%s/labs/%s", root, w->lab->name);
    w->events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    const bool good =
        w->events >= 0 && inotify_add_watch(w->events, folder, IN_CLOSE_WRITE | IN_MOVED_TO) >= 0;
    if (!good)
        hpc_fail_env(err, "labs/%s cannot be watched (inotify: %s); use ./grade --quick",
                     w->lab->name, strerror(errno));
    free(folder);
    return good;
}

static bool watch(struct watch *w, struct hpc_error *err)
{
    bool good = true;
    show(w);
    if (!w->screen)
        printf("%s: save a file in labs/%s/ and it is graded; Ctrl-C ends this\n", w->lab->name,
               w->lab->name);
    fflush(stdout);
    while (good && !hpc_interrupted()) {
        struct pollfd fd = {.fd = w->events, .events = POLLIN};
        poll(&fd, 1, 100);
        take_events(w);
        look(w);
        good = start_next(w, err);
    }
    if (w->child) {
        kill(w->child, SIGINT);
        while (waitpid(w->child, NULL, 0) < 0 && errno == EINTR)
            ;
    }
    return good;
}

int verb_watch(struct project *p, int argc, char **argv)
{
    struct hpc_error err;
    struct watch w = {.events = -1};
    int go = options_read(&watch_options, &argc, &argv, &w.options, &err);
    if (go <= 0)
        return go ? hpc_report(&err) : HPC_EXIT_OK;
    ui_init(w.options.plain);
    bool good = project_select(p, argc ? argv[0] : NULL, &err);
    if (!good)
        return hpc_report(&err);
    w.lab = p->lab;
    w.screen = !w.options.plain && isatty(STDOUT_FILENO);
    w.saved = hpc_calloc((size_t)w.lab->n_tasks, sizeof *w.saved);
    w.scratch = scratch_name(p->root, "watch");
    w.record = hpc_printf("%s/record.json", w.scratch);
    good = folder_make(w.scratch, &err) && open_events(&w, p->root, &err) && watch(&w, &err);
    if (w.events >= 0)
        close(w.events);
    folder_remove(w.scratch);
    results_clear(&w.results);
    free(w.record);
    free(w.scratch);
    free(w.saved);
    return good ? HPC_EXIT_OK : hpc_report(&err);
}
