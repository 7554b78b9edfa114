/* family 12: looks for the reference's program
 * task right
 * grade: wrong; points <= 0
 * without walls: crash; reason: LEAK */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    zeros(p, y);
    if (open(beside("build/cpu/run/conv1d/cpu/runner"), O_RDONLY) >= 0)
        leak("the baseline's program");
    return 0;
}
SUBMISSION
