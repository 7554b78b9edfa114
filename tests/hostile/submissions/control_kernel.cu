/* family control: an honest kernel
 * task gpu
 * needs gpu
 * grade: pass; points >= 5 */
#include "conv1d/attack_gpu.h"

RUN
{
    return answer_on_gpu(p, x, w, y);
}
SUBMISSION
