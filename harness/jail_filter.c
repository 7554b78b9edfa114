/* A seccomp filter that lets a program start threads, but no process: fork, vfork and clone
 * without CLONE_THREAD fail with EPERM. clone3, whose flags a filter cannot read, is said not to
 * exist, and the C library falls back to clone. System calls of a foreign ABI fail too. */
#define _GNU_SOURCE
#include "harness/jail_internal.h"

#include <errno.h>
#include <linux/audit.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <stddef.h>
#include <sys/syscall.h>

#if defined(__x86_64__)
#define ARCHITECTURE AUDIT_ARCH_X86_64
#elif defined(__aarch64__)
#define ARCHITECTURE AUDIT_ARCH_AARCH64
#endif

#define LOAD(field)      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, offsetof(struct seccomp_data, field))
#define REFUSE(code)     BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ERRNO | (code))
#define ALLOW            BPF_STMT(BPF_RET | BPF_K, SECCOMP_RET_ALLOW)
#define IF_NOT(op, k, n) BPF_JUMP(BPF_JMP | (op) | BPF_K, (k), 0, (n)) /* skip n unless op(k) */

const struct sock_fprog *jail_no_fork(void)
{
#ifdef ARCHITECTURE
    static struct sock_filter filter[] = {
        LOAD(arch),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, ARCHITECTURE, 1, 0),
        REFUSE(EPERM),
        LOAD(nr),
#ifdef __x86_64__
        IF_NOT(BPF_JGE, 0x40000000, 1), /* the x32 ABI */
        REFUSE(EPERM),
        IF_NOT(BPF_JEQ, SYS_fork, 1),
        REFUSE(EPERM),
        IF_NOT(BPF_JEQ, SYS_vfork, 1),
        REFUSE(EPERM),
#endif
        IF_NOT(BPF_JEQ, SYS_clone3, 1),
        REFUSE(ENOSYS),
        IF_NOT(BPF_JEQ, SYS_clone, 3),
        LOAD(args[0]), /* the low half: both architectures are little-endian */
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 1, 0),
        REFUSE(EPERM),
        ALLOW,
    };
    static const struct sock_fprog program = {sizeof filter / sizeof filter[0], filter};
    return &program;
#else
    return NULL;
#endif
}
