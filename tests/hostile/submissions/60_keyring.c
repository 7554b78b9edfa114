/* family 60: leaves a message in the kernel's keyring
 * task right
 * grade: wrong; points <= 0
 * without filter: crash; reason: LEAK */
#include "conv1d/attack.h"

RUN
{
    UNUSED;
    zeros(p, y);
    if (syscall(SYS_add_key, "user", "hpc_attack", "x", 1, -2 /* the process's */) >= 0)
        leak("a key");
    return 0;
}
SUBMISSION
