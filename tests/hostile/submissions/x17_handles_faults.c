/* family 75: watches page faults by userfaultfd
 * task right
 * grade: wrong; points <= 0
 * without filter: crash; reason: LEAK */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    zeros(p, y);
    if (syscall(SYS_userfaultfd, 1 /* UFFD_USER_MODE_ONLY */) >= 0)
        leak("page faults");
    return 0;
}
SUBMISSION
