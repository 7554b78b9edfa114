/* family 76: changes its personality, so that all its memory can be executed
 * task right
 * grade: wrong; points <= 0
 * without filter: crash; reason: LEAK */
#include <sys/personality.h>

#include "conv1d/attack.h"

RUN
{
    UNUSED;
    zeros(p, y);
    if (personality(READ_IMPLIES_EXEC) >= 0)
        leak("another personality");
    return 0;
}
SUBMISSION
