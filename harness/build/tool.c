/* A step of a build in a process of its own: one tool, in the jail; or a look of ours at what a
 * compiler made of a student's source. How long a look takes, how deep it goes and how much it
 * writes is the source's doing, and what ends it must not end the grader. */
#define _GNU_SOURCE
#include "common/defence.h"
#include "common/error.h"
#include "common/interrupt.h"
#include "harness/build/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

/* A compiler's seconds are a processor's; on a busy machine they take so many times longer. */
#define BUSY    5
#define AN_HOUR 3600

bool building_fail(struct building *b, enum verdict verdict, const char *reason)
{
    return outcome_set(&b->result->outcome, verdict, "%s", reason);
}

/* Leave out of what a tool printed where the project lies, and the stage, whose name holds the
 * machine's. */
static void strip_places(const struct building *b, char *text)
{
    const char *const places[] = {b->stage, b->spec->root};
    if (DEFENCE(places))
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            const size_t length = strlen(places[i]);
            for (char *at = text; length > 1 && (at = strstr(at, places[i])) != NULL;) {
                const size_t skip = length + (at[length] == '/');
                memmove(at, at + skip, strlen(at + skip) + 1);
            }
        }
}

bool building_run(struct building *b, struct command_line *argv)
{
    char library[BUILD_PATH], device[BUILD_PATH], headers[BUILD_PATH];
    const int seconds = build_seconds(b->spec);
    char *temporary = hpc_printf("TMPDIR=%s", b->stage);
    const char *env[] = {"PATH=/usr/bin:/bin", "LANG=C", "HOME=/tmp", temporary, NULL};
    const bool cuda = device_source(b->spec->source);
    const struct cudnn_place *cudnn = b->tools->cudnn;
    snprintf(library, sizeof library, "%s/build/lib", b->spec->root);
    snprintf(device, sizeof device, "%s/build/device", b->spec->root);
    snprintf(headers, sizeof headers, "%s/device", b->spec->root);
    struct jail_spec jail = {
        .argv = (const char *const *)argv->word,
        .env = env,
        .read_only = {library},
        .writable = b->stage,
        .folder = b->stage,
        .fds = {-1, -1},
        .profile = JAIL_BUILD,
        .limits = {.cpu_seconds = AN_HOUR,
                   .wall_seconds = AN_HOUR,
                   .memory_bytes = b->tools->limit_memory ? (size_t)2 << 30 : 0,
                   .resident_bytes = b->tools->limit_memory ? 0 : (size_t)4 << 30,
                   .output_bytes = BUILD_LOG_BYTES,
                   .processes = 64},
    };
    const char *others[] = {cuda ? device : NULL, cuda ? headers : NULL, b->tools->prefix,
                            cudnn ? cudnn->include : NULL, cudnn ? cudnn->package : NULL};
    for (size_t i = 0, n = 1; i < sizeof others / sizeof *others; i++)
        if (others[i])
            jail.read_only[n++] = others[i];
    if (DEFENCE(build_limits)) {
        jail.limits.cpu_seconds = seconds;
        jail.limits.wall_seconds = BUSY * seconds;
        jail.limits.file_bytes = BUILD_FILE_BYTES;
    }
    struct hpc_error err;
    struct jail_end end;
    struct jail *process = jail_start(&jail, &err);
    free(temporary);
    if (!process) {
        command_line_clear(argv);
        return building_fail(b, VERDICT_ENVIRONMENT, err.text);
    }
    char *text = hpc_malloc(BUILD_LOG_BYTES + 1);
    jail_wait(process, &end, text, BUILD_LOG_BYTES + 1);
    strip_places(b, text);
    for (int i = 0; i < argv->n; i++)
        fprintf(b->log, "%s%c", argv->word[i], i + 1 < argv->n ? ' ' : '\n');
    command_line_clear(argv);
    fputs(text, b->log);
    bool good = end.exited && end.exit_status == 0;
    if (!good)
        building_explain(b, &end, text);
    free(b->said);
    b->said = text;
    return good;
}

/* What a look leaves to the grader. */
struct looked {
    pid_t grader;
    bool good;
    char text[65];
    struct outcome outcome;
};

