/* A student's own lab as a task of a cluster: ./grade --queue. ROOT/results/queue/ has, besides
 * `lock` and `sent` (a line each sending, for the site's quota), a folder of what is in the queue:
 * the files as they were, script, screen.txt, status. Its name stands in `now` before anything is
 * sent, so that another call follows it, and never sends it twice. */
#define _GNU_SOURCE
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/file.h>
#include <time.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/interrupt.h"
#include "common/scratch.h"
#include "common/sha256.h"
#include "common/text.h"
#include "harness/cluster/own.h"

#define LOOK_S   2 /* seconds from one look at the queue to the next */
#define SETTLE_S 3 /* in which what a task that has ended wrote is seen here */

static bool open_folder(struct own *q, struct hpc_error *err)
{
    struct sha256 hash;
    char hex[65], *lock = hpc_printf("%s/lock", q->folder);
    bool good = folder_make(q->folder, err);
    sha256_start(&hash);
    sha256_add(&hash, q->folder, strlen(q->folder));
    sha256_end(&hash, hex);
    snprintf(q->name, sizeof q->name, "hpclab-own-%.12s", hex);
    q->lock = good ? open(lock, O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW, 0600) : -1;
    if (good && q->lock < 0)
        good = hpc_fail_env(err, "%s: %s, expected a file to lock", lock, strerror(errno));
    else if (good && flock(q->lock, LOCK_EX | LOCK_NB) != 0)
        good = hpc_fail(err, "%s: another ./grade --queue waits there, expected it to end first",
                        q->folder);
    free(lock);
    return good;
}

/* A small file of ours, whole or not at all. */
static bool write_file(const char *folder, const char *name, const char *text,
                       struct hpc_error *err)
{
    char *path = hpc_printf("%s/%s", folder, name), *temporary = scratch_beside(path);
    FILE *f = fopen(temporary, "we");
    bool good = f && fputs(text, f) >= 0;
    good = f && fclose(f) == 0 && good && rename(temporary, path) == 0;
    if (!good)
        hpc_fail_env(err, "%s: %s, expected room for it", path, strerror(errno));
    free(temporary);
    free(path);
    return good;
}

/* What is there of an earlier call. */
static void find_sent(struct own *q)
{
    char *name = command_text(q->folder, "now", NULL);
    char *base = hpc_printf("%s/%s", q->folder, name ? name : "");
    if (name && name[0] && name[0] != '.' && !strchr(name, '/') && access(base, F_OK) == 0) {
        q->base = hpc_strdup(base);
        printf("sent before: that grading is followed, %s\n", q->base + strlen(q->p->root) + 1);
    }
    free(base);
    free(name);
}

static bool send(struct own *q, struct hpc_error *err)
{
    char *script = hpc_printf("%s/script.sh", q->base);
    const long job = slurm_send(q->base, script, q->file, err);
    free(script);
    if (!job)
        return false;
    q->tries++;
    printf("job %ld: in the queue\n", job);
    fflush(stdout);
    return true;
}

/* What is over: nothing of it stays but a log in the folder where its record is. */
static void forget(struct own *q)
{
    char *now = hpc_printf("%s/now", q->folder);
    unlink(now);
    folder_remove(q->base);
    free(now);
    free(q->base);
    q->base = NULL;
}

static bool send_new(struct own *q, const struct own_words *words, struct hpc_error *err)
{
    char *name = hpc_printf("%s-%lld-%ld", q->p->lab->name, (long long)time(NULL), (long)getpid());
    if (!own_within_quota(q, err)) {
        free(name);
        return false;
    }
    q->base = hpc_printf("%s/%s", q->folder, name);
    bool good = own_write(q, words, err) && write_file(q->folder, "now", name, err);
    free(name);
    if (good && send(q, err)) {
        return own_note_sent(q, err);
    }
    forget(q); /* nothing is in the queue */
    return false;
}

/* Say where it is, once each time that changes. */
static void say_place(struct own *q, const struct slurm_jobs *jobs)
{
    struct slurm_place place;
    char line[sizeof q->said];
    if (jobs->running)
        text_fit(line, sizeof line, "at work");
    else if (slurm_place(q->base, q->name, &place, NULL) && place.place)
        text_fit(line, sizeof line, "place %d of %d in the queue%s%s", place.place, place.of,
                 place.starts[0] ? ", begins about " : "", place.starts);
    else
        return;
    if (strcmp(line, q->said) != 0)
        printf("%s\n", line);
    fflush(stdout);
    strcpy(q->said, line);
}

