/* family 61: asks for the kernel's virtual machine
 * task right
 * grade: wrong; points <= 0
 * without filter walls capabilities: crash; reason: LEAK; only: root */
#include <linux/bpf.h>

#include "conv1d/attack.h"

RUN
{
    UNUSED;
    zeros(p, y);
    /* A command that any user may try: its answer, even a refusal of what it asks for, is bpf's. */
    if (syscall(SYS_bpf, BPF_PROG_LOAD, NULL, 0) >= 0 || errno == EFAULT || errno == E2BIG ||
        errno == EINVAL)
        leak("bpf");
    return 0;
}
SUBMISSION
