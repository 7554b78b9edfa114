/* family 47: an object of 128 MiB
 * task right
 * long
 * grade: build; reason: by a limit: what it makes of the source is over 64 MiB; points <= 0
 * without build_limits: pass; points >= 20 */
#include "conv1d/attack.h"

int huge[1 << 25] = {1};

RUN
{
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