static bool ended(const struct own *q)
{
    char *status = hpc_printf("%s/status", q->base);
    const bool is = access(status, F_OK) == 0;
    free(status);
    return is;
}

static bool settled(const struct own *q)
{
    for (int i = 0; i < 10 * SETTLE_S && !ended(q); i++)
        usleep(100000);
    return ended(q);
}

/* Lost with its node, preempted or called off: once more, as often as the site says. */
static bool send_again(struct own *q, struct hpc_error *err)
{
    if (q->tries < q->site.tries) {
        printf("the job has ended without a word: sent again\n");
        return send(q, err);
    }
    hpc_fail_env(err,
                 "%s: sent %d times, and no job of it came to an end; %s/screen.txt has its words",
                 q->p->lab->name, q->tries, q->base);
    char *now = hpc_printf("%s/now", q->folder);
    unlink(now); /* the next call sends the files anew; the log stays */
    free(now);
    return false;
}

static bool follow(struct own *q, struct hpc_error *err)
{
    struct slurm_jobs jobs;
    struct hpc_error trouble;
    while (!hpc_interrupted() && !ended(q)) {
        if (!slurm_look(q->base, q->name, &jobs, &trouble)) {
            if (!hpc_interrupted())
                hpc_report(&trouble);
        } else if (!jobs.waiting && !jobs.running) {
            if (!settled(q) && !send_again(q, err))
                return false;
        } else if (jobs.stuck[0]) {
            slurm_cancel(q->base, q->name, jobs.stuck, NULL);
        } else {
            say_place(q, &jobs);
            slurm_say_why(&jobs, q->file, q->why);
        }
        for (int i = 0; i < 10 * LOOK_S && !hpc_interrupted() && !ended(q); i++)
            usleep(100000);
    }
    return ended(q) || hpc_fail_env(err,
                                    "interrupted; the job goes on, and ./grade --queue follows "
                                    "it (scancel --name %s ends it)",
                                    q->name);
}

/* What ./grade printed there, and its status. */
static int show(struct own *q)
{
    char *log = command_text(q->base, "screen.txt", NULL);
    char *text = command_text(q->base, "status", NULL);
    int status = text ? atoi(text) : HPC_EXIT_ENVIRONMENT;
    printf("\n%s", log ? log : "");
    fflush(stdout);
    if (status == 124 || status == 137) {
        fprintf(stderr, "hpclab: %s: %s the %d minutes that %s allows a task\n", q->p->lab->name,
                status == 124 ? "beyond" : "killed on its node, or beyond", q->site.minutes,
                q->file);
        status = HPC_EXIT_ENVIRONMENT;
    }
    free(text);
    free(log);
    forget(q);
    return status;
}

/* The file of the site, which a course lays into the project's folder. */
static bool read_site(struct own *q, bool usual, struct hpc_error *err)
{
    return !usual || access(q->file, F_OK) == 0
               ? site_read(q->file, &q->site, err)
               : hpc_fail(err,
                          "%s: not there; it says how your site's Slurm is asked "
                          "(docs/instructor.md, On a cluster), expected it or --queue=SITE.ini",
                          q->file);
}

int cluster_own(const struct project *p, const char *file, const struct own_words *words)
{
    char *usual = hpc_printf("%s/cluster.ini", p->root);
    struct own q = {.p = p, .file = *file ? file : usual, .lock = -1};
    struct hpc_error err;
    q.folder = hpc_printf("%s/results/queue", p->root);
    bool good = read_site(&q, !*file, &err) && open_folder(&q, &err);
    if (good)
        find_sent(&q);
    good = good && (q.base || send_new(&q, words, &err)) && follow(&q, &err);
    const int status = good                ? show(&q)
                       : hpc_interrupted() ? (hpc_report(&err), 130)
                                           : hpc_report(&err);
    if (q.lock >= 0)
        close(q.lock);
    site_free(&q.site);
    free(q.base);
    free(q.folder);
    free(usual);
    return status;
}
