/* family 58: stops itself, having refused all signals that can be refused
 * task right
 * long
 * grade: timeout; points <= 0; reason: did not return within 1 s
 * without deadline: hangs */
#include <signal.h>

#include "conv1d/attack.h"

RUN
{
    UNUSED;
    for (int s = 1; s < 32; s++)
        signal(s, SIG_IGN);
    for (;;)
        raise(SIGSTOP);
    return 0;
}
SUBMISSION
