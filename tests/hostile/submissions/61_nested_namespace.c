/* family 61: makes namespaces, in which it would be root
 * task right
 * grade: wrong; points <= 0
 * without filter: wrong; points <= 0
 * without filter walls: crash; reason: LEAK; only: namespaces */
#include "conv1d/attack.h"

#include <sched.h>

RUN
{
    UNUSED;
    zeros(p, y);
    if (unshare(CLONE_NEWUSER) == 0)
        leak("a namespace");
    return 0;
}
SUBMISSION
