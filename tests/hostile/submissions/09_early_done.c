/* family 9: says that it is done, then computes
 * task right
 * grade: wrong|rejected; points <= 0
 * without snapshot second_look: pass; points >= 20 */
#include "conv1d/attack.h"

RUN
{
    say_done();
    usleep(15000);
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
