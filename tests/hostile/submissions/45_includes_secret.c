/* family 45: includes a file of the home folder, if there is one
 * task right
 * grade: wrong|build; points <= 0
 * without walls: crash; reason: LEAK SECRET */
#include "conv1d/attack.h"
#if __has_include("@HOME@/secret.h")
#include "@HOME@/secret.h"
#endif

RUN
{
    UNUSED;
    zeros(p, y);
#ifdef SECRET
    leak(SECRET);
#endif
    return 0;
}
SUBMISSION
