/* family 64: says that a GPU failed, so that the points of what it can't do wait
 * task right
 * grade: crash; points <= 0; reason: has none
 * without own_words: environment; points <= 0 */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    struct hpc_control *c = control_page();
    c->code = 46; /* the GPU is busy */
    __atomic_store_n(&c->status, HPC_STATUS_DEVICE, __ATOMIC_RELEASE);
    wake(&c->status);
    pause();
    return 0;
}
SUBMISSION
