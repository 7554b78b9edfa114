/* family 11: a time that no processor of this kind can have
 * task fast
 * grade: wrong|rejected; points <= 0
 * without snapshot second_look: impossible; points <= 10
 * without snapshot second_look floor: pass; points >= 45 */
#include "conv1d/attack.h"

RUN
{
    say_done();
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
