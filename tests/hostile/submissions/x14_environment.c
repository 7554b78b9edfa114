/* family 72: looks for secrets in the environment
 * task right
 * grade: wrong; points <= 0
 * without environment: crash; reason: LEAK */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    zeros(p, y);
    if (getenv("HPC_HOSTILE_SECRET"))
        leak(getenv("HPC_HOSTILE_SECRET"));
    return 0;
}
SUBMISSION
