/* A kernel that is out of bounds may well die of it: what was found is printed first. The text is
 * ready but for its source line; printing allocates, which a signal handler should not, so an alarm
 * ends the process where that hangs. */
#include <signal.h>
#include <stddef.h>
#include <stdlib.h>
#include <unistd.h>

#include "device/report/report.h"

static const int fatal[] = {SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT, SIGTERM, SIGINT};
enum { FATAL = sizeof fatal / sizeof *fatal };

static void die(int number)
{
    static volatile sig_atomic_t dying;
    signal(number, SIG_DFL);
    if (!dying) {
        dying = 1;
        signal(SIGALRM, SIG_DFL);
        alarm(5);
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
        struct sigaction action = {.sa_handler = die, .sa_flags = SA_ONSTACK | SA_NODEFER}, before;
        if (sigaction(fatal[i], NULL, &before) == 0 && before.sa_handler == SIG_DFL)
            sigaction(fatal[i], &action, NULL);
    }
}
