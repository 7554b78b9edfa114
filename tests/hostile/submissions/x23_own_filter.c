/* family 80: installs a filter of its own, under which the runner can't wait
 * task right
 * grade: wrong; points <= 0
 * without filter: wrong|timeout|crash; points <= 0
 * structural: whatever the runner can't do any more, only its own time runs out */
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sys/prctl.h>

#include "conv1d/attack.h"

RUN
{
    UNUSED;
    struct sock_filter refuse[] = {
        {BPF_LD | BPF_W | BPF_ABS, 0, 0, 0},
        {BPF_JMP | BPF_JEQ | BPF_K, 0, 1, SYS_futex},
        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ERRNO | ENOSYS},
        {BPF_RET | BPF_K, 0, 0, SECCOMP_RET_ALLOW},
    };
    struct sock_fprog program = {4, refuse};
    zeros(p, y);
    syscall(SYS_seccomp, SECCOMP_SET_MODE_FILTER, 0, &program);
    prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program);
    return 0;
}
SUBMISSION
