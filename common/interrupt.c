#define _GNU_SOURCE
#include "common/interrupt.h"

#include <signal.h>
#include <unistd.h>

/* How often, and what the second one calls: a signal handler can reach nothing else. */
static volatile sig_atomic_t interrupted;
static void (*at_last)(void);

static void on_signal(int number)
{
    (void)number;
    if (interrupted) {
        if (at_last)
            at_last();
        _exit(130);
    }
    interrupted = 1;
}

void interrupt_install(void (*last)(void))
{
    at_last = last;
    /* Restarting: only code that waits on purpose has to expect EINTR. */
    struct sigaction action = {.sa_handler = on_signal, .sa_flags = SA_RESTART};
    sigemptyset(&action.sa_mask);
    sigaction(SIGINT, &action, NULL);
    sigaction(SIGTERM, &action, NULL);
    sigaction(SIGHUP, &action, NULL);
    struct sigaction ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGPIPE, &ignore, NULL);
}

bool hpc_interrupted(void)
{
    return interrupted != 0;
}
