#define _GNU_SOURCE
#include "common/interrupt.h"

#include <signal.h>
#include <unistd.h>

#include "common/clock.h"

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

static double
    budget_end; /* by clock_now(); 0: none. For those who ask, who have no argument for it */

void hpc_budget(double seconds)
{
    budget_end = seconds > 0 ? clock_now() + seconds : 0;
}

bool hpc_out_of_time(void)
{
    return budget_end > 0 && clock_now() > budget_end;
}

bool hpc_interrupted(void)
{
    return interrupted != 0 || hpc_out_of_time();
}
