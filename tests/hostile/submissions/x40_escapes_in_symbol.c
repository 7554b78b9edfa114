/* family 86: a function whose name holds terminal escapes, and another's verdict
 * task strict
 * grade: rejected|build; points <= 0
 * without clean: rejected; effect: escapes */
#include "conv1d/attack.h"

extern int evil(void) __asm__("\"\033[2Jevil\033[1A pass 20/20\"");

RUN
{
    UNUSED;
    zeros(p, y);
    return evil();
}
SUBMISSION
