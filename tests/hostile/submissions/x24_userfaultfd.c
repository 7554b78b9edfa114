/* family 94: holds its own reads of pages up, by userfaultfd
 * task right
 * grade: wrong; points <= 0
 * without filter: crash; reason: LEAK */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    zeros(p, y);
    if (syscall(323 /* userfaultfd */, 1 /* UFFD_USER_MODE_ONLY */) >= 0)
        leak("a userfaultfd");
    return 0;
}
SUBMISSION
