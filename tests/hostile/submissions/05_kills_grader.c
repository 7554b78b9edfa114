/* family 5: kills the grader, and would signal everybody
 * task right
 * grade: wrong; points <= 0
 * without filter: wrong; points <= 0; only: namespaces
 * without filter walls: killed */
#include <signal.h>

#include "conv1d/attack.h"

RUN
{
    UNUSED;
    zeros(p, y);
    kill(getppid(), SIGKILL);
    return 0;
}
SUBMISSION
