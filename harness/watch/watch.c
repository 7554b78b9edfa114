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
#include <sys/ioctl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/command.h"
#include "common/interrupt.h"
#include "common/scratch.h"
#include "common/ui.h"
#include "harness/lab/starters.h"
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
             "left alone: a complete version of one counts.",
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
    int grading;   /* the task, */
    double began;  /* since when, */
    int seconds;   /* and how many the screen says */
    int columns;   /* of the terminal when it was last drawn */
    bool gone;     /* the folder is */
    char *folder;  /* labs/LAB */
    char *scratch; /* a folder */
    char *record;  /* there: record.json */
    struct results results;
};

/* The last line, which is written over. */
static void show_grading(const struct watch *w)
{
    printf("\r          grading %s .. %d s\033[K", w->lab->tasks[w->grading].name, w->seconds);
}

static void show(const struct watch *w)
{
    if (w->screen)
        printf("\033[H\033[2J%s%s%s  %s\n\n", ui_style(UI_BOLD), w->lab->name, ui_style(UI_PLAIN),
               "save a file and it is graded; Ctrl-C ends this");
    results_print(&w->results, w->screen);
    if (w->screen && w->child)
        show_grading(w);
    fflush(stdout);
}

static int columns_now(void)
{
    struct winsize size;
    return ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

/* What changes on the screen without an event: its width, and the seconds of a grading. */
static void refresh(struct watch *w)
{
    const int columns = columns_now(), seconds = (int)(clock_now() - w->began);
    if (w->screen && columns != w->columns) {
        w->columns = columns;
        show(w);
    } else if (w->screen && w->child && seconds != w->seconds) {
        w->seconds = seconds;
        show_grading(w);
        fflush(stdout);
    }
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
            if (e->mask & (IN_DELETE_SELF | IN_MOVE_SELF))
                w->gone = true;
            else if (e->mask & IN_Q_OVERFLOW)
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
    w->began = clock_now();
    w->seconds = 0;
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

/* A file that stays away is told, and not graded: a grading would lay out the starter. */
static bool told_missing(struct watch *w, int task)
{
    const struct lab_task *t = &w->lab->tasks[task];
    char *path = hpc_printf("%s/%s", w->folder, t->file);
    const bool there = access(path, F_OK) == 0;
    free(path);
    if (there)
        return false;
    char *words = hpc_printf("labs/%s/%s was removed: save it again, or make reset LAB=%s",
                             w->lab->name, t->file, w->lab->name);
    unlink(w->record);
    w->saved[task] = 0;
    results_add(&w->results, w->record, t, words);
    free(words);
    show(w);
    return true;
}

static bool start_next(struct watch *w, struct hpc_error *err)
{
    int next = -1;
    for (int i = 0; i < w->lab->n_tasks; i++)
        if (w->saved[i] > 0 && (next < 0 || w->saved[i] < w->saved[next]))
            next = i;
    if (w->child || next < 0 || clock_now() - w->saved[next] < quiet)
        return true;
    if (told_missing(w, next))
        return true;
    if (!start(w, next, err))
        return false;
    if (w->screen)
        show(w);
    return true;
}

static bool open_events(struct watch *w, const char *root, struct hpc_error *err)
{
    w->folder = hpc_printf("%s/labs/%s", root, w->lab->name);
    w->events = inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
    const bool good =
        w->events >= 0 && inotify_add_watch(w->events, w->folder,
                                            IN_CLOSE_WRITE | IN_MOVED_TO | IN_DELETE |
                                                IN_MOVED_FROM | IN_DELETE_SELF | IN_MOVE_SELF) >= 0;
    if (!good)
        hpc_fail_env(err, "labs/%s cannot be watched (inotify: %s); use ./grade --quick",
                     w->lab->name, strerror(errno));
    return good;
}

static bool watch(struct watch *w, struct hpc_error *err)
{
    bool good = true;
    w->columns = columns_now();
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
        refresh(w);
        good = w->gone ? hpc_fail(err, "watch: labs/%s was removed or renamed", w->lab->name)
                       : start_next(w, err);
    }
    if (w->screen)
        putchar('\n'); /* the last line has no end */
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
    if (!project_select(p, argc ? argv[0] : NULL, &err) ||
        !lab_laid_out(p->root, p->lab->name, &err))
        return hpc_report(&err);
    w.lab = p->lab;
    w.screen = !w.options.plain && isatty(STDOUT_FILENO);
    w.saved = hpc_calloc((size_t)w.lab->n_tasks, sizeof *w.saved);
    w.scratch = scratch_name(p->root, "watch");
    w.record = hpc_printf("%s/record.json", w.scratch);
    bool good = folder_make(w.scratch, &err) && open_events(&w, p->root, &err) && watch(&w, &err);
    if (w.events >= 0)
        close(w.events);
    folder_remove(w.scratch);
    results_clear(&w.results);
    free(w.record);
    free(w.scratch);
    free(w.folder);
    free(w.saved);
    return good ? HPC_EXIT_OK : hpc_report(&err);
}
