/* family 93: held still while its inputs come, has a thread that undoes that, and starts early
 * task fast
 * alone without
 * grade: rejected; points <= 0; reason: ran while it was held still
 * without still cpu_bound call_processors: pass; points >= 30 */
#include <signal.h>

#include "conv1d/attack_early.h"

/* SIGCONT takes back a SIGSTOP that not all threads have heeded. */
static void *go_on(void *unused)
{
    for (;;)
        if (is_set(&work.called))
            usleep(50);
        else if (are_new())
            start_early();
        else
            kill(getpid(), SIGCONT);
    return unused;
}

static int begin_to_go_on(const struct hpc_env *env, const void *problem, void **state)
{
    return begin_with(go_on, env, problem, state);
}

SUBMISSION_WITH(begin_to_go_on, plain_close)
