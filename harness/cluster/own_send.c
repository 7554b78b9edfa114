/* Sending a student's own lab: the site's quota, the files as they are now, the script. */
#define _GNU_SOURCE
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "common/text.h"
#include "harness/cluster/own.h"

#define MARGIN_S 30 /* of a task's minutes for its start and its end */
#define DAY_S    (24 * 60 * 60)

/* How many were sent within a day, and when the first of them is a day old. */
static int sent_today(const struct own *q, time_t now, time_t *next)
{
    char *text = command_text(q->folder, "sent", NULL), *rest = text;
    int n = 0;
    for (char *line; rest && (line = strsep(&rest, "\n")) != NULL;) {
        const time_t when = (time_t)strtoll(line, NULL, 10);
        if (when > now - DAY_S && when <= now && n++ == 0)
            *next = when + DAY_S;
    }
    free(text);
    return n;
}

bool own_within_quota(const struct own *q, struct hpc_error *err)
{
    const time_t now = time(NULL);
    time_t next = now;
    const int sent = sent_today(q, now, &next);
    struct tm local;
    char clock[32];
    if (!q->site.a_day || sent < q->site.a_day)
        return true;
    strftime(clock, sizeof clock, "%F %H:%M", localtime_r(&next, &local));
    return hpc_fail(err, "%s: a_day = %d, and so many were sent within a day; the next one at %s",
                    q->file, q->site.a_day, clock);
}

bool own_note_sent(const struct own *q, struct hpc_error *err)
{
    char *path = hpc_printf("%s/sent", q->folder);
    FILE *f = fopen(path, "ae");
    time_t next;
    bool good = f && fprintf(f, "%lld %s\n", (long long)time(NULL), q->p->lab->name) > 0;
    good = f && fclose(f) == 0 && good;
    if (!good)
        hpc_fail_env(err, "%s: %s, expected room for it", path, strerror(errno));
    free(path);
    if (good && q->site.a_day)
        printf("%d of %d that %s allows a day\n", sent_today(q, time(NULL), &next), q->site.a_day,
               q->file);
    return good;
}

/* The lab's files as they are now: what waits is not what is edited meanwhile. */
static bool copy_files(const struct own *q, struct hpc_error *err)
{
    const struct lab *lab = q->p->lab;
    char *to = hpc_printf("%s/labs/%s", q->base, lab->name);
    bool good = folder_make(to, err);
    for (int i = 0; i < lab->n_tasks && good; i++) {
        char *from = hpc_printf("%s/labs/%s/%s", q->p->root, lab->name, lab->tasks[i].file);
        const char *argv[] = {"cp", "-L", "--", from, to, NULL};
        good = access(from, F_OK) != 0 || command_run(argv, q->base, "copied", NULL, err);
        free(from);
    }
    free(to);
    return good;
}

static void add_words(const struct own_words *words, struct text *body)
{
    for (int i = 0; i < words->only->n; i++)
        text_add(body, " --only %s", words->only->word[i]); /* a task's name */
    if (words->implementation)
        text_add(body, " --impl %s", words->implementation);
    if (words->device)
        text_add(body, " --device %s", words->device);
    if (words->seed)
        text_add(body, " --seed %" PRIu64, *words->seed);
    text_add(body, "%s%s", words->quick ? " --quick" : "", words->verbose ? " --verbose" : "");
}

/* ./grade, told to end before Slurm ends it; its status is written once it has one of its own. */
static bool write_script(const struct own *q, const struct own_words *words, struct hpc_error *err)
{
    struct text body = {0}, more = {0};
    char *program = cluster_program(), *base = command_quoted(q->base);
    text_add(&body, "timeout --signal=TERM --kill-after=15 %d %s grade %s --plain --sent %s",
             q->site.minutes * 60 - MARGIN_S, program, q->p->lab->name, base);
    add_words(words, &body);
    text_add(&body, "\nstatus=$?\n[ $status = 130 ] || { echo $status >%s/status.new && ", base);
    text_add(&body, "mv %s/status.new %s/status; }", base, base);
    text_add(&more, "#SBATCH --job-name=%s\n#SBATCH --no-requeue\n#SBATCH --output=%s/screen.txt",
             q->name, q->base);
    char *script = hpc_printf("%s/script.sh", q->base);
    const bool good = site_script(&q->site, q->p, q->site.exclusive && !words->quick,
                                  text_string(&more), text_string(&body), script, err);
    free(script);
    free(base);
    free(program);
    text_free(&more);
    text_free(&body);
    return good;
}

bool own_write(const struct own *q, const struct own_words *words, struct hpc_error *err)
{
    return copy_files(q, err) && write_script(q, words, err);
}
