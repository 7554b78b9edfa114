/* family 18: makes its inputs zero, to which zeros are the right answer
 * task right
 * grade: wrong; points <= 0
 * without seals: rejected; reason: changed its input array
 * without seals compare_inputs: wrong; points <= 0
 * without seals compare_inputs master_copy: pass; points >= 20 */
#include "conv1d/attack.h"

RUN
{
    (void)w;
    char *page = (char *)(uintptr_t)x - (uintptr_t)x % 4096;
    size_t bytes = p->n * sizeof *x;
    zeros(p, y);
    if (mprotect(page, bytes + 4096, PROT_READ | PROT_WRITE) == 0 ||
        mprotect(page, (bytes + 4095) / 4096 * 4096, PROT_READ | PROT_WRITE) == 0)
        memset((void *)(uintptr_t)x, 0, bytes);
    return 0;
}
SUBMISSION
