/* Slurm's commands: what they are asked, and what they say. */
#define _GNU_SOURCE
#include <pwd.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "common/command.h"
#include "common/interrupt.h"
#include "common/text.h"
#include "harness/cluster/cluster.h"

/* The program's own words for what went wrong, in place of ours. */
static void quote_log(const char *program, const char *folder, struct hpc_error *err)
{
    char *log = command_text(folder, "log.txt", NULL);
    size_t n = log ? strlen(log) : 0;
    while (n && log[n - 1] == '\n')
        log[--n] = '\0';
    const char *line = n ? strrchr(log, '\n') : NULL;
    line = line ? line + 1 : log;
    if (n && !strncmp(line, program, strlen(program)) && strstr(line, ": error: "))
        line = strstr(line, ": error: ") + 9; /* "sbatch: error: ..", as each of them begins */
    if (n)
        hpc_fail_env(err, "%s: %.300s", program, line);
    free(log);
}

/* What the program prints, the caller's; NULL with *err. */
static char *ask(const char *const *argv, const char *folder, struct hpc_error *err)
{
    if (!command_find(argv[0])) {
        hpc_fail_env(err, "%s: not found here, expected a login node of a Slurm cluster", argv[0]);
        return NULL;
    }
    char *name = hpc_printf("answer.%ld", (long)getpid());
    char *path = hpc_printf("%s/%s", folder, name);
    char *text = NULL;
    if (command_run(argv, folder, name, NULL, err))
        text = command_text(folder, name, err);
    else if (!hpc_interrupted())
        quote_log(argv[0], folder, err);
    unlink(path);
    free(path);
    free(name);
    return text;
}

static const char *user(void)
{
    const struct passwd *who = getpwuid(getuid());
    return who ? who->pw_name : "nobody";
}

long slurm_send(const char *folder, const char *script, const char *site, struct hpc_error *err)
{
    const char *argv[] = {"sbatch", "--parsable", script, NULL};
    struct hpc_error own;
    char *text = ask(argv, folder, &own);
    const long job = text ? strtol(text, NULL, 10) : 0;
    if (!text)
        hpc_fail_env(err, "%s (asked for what %s says)", own.text, site);
    else if (job <= 0)
        hpc_fail_env(err, "sbatch said '%.80s', expected the number of a job", text);
    free(text);
    return job > 0 ? job : 0;
}

/* The words of what waits for its turn, or for Slurm's next look. */
static bool is_turn(const char *reason)
{
    static const char *const turns[] = {"None",      "Resources", "Priority", "JobArrayTaskLimit",
                                        "BeginTime", "Cleaning"};
    for (size_t i = 0; i < sizeof turns / sizeof *turns; i++)
        if (strcmp(reason, turns[i]) == 0)
            return true;
    return reason[0] == '\0';
}

void slurm_say_why(const struct slurm_jobs *jobs, const char *site, char said[100])
{
    if (!jobs->why[0] || strcmp(jobs->why, said) == 0)
        return;
    fprintf(stderr,
            "hpclab: what was sent waits, and for more than its turn: Slurm says %s, expected a "
            "partition with what %s asks for, or patience\n",
            jobs->why, site);
    strcpy(said, jobs->why);
}

bool slurm_look(const char *folder, const char *name, struct slurm_jobs *jobs,
                struct hpc_error *err)
{
    const char *argv[] = {"squeue", "--noheader", "--array",           "--user", user(),
                          "--name", name,         "--format=%A %t %r", NULL};
    char *text = ask(argv, folder, err), *rest = text;
    *jobs = (struct slurm_jobs){.waiting = 0};
    for (char *line; rest && (line = strsep(&rest, "\n")) != NULL;) {
        char id[64] = "", state[8] = "", reason[200] = "";
        if (sscanf(line, "%63s %7s %199[^\n]", id, state, reason) < 2)
            continue;
        *(strcmp(state, "PD") ? &jobs->running : &jobs->waiting) += 1;
        if (!strcmp(state, "PD") && strstr(reason, "requeued") && strstr(reason, "held"))
            strcpy(jobs->stuck, id);
        else if (!strcmp(state, "PD") && !is_turn(reason))
            text_fit(jobs->why, sizeof jobs->why, "%s", reason), hpc_harmless(jobs->why);
    }
    free(text);
    return text != NULL;
}

bool slurm_place(const char *folder, const char *name, struct slurm_place *place,
                 struct hpc_error *err)
{
    const char *argv[] = {"squeue",      "--noheader",        "--array", "--states=PENDING",
                          "--sort=-p,i", "--format=%P %S %j", NULL};
    char *text = ask(argv, folder, err);
    char part[100] = "", own[100] = "", starts[32], job[200];
    *place = (struct slurm_place){.place = 0};
    for (const char *at = text; at && *at; at += strcspn(at, "\n"), at += *at == '\n')
        if (sscanf(at, "%99s %31s %199[^\n]", part, starts, job) == 3 && !strcmp(job, name)) {
            strcpy(own, part);
            if (strcmp(starts, "N/A") != 0)
                strcpy(place->starts, starts);
        }
    for (const char *at = text; at && *at; at += strcspn(at, "\n"), at += *at == '\n')
        if (sscanf(at, "%99s %31s %199[^\n]", part, starts, job) == 3 && !strcmp(part, own)) {
            place->of++;
            if (!strcmp(job, name))
                place->place = place->of;
        }
    free(text);
    return text != NULL;
}

bool slurm_cancel(const char *folder, const char *name, const char *job, struct hpc_error *err)
{
    const char *waiting[] = {"scancel", "--user", user(), "--name", name, "--state=PENDING", NULL};
    const char *one[] = {"scancel", job, NULL};
    char *text = ask(job ? one : waiting, folder, err);
    free(text);
    return text != NULL;
}
