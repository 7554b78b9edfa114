/* family 64: the same on a GPU, which our own probe finds well
 * task gpu
 * needs gpu
 * grade: crash; points <= 0
 * without own_words probe: environment; points <= 0 */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    struct hpc_control *c = control_page();
    c->code = 999;
    __atomic_store_n(&c->status, HPC_STATUS_DEVICE, __ATOMIC_RELEASE);
    wake(&c->status);
    pause();
    return 0;
}
SUBMISSION