/* Counts of --coverage, which _exit() would drop. */
extern void __gcov_dump(void) __attribute__((weak));

static void limit(int what, rlim_t most)
{
    const struct rlimit limits = {most, what == RLIMIT_CPU ? most + 1 : most};
    setrlimit(what, &limits);
}

/* In the process of its own. */
static _Noreturn void look_alone(struct building *b, bool (*look)(struct building *, const void *),
                                 const void *data, struct looked *looked)
{
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != looked->grader) /* it died before */
        _exit(1);
    limit(RLIMIT_CPU, (rlim_t)build_seconds(b->spec));
    limit(RLIMIT_FSIZE, BUILD_FILE_BYTES);
    limit(RLIMIT_CORE, 0);
    looked->good = look(b, data);
    memcpy(looked->text, b->text, sizeof b->text);
    looked->outcome = b->result->outcome;
    if (__gcov_dump)
        __gcov_dump();
    _exit(0);
}

/* Wait until nobody holds the other end of `alive`, or the grader is to end. */
static void wait_for(pid_t process, int alive)
{
    struct pollfd p = {.fd = alive, .events = POLLIN};
    while (!hpc_interrupted() && (poll(&p, 1, 100) == 0 || (p.revents & (POLLHUP | POLLIN)) == 0))
        ;
    if (hpc_interrupted())
        kill(process, SIGKILL);
}

/* What is wrong with a source that a look did not come to its end with. */
static bool ended_early(struct building *b, int status)
{
    if (WIFSIGNALED(status) && WTERMSIG(status) == SIGXCPU)
        return outcome_set(&b->result->outcome, VERDICT_TIMEOUT,
                           "what the compiler makes of it could not be looked at within %d s",
                           build_seconds(b->spec));
    return outcome_set(&b->result->outcome, VERDICT_REJECTED,
                       "what the compiler makes of it is too long or nested too deep to be looked "
                       "at, which no task allows");
}

static bool look_beside(struct building *b, bool (*look)(struct building *, const void *),
                        const void *data)
{
    int alive[2], status = -1;
    struct looked *looked = building_room(sizeof *looked);
    looked->grader = getpid();
    const pid_t process = pipe2(alive, O_CLOEXEC) == 0 ? fork() : -1;
    if (process == 0)
        look_alone(b, look, data, looked);
    bool good = process > 0 || building_fail(b, VERDICT_ENVIRONMENT, strerror(errno));
    if (good) {
        close(alive[1]);
        wait_for(process, alive[0]);
        while (waitpid(process, &status, 0) < 0 && errno == EINTR)
            ;
        close(alive[0]);
        if (WIFEXITED(status) && WEXITSTATUS(status) == 0) {
            good = looked->good;
            memcpy(b->text, looked->text, sizeof b->text);
            b->result->outcome = looked->outcome;
        } else {
            good = ended_early(b, status);
        }
    }
    munmap(looked, sizeof *looked);
    return good;
}

bool building_look(struct building *b, bool (*look)(struct building *, const void *),
                   const void *data)
{
    if (DEFENCE(looks))
        return look_beside(b, look, data);
    return look(b, data);
}

void *building_room(size_t bytes)
{
    void *room = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (room == MAP_FAILED) {
        fprintf(stderr, "hpclab: out of memory\n");
        exit(HPC_EXIT_ENVIRONMENT);
    }
    return room;
}

bool building_object(struct building *b, const void *none)
{
    (void)none;
    const bool plain = !is_sanitized(b->spec->kind);
    const struct object_kind kind = {.cuda = device_source(b->spec->source),
                                     .sanitized = !plain,
                                     .threads = b->spec->kind == BUILD_THREADS,
                                     .openmp = b->tools->linker != NULL};
    const char *symbols = plain ? b->spec->symbols : NULL;
    if (DEFENCE(watched_objects))
        symbols = b->spec->symbols;
    char *whole = hpc_printf("%s/whole.o", b->stage);
    const bool good = object_allowed(whole, symbols, &kind, &b->result->outcome);
    free(whole);
    return good;
}
