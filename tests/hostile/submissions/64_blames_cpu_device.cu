/* family 64: the same on the CPU device, which is no machine that fails
 * task device
 * grade: crash; points <= 0; reason: on the CPU device
 * without own_words: environment; points <= 0 */
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
