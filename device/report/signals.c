/* A kernel that is out of bounds may well die of it: what was found is printed first. The text is
 * ready but for its source line; printing allocates, which a signal handler should not, so an alarm
 * ends the process where that hangs. */
#define _GNU_SOURCE
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <ucontext.h>
#include <unistd.h>

#include "device/report/report.h"

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT};
enum { FATAL = sizeof fatal / sizeof *fatal };

/* Where the processor stood. */
static const void *place_of(const void *context)
{
    const ucontext_t *c = context;
#if defined(__x86_64__)
    return (const void *)(uintptr_t)(c->uc_mcontext.gregs[REG_RIP] + 1);
#elif defined(__aarch64__)
    return (const void *)(uintptr_t)(c->uc_mcontext.pc + 1);
#else
    (void)c;
    return NULL;
#endif
}

/* A kernel divides an integer by zero: here that ends the program, on a GPU it gives any number. */
static void add_division(const void *from)
{
    struct finding f = check_finding_here("launch-error", from);
    char who[80];
    check_report_thread(who, sizeof who, &f.at);
    check_append(f.text, sizeof f.text, "integer division by zero in %s: %s at %s:%d", f.kernel,
                 who, f.at.place.file, f.at.place.line);
    check_append(f.advice, sizeof f.advice,
                 "look at the divisor before: a GPU goes on with any number, a CPU ends here");
    check_report_add(&f, from, NULL);
}

static void die(int number, siginfo_t *info, void *context)
{
    static volatile sig_atomic_t dying;
    signal(number, SIG_DFL);
    if (!dying) {
        dying = 1;
        signal(SIGALRM, SIG_DFL);
        alarm(5);
        if (number == SIGFPE && info->si_code == FPE_INTDIV && dev_self && check_now.launch)
            add_division(place_of(context));
        check_report_flush();
    }
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
        struct sigaction action = {.sa_sigaction = die,
                                   .sa_flags = SA_ONSTACK | SA_NODEFER | SA_SIGINFO},
                         before;
        if (sigaction(fatal[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(fatal[i], &action, NULL);
    }
}
