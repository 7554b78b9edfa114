/* One task of the array: the submission of a list that Slurm's index names. */
#define _GNU_SOURCE
#include <errno.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "common/clock.h"
#include "common/command.h"
#include "common/interrupt.h"
#include "common/json.h"
#include "common/scratch.h"
#include "common/text.h"
#include "common/version.h"
#include "harness/cluster/cluster.h"

#define LOOK_MS 20
#define GRACE   10.0 /* seconds that one beyond its budget has to write what it has */

static const char *word(const json_t *from, const char *key)
{
    const char *value = json_string_value(json_object_get(from, key));
    return value ? value : "";
}

/* The class as far as a grading needs it: neither roster nor state come to a node. */
static bool read_class(struct project *p, const json_t *list, struct class_state *c,
                       struct hpc_error *err)
{
    *c = (struct class_state){.project = p, .lock = -1};
    c->o.quick = json_is_true(json_object_get(list, "quick"));
    c->o.budget = (int)json_integer_value(json_object_get(list, "budget"));
    return project_lab(p, word(list, "lab"), err) &&
           (strcmp(word(list, "version"), HPC_VERSION) == 0 ||
            hpc_fail_env(err, "hpclab %s here, expected %s as on the login node", HPC_VERSION,
                         word(list, "version"))) &&
           lab_device(p->lab, word(list, "device"), &c->device, err) &&
           text_fit(c->lab_hash, sizeof c->lab_hash, "%s", word(list, "lab_hash"));
}

static bool read_submission(const json_t *entry, struct class_state *c, struct submission *s,
                            struct class_job *j)
{
    *j = (struct class_job){.s = s, .seed = strtoull(word(entry, "seed"), NULL, 10)};
    *s = (struct submission){.path = hpc_strdup(word(entry, "path")),
                             .name = hpc_strdup(word(entry, "name"))};
    if (*word(entry, "told"))
        j->told = hpc_strdup(word(entry, "told"));
    roster_add(&c->roster, word(entry, "student"));
    struct roster_student *who = roster_find(&c->roster, word(entry, "student"));
    return who && text_fit(who->name, sizeof who->name, "%s", word(entry, "full_name")) &&
           text_fit(s->student, sizeof s->student, "%s", word(entry, "student")) &&
           text_fit(s->sha256, sizeof s->sha256, "%s", word(entry, "sha256")) &&
           text_fit(j->name, sizeof j->name, "%s", word(entry, "record"));
}

/* In a process of its own, which is told when its time is over. True where it ended by itself or
 * because of that; then its record, if it has written one, is at `path`. */
static bool grade(const struct class_state *c, const struct class_job *j, const char *path)
{
    const pid_t parent = getpid();
    bool over = false;
    int status = 0;
    fflush(NULL);
    const pid_t pid = fork();
    if (pid == 0) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        setpgid(0, 0);
        if (getppid() != parent)
            _exit(HPC_EXIT_ENVIRONMENT);
        const int ended = class_grade_one(c, j, path, NULL);
        fflush(NULL);
        _exit(ended);
    }
    const double began = clock_now();
    while (pid > 0 && !hpc_interrupted() && waitpid(pid, &status, WNOHANG) == 0) {
        const double spent = clock_now() - began;
        if (c->o.budget && spent > c->o.budget && !over)
            over = kill(pid, SIGTERM) == 0;
        else if (over && spent > c->o.budget + GRACE)
            kill(pid, SIGKILL);
        usleep(LOOK_MS * 1000);
    }
    if (pid > 0 && hpc_interrupted()) { /* preempted or called off: as if it had not begun */
        kill(pid, SIGKILL);
        waitpid(pid, NULL, 0);
        return false;
    }
    return pid > 0 && (over || (WIFEXITED(status) && WEXITSTATUS(status) == HPC_EXIT_OK));
}

/* The first record counts: a task that Slurm took for lost may end behind the one that followed. */
static bool put(const char *from, const char *to, struct hpc_error *err)
{
    bool good = link(from, to) == 0 || errno == EEXIST;
    if (!good && (errno == EPERM || errno == ENOTSUP || errno == EMLINK)) /* a file system's lack */
        good = rename(from, to) == 0;
    unlink(from);
    return good || hpc_fail_env(err, "%s: %s, expected the shared folder", to, strerror(errno));
}

static bool grade_entry(const struct class_state *c, const struct class_job *j, const char *spool,
                        struct hpc_error *err)
{
    char *to = hpc_printf("%s/%s", spool, j->name), *own = scratch_beside(to);
    bool good = access(to, F_OK) == 0;
    if (!good && access(j->s->path, R_OK) != 0)
        hpc_fail_env(err, "'%s': %s, expected what was handed in, on a shared folder", j->s->path,
                     strerror(errno));
    else if (good)
        printf("%s: graded already\n", j->s->student);
    else
        good = (grade(c, j, own) || hpc_fail_env(err, "%s: no record", j->s->student)) &&
               put(own, to, err);
    unlink(own);
    free(own);
    free(to);
    return good;
}

int cluster_node(struct project *p, const char *path, int index)
{
    struct hpc_error err;
    struct class_state c;
    struct submission s = {.path = NULL};
    struct class_job j;
    json_t *list = json_file(path, NULL);
    const json_t *entry = json_array_get(json_object_get(list, "tasks"), (size_t)index);
    bool good =
        entry || hpc_fail(&err, "%s: no entry %d, expected what `class grade` wrote", path, index);
    umask(0077);
    char *folder =
        hpc_printf("%.*s", (int)(strrchr(path, '/') ? strrchr(path, '/') - path : 0), path);
    good = good && read_class(p, list, &c, &err);
    if (good) {
        good = read_submission(entry, &c, &s, &j) ||
               hpc_fail(&err, "%s: entry %d: expected short words", path, index);
        good =
            good && node_good(&c, folder, &err) && grade_entry(&c, &j, word(list, "spool"), &err);
        roster_free(&c.roster);
        free(j.told);
        free(s.path);
        free(s.name);
    }
    free(folder);
    json_decref(list);
    return good ? HPC_EXIT_OK : hpc_report(&err);
}
