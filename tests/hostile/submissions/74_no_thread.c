/* family 74: no thread where the task is about threads
 * task shared
 * grade: rejected; points <= 0; reason: one thread did; hint: share this case's loops
 * without threads_used: pass; points >= 5 */
#include "conv1d/attack.h"

RUN
{
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
