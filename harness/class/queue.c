/* Submissions side by side, each in a process of its own. A child writes its record into spool/ and
 * renames it there; the parent alone writes the store, and what it finds in spool/ when it starts
 * was graded by one that was killed: it is taken, not graded again. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/command.h"
#include "common/interrupt.h"
#include "common/random.h"
#include "common/text.h"
#include "common/ui.h"
#include "harness/class/class.h"
#include "harness/jail/jail.h"

#define LOOK_MS 20
#define GRACE   10.0 /* seconds that one beyond its budget has to write what it has */

struct job {
    const struct submission *s;
    char fingerprint[65], *name; /* of its file in spool/ */
    uint64_t seed;
    int run;
    pid_t pid; /* 0: not begun; -1: ended */
    double began;
    bool over; /* its budget */
};

struct queue {
    struct class_state *c;
    int n, next, working, graded, failed;
    struct job *job;
    double began;
    char *spool;
};

/* A record of the spool becomes a row. False where there is none, or none that counts. */
static bool take(struct queue *q, const struct job *j, struct hpc_error *err)
{
    struct class_state *c = q->c;
    char *path = hpc_printf("%s/%s", q->spool, j->name), *text = NULL;
    struct record *r = hpc_malloc(sizeof *r);
    struct store_grading g = {
        .run = j->run, .attempt = j->s->attempt, .seed = j->seed, .may_lower = c->o.allow_lower};
    bool good = access(path, F_OK) == 0 && record_read(path, r, err) && (r->complete || j->over) &&
                (text = command_text(q->spool, j->name, err)) != NULL;
    struct stat st;
    if (good && stat(path, &st) == 0) {
        struct tm utc;
        strftime(g.ended, sizeof g.ended, "%Y-%m-%dT%H:%M:%SZ", gmtime_r(&st.st_mtime, &utc));
        strcpy(g.student, j->s->student);
        strcpy(g.submission, j->s->sha256);
        text_fit(g.name, sizeof g.name, "%s", j->s->name);
        strcpy(g.fingerprint, j->fingerprint);
        g.score = record_score(r);
        g.max_score = record_max_score(r);
        g.pending = record_pending(r);
        if (j->over)
            text_fit(g.note, sizeof g.note, "wall budget of %d s used up", c->o.budget);
        good = store_add(c->store, &g, text, err);
    }
    if (good || (access(path, F_OK) == 0 && !r->complete))
        unlink(path);
    if (good)
        printf("%s  %.1f of %g%s%s\n", g.student, g.score, g.max_score,
               g.pending > 0 ? ", more pending" : "", g.note[0] ? ": wall budget used up" : "");
    free(text);
    free(r);
    free(path);
    return good;
}

/* The child: nothing of the parent's but its own grading, and no life without the parent. */
static void become(const struct queue *q, const struct job *j, pid_t parent)
{
    char *path = hpc_printf("%s/%s", q->spool, j->name);
    char *log = hpc_printf("%s/%s.log", q->spool, j->name);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    setpgid(0, 0); /* Ctrl-C is the parent's */
    if (getppid() != parent)
        _exit(HPC_EXIT_ENVIRONMENT);
    const int fd = open(log, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd >= 0) {
        dup2(fd, STDOUT_FILENO);
        dup2(fd, STDERR_FILENO);
    }
    close(q->c->lock);
    ui_init(true);
    const int status = class_grade_one(q->c, j->s, j->seed, path);
    fflush(NULL);
    _exit(status);
}

static bool start(struct queue *q, struct job *j, struct hpc_error *err)
{
    const pid_t parent = getpid();
    fflush(NULL);
    j->pid = fork();
    if (j->pid == 0)
        become(q, j, parent);
    if (j->pid < 0)
        return hpc_fail_env(err, "can't start a grading: %s", strerror(errno));
    j->began = clock_now();
    q->working++;
    return true;
}

