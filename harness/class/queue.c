/* Submissions side by side, each in a process of its own. A child writes its record into spool/ and
 * renames it there; the parent alone writes the store, and what it finds in spool/ when it starts
 * was graded by one that was killed: it is taken, not graded again. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <math.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/command.h"
#include "common/interrupt.h"
#include "common/text.h"
#include "common/ui.h"
#include "harness/class/class.h"
#include "harness/jail/jail.h"

#define LOOK_MS 100
#define GRACE   10.0 /* seconds that one beyond its budget has to write what it has */

struct job {
    struct class_job is;
    pid_t pid; /* 0: not begun; -1: ended */
    int log;   /* what it prints, in memory: the disk may be what it finds full */
    double began;
    bool over;  /* its budget */
    int *ended; /* tasks, counted by the child */
};

struct queue {
    struct class_state *c;
    int n, next, working, graded, failed;
    struct job *job;
    int *ended;   /* of each job: memory that is shared with the children */
    double takes; /* a grading, on average; 0: unknown */
    char *spool;
    sigset_t signals; /* those that were blocked before SIGCHLD was */
};

/* The child: nothing of the parent's but its own grading, and no life without the parent. */
static void become(const struct queue *q, const struct job *j, pid_t parent)
{
    char *path = hpc_printf("%s/%s", q->spool, j->is.name);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0); /* Ctrl-C is the parent's */
    sigprocmask(SIG_SETMASK, &q->signals, NULL);
    if (getppid() != parent)
        _exit(HPC_EXIT_ENVIRONMENT);
    if (j->log >= 0) {
        dup2(j->log, STDOUT_FILENO);
        dup2(j->log, STDERR_FILENO);
    }
    close(q->c->lock);
    ui_init(true);
    const int status = class_grade_one(q->c, &j->is, path, j->ended);
    fflush(NULL);
    _exit(status);
}

static bool start(struct queue *q, struct job *j, struct hpc_error *err)
{
    const pid_t parent = getpid();
    fflush(NULL);
    j->log = memfd_create("log", MFD_CLOEXEC);
    j->pid = fork();
    if (j->pid == 0)
        become(q, j, parent);
    if (j->pid < 0)
        return hpc_fail_env(err, "can't start a grading: %s", strerror(errno));
    j->began = clock_now();
    q->working++;
    return true;
}

/* What gradings took so far, kept as a word of the state: "SECONDS HOW_MANY"; a new one, unless 0,
 * is added. A quick look is another kind. */
static void add_time(struct queue *q, double spent)
{
    const char *key = q->c->o.quick ? "seconds_quick" : "seconds";
    struct hpc_error none;
    char *old;
    if (!store_word(q->c->store, key, &old, &none)) /* an estimate is missing */
        return;
    char *rest = old;
    const double sum = (old ? strtod(old, &rest) : 0) + spent;
    const long n = (old ? strtol(rest, NULL, 10) : 0) + (spent > 0);
    q->takes = n > 0 ? sum / (double)n : 0;
    if (spent > 0) {
        char *word = hpc_printf("%.3f %ld", sum, n);
        store_set_word(q->c->store, key, word, &none); /* as above */
        free(word);
    }
    free(old);
}

/* The last line that a grading printed; closes its log. */
static void last_line(struct job *j, char *line, int size)
{
    static const char said[] = "hpclab: ";
    FILE *f = j->log >= 0 && lseek(j->log, 0, SEEK_SET) == 0 ? fdopen(j->log, "r") : NULL;
    *line = '\0';
    while (f && fgets(line, size, f))
        ;
    line[strcspn(line, "\n")] = '\0';
    if (strncmp(line, said, sizeof said - 1) == 0) /* as hpc_report began it */
        memmove(line, line + sizeof said - 1, strlen(line + sizeof said - 1) + 1);
    hpc_harmless(line);
    if (f)
        fclose(f);
    else if (j->log >= 0)
        close(j->log);
}

static void end(struct queue *q, struct job *j, int status)
{
    struct hpc_error err = {.text = ""};
    char line[300];
    last_line(j, line, sizeof line);
    j->pid = -1;
    const double spent = clock_now() - j->began;
    q->working--;
    ui_progress_end();
    if (class_take(q->c, &j->is, j->over, &err)) {
        q->graded++;
        add_time(q, spent);
    } else {
        fprintf(stderr, "hpclab: %s: not graded (%s); the next `class grade` tries again\n",
                j->is.s->student,
                err.text[0]           ? err.text
                : line[0]             ? line
                : WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                      : "no record");
        q->failed++;
    }
}

