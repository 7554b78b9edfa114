/* A kernel that is out of bounds may well die of it: what was found is printed first. The text is
 * ready but for its source line; printing allocates, which a signal handler should not, so an alarm
 * ends the process where that hangs. */
#define _GNU_SOURCE
#include <pthread.h>
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/report/report.h"

/* Of the rest, those that a kernel's own mistakes make, device/runtime/finish.c knows more. */
static const int fatal[] = {SIGILL, SIGABRT, SIGTERM, SIGINT};
enum { FATAL = sizeof fatal / sizeof *fatal };

void check_divided(const void *from)
{
    struct finding f = check_finding_here("launch-error", from);
    char who[80];
    check_report_thread(who, sizeof who, &f.at);
    check_append(f.text, sizeof f.text, "integer division by zero in %s: %s at %s:%d", f.kernel,
                 who, f.at.place.file, f.at.place.line);
    check_append(f.advice, sizeof f.advice,
                 "look at the divisor before: a GPU goes on with any number, here the kernel ends");
    check_report_add(&f, from, NULL);
}

void check_faulted(bool full, const void *from)
{
    struct finding f = check_finding_here("launch-error", from);
    char who[80];
    const bool users = f.at.place.line && !check_place_is_header(&f.at.place);
    if (!full && check_report_of(users ? &f.at.place : NULL))
        return; /* told by the call that the compiler put before the access */
    if (!users)
        check_place_set(&f.at.place, check_now.launch->file, check_now.launch->line);
    check_report_thread(who, sizeof who, &f.at);
    check_append(f.text, sizeof f.text, "%s in %s: %s at %s:%d", full ? "stack overflow" : "fault",
                 f.kernel, who, f.at.place.file, f.at.place.line);
    check_append(f.advice, sizeof f.advice,
                 full ? "call less deep, or cudaDeviceSetLimit(cudaLimitStackSize, bytes) before "
                        "the launch: a GPU's threads have 1 KiB"
                      : "look at arrays of the thread's own, and pointers into them: what is "
                        "written behind one is another variable, or a pointer");
    check_report_add(&f, from, NULL);
}

/* ---- errors that nobody looked at: kept until somebody asks for the last error, and told at the
 * program's end, however it ends. The first is kept: others follow from it. ---- */

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct finding unseen; /* kind NULL: none */

void check_unseen_tell(void)
{
    struct finding f = unseen;
    unseen.kind = NULL;
    if (f.kind)
        check_report_add(&f, (const void *)(uintptr_t)f.at.place.line, NULL);
}

void (*check_report_waiting)(void);

void check_dies(void)
{
    static volatile sig_atomic_t dying;
    if (dying)
        return;
    dying = 1;
    signal(SIGALRM, SIG_DFL);
    alarm(5);
    if (check_report_waiting)
        check_report_waiting();
    check_unseen_tell();
    check_report_flush();
}

static void die(int number)
{
    signal(number, SIG_DFL);
    check_dies();
    raise(number);
}

void check_report_on_signals(void)
{
    static bool done;
    if (done)
        return;
    done = true;
    /* Fibers are small, and one may have overflowed. */
    enum { BYTES = 256 << 10 };
    stack_t stack = {.ss_sp = malloc(BYTES), .ss_size = BYTES}, old;
    if (stack.ss_sp && sigaltstack(NULL, &old) == 0 && old.ss_flags & SS_DISABLE)
        sigaltstack(&stack, NULL);
    for (size_t i = 0; i < FATAL; i++) {
        struct sigaction action = {.sa_handler = die, .sa_flags = SA_ONSTACK | SA_NODEFER}, before;
        if (sigaction(fatal[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(fatal[i], &action, NULL);
    }
}

static void keep(const struct finding *f)
{
    check_report_on_signals(); /* a program that finds its result wrong may abort */
    pthread_mutex_lock(&lock);
    if (!unseen.kind)
        unseen = *f;
    pthread_mutex_unlock(&lock);
}

void check_launch_failed(const struct dev_launch *launch, const char *error)
{
    struct finding f = {.kind = "launch-error", .kernel = launch->kernel};
    check_report_site(&f.at.place, (struct dev_site){launch->file, launch->line});
    check_append(f.text, sizeof f.text,
                 "launch error: %s<<<(%u,%u,%u), (%u,%u,%u), %zu>>> at %s:%d: %s", launch->kernel,
                 launch->grid.x, launch->grid.y, launch->grid.z, launch->block.x, launch->block.y,
                 launch->block.z, launch->dynamic_shared, f.at.place.file, launch->line, error);
    check_append(f.advice, sizeof f.advice, "look at cudaGetLastError() after every launch");
    keep(&f);
}

void check_call_failed(const char *call, const char *error, bool of_kernel, struct dev_site site)
{
    struct finding f = {.kind = "api-error"};
    check_report_site(&f.at.place, site);
    /* What is wrong there, or made the kernel end, has been told. */
    if (of_kernel ? check_report_of(NULL) : check_report_of(&f.at.place))
        return;
    check_append(f.text, sizeof f.text, "error that nobody looked at: %s at %s:%d returned \"%s\"",
                 call, f.at.place.file, site.line, error);
    check_append(f.advice, sizeof f.advice,
                 "compare what a call returns with cudaSuccess, and print cudaGetErrorString() of "
                 "it: what follows works with what was not done");
    keep(&f);
}

void check_errors_asked(void)
{
    pthread_mutex_lock(&lock);
    unseen.kind = NULL;
    pthread_mutex_unlock(&lock);
}
