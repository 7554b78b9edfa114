#define _GNU_SOURCE
#include "common/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include "harness/jail/jail.h"

static volatile sig_atomic_t interrupted; /* how often; a signal handler can reach nothing else */

static void on_signal(int number)
{
    (void)number;
    if (interrupted) {
        jail_kill_all();
        _exit(130);
    }
    interrupted = 1;
}

void interrupt_install(void)
{
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
