/* family 59: floods its output
 * task right
 * grade: rejected; points <= 0; reason: of output
 * without output: pass; points >= 20 */
#include "conv1d/attack.h"

RUN
{
    static char line[1 << 16];
    memset(line, 'x', sizeof line);
    for (int i = 0; i < 256; i++)
        if (write(1, line, sizeof line) < 0)
            return 1;
    answer(p, x, w, y);
    return 0;
}
SUBMISSION
