/* family 66: asks not to die with the grader
 * task right
 * grade: wrong; points <= 0
 * without filter: crash; reason: LEAK */
#include <sys/prctl.h>

#include "conv1d/attack.h"

RUN
{
    UNUSED;
    zeros(p, y);
    if (prctl(PR_SET_PDEATHSIG, 0) == 0)
        leak("a longer life");
    return 0;
}
SUBMISSION
