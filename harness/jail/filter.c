/* The filter for a process that is to stay alone, whose rules need values of this very process: it
 * may start threads but no process, signal only itself, and start one program, the one that is open
 * as CONFINE_PROGRAM_FD, after which no program can be started: that descriptor is closed by then,
 * and no new one gets a number above the limit. clone3, whose flags a filter can't read, is said
 * not to exist, and the C library falls back to clone. System calls of a foreign ABI fail.
 *
 * seccomp.c adds a list of all that a profile needs, where libseccomp is there to make it. */
#define _GNU_SOURCE
#include "harness/jail/confine.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <unistd.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

/* The low half of an argument: both architectures are little-endian. */
#define LOAD(field)      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define REFUSE(code)     BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (code))
#define ALLOW            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define IF_NOT(op, k, n) BPF_JUMP(BPF_JMP | (op) | BPF_K, (k), 0, (n)) /* skip n unless op(k) */

/* Refuse a system call. */
#define NEVER(number) IF_NOT(BPF_JEQ, (number), 1), REFUSE(EPERM)
/* Allow it where its first argument is `value`, which is loaded over the number. */
#define ONLY(number, value)                                                                        \
    IF_NOT(BPF_JEQ, (number), 4), LOAD(args[0]), IF_NOT(BPF_JEQ, (value), 1), ALLOW, REFUSE(EPERM)

static bool install(const struct sock_filter *filter, size_t n)
{
    struct sock_fprog program = {(unsigned short)n, (struct sock_filter *)filter};
    return prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

static bool install_alone(void)
{
#ifdef ARCHITECTURE
    unsigned self = (unsigned)getpid();
    const struct sock_filter filter[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        REFUSE(EPERM),
        LOAD(nr),
#ifdef __x86_64__
        IF_NOT(BPF_JGE, 0x40000000, 1), /* the x32 ABI */
        REFUSE(EPERM),
        NEVER(SYS_fork),
        NEVER(SYS_vfork),
#endif
        NEVER(SYS_execve),
        NEVER(SYS_tkill),
        NEVER(SYS_pidfd_send_signal),
        NEVER(SYS_sched_setaffinity),
        NEVER(SYS_userfaultfd), /* who reads memory of its would wait for it */
        ONLY(SYS_kill, self),
        ONLY(SYS_tgkill, self),
        ONLY(SYS_rt_sigqueueinfo, self),
        ONLY(SYS_rt_tgsigqueueinfo, self),
        IF_NOT(BPF_JEQ, SYS_clone3, 1),
        REFUSE(ENOSYS),
        IF_NOT(BPF_JEQ, SYS_clone, 4),
        LOAD(args[0]),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
        REFUSE(EPERM),
        ALLOW,
        IF_NOT(BPF_JEQ, SYS_execveat, 6),
        LOAD(args[0]),
        IF_NOT(BPF_JEQ, CONFINE_PROGRAM_FD, 3),
        LOAD(args[4]),
        IF_NOT(BPF_JEQ, AT_EMPTY_PATH, 1),
        ALLOW,
        REFUSE(EPERM),
        ALLOW,
    };
    return install(filter, sizeof filter / sizeof filter[0]);
#else
    return true;
#endif
}

bool confine_filters(const struct confine *c)
{
    return (!c->alone || install_alone()) && (!c->n_filter || install(c->filter, c->n_filter));
}
