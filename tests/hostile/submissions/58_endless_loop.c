/* family 58: an endless loop
 * task right
 * long
 * grade: timeout; points <= 0; reason: did not return within 1 s
 * without deadline: hangs */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    for (volatile int i = 0;; i++)
        ;
    return 0;
}
SUBMISSION