static void end(struct queue *q, struct job *j, int status)
{
    struct hpc_error err = {.text = ""};
    char *log = hpc_printf("%s/%s.log", q->spool, j->name), line[300] = "";
    j->pid = -1;
    q->working--;
    ui_progress_end();
    if (take(q, j, &err)) {
        q->graded++;
    } else {
        FILE *f = fopen(log, "re");
        while (f && fgets(line, sizeof line, f))
            ;
        if (f)
            fclose(f);
        line[strcspn(line, "\n")] = '\0';
        hpc_harmless(line);
        fprintf(stderr, "hpclab: %s: not graded (%s); the next `class grade` tries again\n",
                j->s->student,
                err.text[0]           ? err.text
                : line[0]             ? line
                : WIFSIGNALED(status) ? strsignal(WTERMSIG(status))
                                      : "no record");
        q->failed++;
    }
    unlink(log);
    free(log);
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

static void show(const struct queue *q)
{
    const int done = q->graded + q->failed;
    const double spent = clock_now() - q->began;
    if (done)
        ui_progress("%d of %d graded, %d at work, about %.0f min left", done, q->n, q->working,
                    spent / done * (q->n - done) / 60 + 0.5);
    else
        ui_progress("0 of %d graded, %d at work", q->n, q->working);
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
    bool good = true;
    q->began = clock_now();
    machine_here();
    jail_tier(); /* found out once, for all children */
    while (good && !hpc_interrupted() && (q->next < q->n || q->working)) {
        if (q->next < q->n && q->working < q->c->o.jobs) {
            struct job *j = &q->job[q->next++];
            if (j->pid == 0)
                good = start(q, j, err);
            continue;
        }
        look(q);
        show(q);
        usleep(LOOK_MS * 1000);
    }
    ui_progress_end();
    kill_all(q);
    return good &&
           (!hpc_interrupted() || hpc_fail_env(err, "interrupted; the same command goes on"));
}

/* The newest run of a fingerprint, 0: none. */
static int runs(const struct class_state *c, const char *fingerprint)
{
    int run = 0;
    for (int i = 0; i < c->n_gradings; i++)
        if (!strcmp(c->grading[i].fingerprint, fingerprint) && c->grading[i].run > run)
            run = c->grading[i].run;
    return run;
}

static void add(struct queue *q, const struct submission *s, const char *again)
{
    struct job j = {.s = s};
    class_fingerprint(q->c, s, j.fingerprint, &j.seed);
    const bool asked = again && (!*again || !strcasecmp(again, s->student));
    const int before = runs(q->c, j.fingerprint);
    if ((before && !asked) || (again && !asked))
        return;
    j.run = before + 1;
    if (before) { /* a second look at the same inputs would tell less than one at others */
        struct hpc_random random;
        hpc_random_init(&random, j.seed, (uint64_t)j.run);
        j.seed = hpc_random_u64(&random) >> 1;
    }
    j.name = hpc_printf("%s-%d.json", j.fingerprint, j.run);
    q->job[q->n++] = j;
}

/* What counts, or may: of each student the last one, or all. */
static void fill(struct queue *q, const char *again)
{
    const struct class_state *c = q->c;
    for (int i = 0; i < c->submissions.n; i++) {
        const struct submission *s = &c->submissions.at[i];
        bool wanted = false;
        for (int k = 0; k < c->roster.n && s->student[0] && !s->refused[0] && !wanted; k++) {
            const struct roster_student *who = &c->roster.student[k];
            wanted = class_is_of(c, s, who) && (who->best || class_last(c, who) == s);
        }
        if (wanted)
            add(q, s, again);
    }
}

int class_grade(struct class_state *c, const char *again, int *failed, struct hpc_error *err)
{
    struct queue q = {.c = c, .spool = hpc_printf("%s/spool", c->folder)};
    struct hpc_error none;
    q.job = hpc_calloc((unsigned long)c->submissions.n + 1, sizeof *q.job);
    fill(&q, again);
    for (int i = 0; i < q.n; i++)
        if (take(&q, &q.job[i], &none)) {
            q.job[i].pid = -1;
            q.graded++;
        }
    folder_remove(q.spool); /* what one that was killed left half written */
    const bool good = folder_make(q.spool, err) && run(&q, err);
    *failed = q.failed;
    for (int i = 0; i < q.n; i++)
        free(q.job[i].name);
    free(q.job);
    free(q.spool);
    return good && class_gradings(c, err) ? q.graded : -1;
}
