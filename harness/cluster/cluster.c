/* The login node: arrays are sent, records are taken, what was lost is sent again. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/command.h"
#include "common/interrupt.h"
#include "common/sha256.h"
#include "common/text.h"
#include "common/ui.h"
#include "common/version.h"
#include "harness/cluster/cluster.h"

#define LOOK_S    2   /* seconds from one look at the queue to the next */
#define SETTLE_S  3   /* in which a record of a task that has ended is seen here */
#define MARGIN_S  60  /* of a task's minutes for its start, its node's canary and its end */
#define MOST      500 /* entries of an array; sites allow a thousand or more */
#define TROUBLE_S 60  /* that squeue may be silent before it is said */

struct round {
    struct class_state *c;
    struct site site;
    int n, graded, left;
    struct class_job *job;
    int *sent;        /* how often each was; -1: has ended */
    char (*log)[100]; /* of the last time, in folder */
    char *folder;     /* FOLDER/cluster */
    char name[40];    /* of its jobs in the queue: of this class alone */
    int number;       /* arrays sent */
    struct text said; /* nodes that failed, and were said */
    char why[100];    /* what was said of what waits */
    double began;
};

static int collect(struct round *q)
{
    struct hpc_error err;
    int left = 0;
    for (int i = 0; i < q->n; i++) {
        if (q->sent[i] >= 0 && class_take(q->c, &q->job[i], true, &err)) {
            q->sent[i] = -1;
            q->graded++;
        }
        left += q->sent[i] >= 0;
    }
    return left;
}

static json_t *entry_json(const struct round *q, const struct class_job *j)
{
    const struct roster_student *who = roster_find(&q->c->roster, j->s->student);
    char seed[24], path[PATH_MAX];
    snprintf(seed, sizeof seed, "%" PRIu64, j->seed);
    if (!realpath(j->s->path, path))
        path[0] = '\0'; /* gone since: its node says so */
    return json_pack("{s:s, s:s, s:s, s:s, s:s, s:s, s:s, s:s}", "student", j->s->student,
                     "full_name", who ? who->name : "", "name", j->s->name, "path", path, "sha256",
                     j->s->sha256, "seed", seed, "record", j->name, "told", j->told ? j->told : "");
}

/* The list of an array, and its script. */
static bool write_round(struct round *q, json_t *tasks, const char *base, struct hpc_error *err)
{
    const struct class_state *c = q->c;
    char *spool = hpc_printf("%s/spool", c->folder), *path = hpc_printf("%s.json", base);
    json_t *list =
        json_pack("{s:s, s:s, s:s, s:s, s:b, s:i, s:s, s:O}", "lab", c->project->lab->name,
                  "version", HPC_VERSION, "lab_hash", c->lab_hash, "device", device_name(c->device),
                  "quick", c->o.quick, "budget", c->o.budget, "spool", spool, "tasks", tasks);
    HPC_ASSERT(list);
    bool good = json_dump_file(list, path, JSON_INDENT(1)) == 0 ||
                hpc_fail_env(err, "%s: %s, expected room for it", path, strerror(errno));
    struct text more = {0};
    char *bad = nodes_bad(q->folder, &q->said, NULL), *quoted = command_quoted(path);
    text_add(&more, "#SBATCH --job-name=%s\n#SBATCH --no-requeue\n#SBATCH --array=0-%d", q->name,
             (int)json_array_size(tasks) - 1);
    if (q->site.at_once)
        text_add(&more, "%%%d", q->site.at_once);
    text_add(&more, "\n#SBATCH --output=%s-%%a.log\n", base);
    if (bad)
        text_add(&more, "#SBATCH --exclude=%s\n", bad);
    char *runs = cluster_program();
    char *body = hpc_printf("exec %s class node %s", runs, quoted);
    free(runs);
    char *script = hpc_printf("%s.sh", base);
    good = good && site_script(&q->site, c->project, q->site.exclusive && !c->o.quick,
                               text_string(&more), body, script, err);
    free(script);
    free(body);
    free(quoted);
    free(bad);
    text_free(&more);
    json_decref(list);
    free(path);
    free(spool);
    return good;
}

/* An array of what has no record yet, from *next on; with none left *next is the end. */
static bool send_array(struct round *q, int *next, struct hpc_error *err)
{
    json_t *tasks = json_array();
    char *name = hpc_printf("%s-%ld-%d", q->name, (long)getpid(), q->number++);
    for (; *next < q->n && json_array_size(tasks) < MOST; ++*next)
        if (q->sent[*next] >= 0) {
            snprintf(q->log[*next], sizeof q->log[*next], "%s-%d.log", name,
                     (int)json_array_size(tasks));
            json_array_append_new(tasks, entry_json(q, &q->job[*next]));
            q->sent[*next]++;
        }
    const int n = (int)json_array_size(tasks);
    char *base = hpc_printf("%s/%s", q->folder, name), *script = hpc_printf("%s.sh", base);
    long job = 0;
    if (n && write_round(q, tasks, base, err))
        job = slurm_send(q->folder, script, q->c->o.slurm, err);
    if (job)
        printf("job %ld: %d gradings in the queue\n", job, n);
    fflush(stdout);
    free(script);
    free(base);
    free(name);
    json_decref(tasks);
    return job || !n;
}

static bool send(struct round *q, struct hpc_error *err)
{
    for (int next = 0; next < q->n;)
        if (!send_array(q, &next, err))
            return false;
    return true;
}

