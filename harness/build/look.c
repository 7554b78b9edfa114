/* A look at what a compiler made of a student's source, in a process of its own. The look is ours;
 * how long it takes, how deep it goes and how much it writes is the source's doing, and what ends
 * it must not end the grader. */
#define _GNU_SOURCE
#include "common/defence.h"
#include "common/error.h"
#include "common/interrupt.h"
#include "harness/build/internal.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#define LONGEST_FILE (64 << 20) /* that a look may write, as a compiler's */

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
    limit(RLIMIT_FSIZE, LONGEST_FILE);
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