/* Who has ended; who is beyond the budget. */
static void look(struct queue *q)
{
    for (int i = 0; i < q->next; i++) {
        struct job *j = &q->job[i];
        int status;
        if (j->pid <= 0)
            continue;
        const double spent = clock_now() - j->began;
        if (waitpid(j->pid, &status, WNOHANG) == j->pid)
            end(q, j, status);
        else if (q->c->o.budget && spent > q->c->o.budget && !j->over)
            j->over = kill(j->pid, SIGTERM) == 0;
        else if (j->over && spent > q->c->o.budget + GRACE)
            kill(j->pid, SIGKILL);
    }
}

/* How many tasks have ended of those that were asked for. */
static int tasks_done(const struct queue *q, int *of)
{
    const int each = q->c->project->lab->n_tasks;
    int done = 0;
    *of = 0;
    for (int i = 0; i < q->n; i++) {
        const struct job *j = &q->job[i];
        const int ended = j->pid < 0 ? each : __atomic_load_n(j->ended, __ATOMIC_RELAXED);
        if (j->pid < 0 && j->began <= 0) /* was graded before this command began */
            continue;
        done += ended < each ? ended : each;
        *of += each;
    }
    return done;
}

/* Seconds until all have ended, if each takes what those before it took; 0: nothing is known. */
static double left(const struct queue *q)
{
    double sum = 0, most = 0;
    for (int i = 0; i < q->n; i++) {
        const struct job *j = &q->job[i];
        const double spent = j->pid > 0 ? clock_now() - j->began : 0;
        const double own = j->pid < 0 ? 0 : fmax(q->takes - spent, 0);
        sum += own;
        most = fmax(most, own);
    }
    return fmax(sum / q->c->o.jobs, most);
}

static void show(const struct queue *q)
{
    int of;
    const int tasks = tasks_done(q, &of);
    char words[60] = "";
    if (q->takes > 0 && q->graded + q->failed < q->n)
        snprintf(words, sizeof words, ", about %.0f min left", fmax(ceil(left(q) / 60), 1));
    ui_progress("%d of %d graded, %d at work: %d of %d tasks%s", q->graded + q->failed, q->n,
                q->working, tasks, of, words);
}

static void kill_all(struct queue *q)
{
    for (int i = 0; i < q->next; i++)
        if (q->job[i].pid > 0) {
            kill(q->job[i].pid, SIGKILL);
            waitpid(q->job[i].pid, NULL, 0);
        }
}

static bool run(struct queue *q, struct hpc_error *err)
{
    const struct timespec most = {.tv_nsec = LOOK_MS * 1000000};
    sigset_t ends;
    bool good = true;
    add_time(q, 0);
    machine_here();
    jail_tier(); /* found out once, for all children */
    sigemptyset(&ends);
    sigaddset(&ends, SIGCHLD);
    sigprocmask(SIG_BLOCK, &ends, &q->signals); /* kept until sigtimedwait asks for it */
    while (good && !hpc_interrupted() && (q->next < q->n || q->working)) {
        if (q->next < q->n && q->working < q->c->o.jobs) {
            struct job *j = &q->job[q->next++];
            if (j->pid == 0)
                good = start(q, j, err);
            continue;
        }
        show(q);
        sigtimedwait(&ends, NULL, &most);
        look(q);
    }
    ui_progress_end();
    kill_all(q);
    sigprocmask(SIG_SETMASK, &q->signals, NULL);
    return good &&
           (!hpc_interrupted() || hpc_fail_env(err, "interrupted; the same command goes on"));
}

int class_grade(struct class_state *c, const char *again, int *failed, struct hpc_error *err)
{
    struct queue q = {.c = c, .spool = hpc_printf("%s/spool", c->folder)};
    struct hpc_error none;
    struct class_job *jobs;
    q.n = class_jobs(c, again, &jobs);
    q.job = hpc_calloc((unsigned long)q.n + 1, sizeof *q.job);
    const size_t counts = ((size_t)q.n + 1) * sizeof *q.ended;
    q.ended = mmap(NULL, counts, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    HPC_ASSERT(q.ended != MAP_FAILED);
    for (int i = 0; i < q.n; i++) {
        q.job[i].is = jobs[i];
        q.job[i].ended = &q.ended[i];
        if (class_take(c, &jobs[i], false, &none)) {
            q.job[i].pid = -1;
            q.graded++;
        }
    }
    folder_remove(q.spool); /* what one that was killed left half written */
    const bool good = folder_make(q.spool, err) && run(&q, err);
    *failed = q.failed;
    munmap(q.ended, counts);
    class_jobs_free(jobs, q.n);
    free(q.job);
    free(q.spool);
    return good && class_gradings(c, err) ? q.graded : -1;
}