/* The last line of what a task printed. */
static void read_end(const struct round *q, const char *log, char *line, size_t size)
{
    char *text = log[0] ? command_text(q->folder, log, NULL) : NULL;
    size_t n = text ? strlen(text) : 0;
    while (n && text[n - 1] == '\n')
        text[--n] = '\0';
    const char *end = n ? strrchr(text, '\n') : NULL;
    text_fit(line, size, "%s", end ? end + 1 : n ? text : "no word of it");
    hpc_harmless(line);
    free(text);
}

/* What was sent as often as the site allows and came to nothing. */
static int give_up(struct round *q)
{
    int given_up = 0;
    char why[300];
    for (int i = 0; i < q->n; i++)
        if (q->sent[i] >= q->site.tries) {
            read_end(q, q->log[i], why, sizeof why);
            fprintf(stderr,
                    "hpclab: %s: not graded, sent %d times (%s); the next `class grade` tries "
                    "again\n",
                    q->job[i].s->student, q->sent[i], why);
            q->sent[i] = -1;
            given_up++;
        }
    return given_up;
}

/* A node that has failed since: what waits might go there, so it is called off and sent again
 * without it; that is no fault of what was sent. */
static bool leave_out(struct round *q, struct hpc_error *err)
{
    bool news;
    free(nodes_bad(q->folder, &q->said, &news));
    if (!news)
        return true;
    for (int i = 0; i < q->n; i++)
        if (q->sent[i] > 0)
            q->sent[i]--;
    return slurm_cancel(q->folder, q->name, NULL, err);
}

static void show(const struct round *q, const struct slurm_jobs *jobs)
{
    ui_progress("%d of %d graded, %d at work, %d in the queue, %.0f min so far", q->graded, q->n,
                jobs->running, jobs->waiting, (clock_now() - q->began) / 60);
}

/* Wait as long as anything of ours is in the queue. Slurm's silence is no news. False with *err. */
static bool watch(struct round *q, struct hpc_error *err)
{
    struct slurm_jobs jobs;
    struct hpc_error trouble;
    double heard = clock_now();
    while (!hpc_interrupted() && collect(q)) {
        if (slurm_look(q->folder, q->name, &jobs, &trouble)) {
            heard = clock_now();
            if (!jobs.waiting && !jobs.running)
                return true;
            show(q, &jobs);
            slurm_say_why(&jobs, q->c->o.slurm, q->why);
            if (!leave_out(q, err) ||
                (jobs.stuck[0] && !slurm_cancel(q->folder, q->name, jobs.stuck, err)))
                return false;
        } else if (clock_now() - heard > TROUBLE_S) {
            hpc_report(&trouble);
            heard = clock_now();
        }
        for (int i = 0; i < 10 * LOOK_S && !hpc_interrupted(); i++)
            usleep(100000);
    }
    return !hpc_interrupted() ||
           hpc_fail_env(err,
                        "interrupted; what was sent goes on, and the same command collects it "
                        "(scancel --name %s ends it)",
                        q->name);
}

/* Records of the last tasks may be seen late on a shared folder; reading it makes them seen. */
static int settle(struct round *q)
{
    char *spool = hpc_printf("%s/spool", q->c->folder);
    int left = collect(q);
    for (int i = 0; i < 10 * SETTLE_S && left; i++) {
        DIR *folder = opendir(spool);
        while (folder && readdir(folder))
            ;
        if (folder)
            closedir(folder);
        usleep(100000);
        left = collect(q);
    }
    free(spool);
    return left;
}

static bool run(struct round *q, struct hpc_error *err)
{
    q->began = clock_now();
    while (watch(q, err) && settle(q)) {
        q->left += give_up(q);
        if (collect(q) && !send(q, err))
            return false;
    }
    ui_progress_end();
    free(nodes_bad(q->folder, &q->said, NULL)); /* those that were not said */
    return collect(q) == 0;
}

/* A task's minutes hold its budget, by default all of them. */
static bool set_budget(struct round *q, struct hpc_error *err)
{
    const int most = q->site.minutes * 60 - MARGIN_S;
    if (q->c->o.budget > most)
        return hpc_fail(err, "--budget %d: %s allows %d minutes a task, expected at most %d",
                        q->c->o.budget, q->c->o.slurm, q->site.minutes, most);
    if (!q->c->o.budget)
        q->c->o.budget = most;
    return true;
}

int cluster_grade(struct class_state *c, const char *again, int *failed, struct hpc_error *err)
{
    struct round q = {.c = c, .folder = hpc_printf("%s/cluster", c->folder)};
    struct sha256 hash;
    char hex[65];
    sha256_start(&hash);
    sha256_add(&hash, c->folder, strlen(c->folder));
    sha256_end(&hash, hex);
    snprintf(q.name, sizeof q.name, "hpclab-%.12s", hex);
    q.n = class_jobs(c, again, &q.job);
    q.sent = hpc_calloc((unsigned long)q.n + 1, sizeof *q.sent);
    q.log = hpc_calloc((unsigned long)q.n + 1, sizeof *q.log);
    char *spool = hpc_printf("%s/spool", c->folder);
    bool good = site_read(c->o.slurm, &q.site, err) && set_budget(&q, err) &&
                folder_make(q.folder, err) && run(&q, err);
    if (good) { /* the queue is empty: what is left of tasks that ended is nobody's */
        folder_remove(spool);
        good = folder_make(spool, err);
    }
    *failed = q.left;
    site_free(&q.site);
    free(spool);
    text_free(&q.said);
    free(q.log);
    free(q.sent);
    class_jobs_free(q.job, q.n);
    free(q.folder);
    return good && class_gradings(c, err) ? q.graded : -1;
}
