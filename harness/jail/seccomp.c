/* What a profile may ask of the kernel, by libseccomp, which knows every architecture's numbers. A
 * variant gets a list of what it may; compilers, sanitizers and a GPU's driver, whose needs change
 * from version to version, a list of what they may not. Without libseccomp only the small filter of
 * filter.c is left. */
#define _GNU_SOURCE
#include "harness/jail/internal.h"

#ifdef HPC_SECCOMP

#include <errno.h>
#include <fcntl.h>
#include <sched.h>
#include <seccomp.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

/* Memory, threads, clocks, files that are open or may be opened, itself. */
static const char may[] =
    "mmap munmap mremap mprotect brk madvise mincore msync mlock munlock pkey_mprotect pkey_alloc "
    "pkey_free membarrier "
    /* threads */
    "clone futex futex_waitv futex_wait futex_wake futex_requeue set_robust_list get_robust_list "
    "set_tid_address rseq gettid getpid getppid exit exit_group sched_yield sched_getaffinity "
    "sched_getparam sched_getscheduler sched_get_priority_max sched_get_priority_min getcpu "
    "arch_prctl restart_syscall "
    /* signals of its own; filter.c looks at whom they are for */
    "rt_sigaction rt_sigprocmask rt_sigreturn rt_sigpending rt_sigtimedwait rt_sigsuspend "
    "sigaltstack kill tgkill rt_sigqueueinfo rt_tgsigqueueinfo pause "
    /* clocks */
    "clock_gettime clock_getres clock_nanosleep nanosleep gettimeofday time times getitimer "
    "setitimer alarm timer_create timer_settime timer_gettime timer_getoverrun timer_delete "
    /* files */
    "read readv pread64 preadv preadv2 write writev pwrite64 pwritev pwritev2 open openat close "
    "close_range lseek fstat stat lstat newfstatat statx statfs fstatfs access faccessat "
    "faccessat2 readlink readlinkat getdents64 getdents getcwd dup dup2 dup3 ftruncate "
    "fallocate unlink unlinkat rename renameat renameat2 mkdir mkdirat rmdir fsync fdatasync "
    "fadvise64 poll ppoll select pselect6 pipe pipe2 "
    /* who and where it is */
    "uname sysinfo getuid geteuid getgid getegid getresuid getresgid getgroups getpgrp getpgid "
    "getsid getrlimit getrusage getpriority getrandom umask "
    /* its own start, which filter.c lets through once */
    "execveat";

/* Ways out of a jail, into the kernel, or into another process. */
static const char may_not[] =
    /* other processes; ptrace is for sanitizers, see below */
    "process_vm_readv process_vm_writev process_madvise process_mrelease pidfd_getfd kcmp "
    "migrate_pages move_pages "
    /* namespaces, mounts */
    "unshare setns mount umount umount2 mount_setattr move_mount open_tree fsopen fsconfig fsmount "
    "fspick pivot_root chroot open_by_handle_at name_to_handle_at "
    /* large pieces of the kernel that nothing here needs */
    "bpf perf_event_open io_uring_setup io_uring_enter io_uring_register userfaultfd keyctl "
    "add_key "
    "request_key fanotify_init modify_ldt vm86 vm86old memfd_secret quotactl quotactl_fd "
    "lookup_dcookie seccomp uselib "
    /* memory that outlives a process */
    "shmget shmat shmctl semget semop semctl semtimedop msgget msgsnd msgrcv msgctl mq_open "
    "mq_unlink "
    /* the machine */
    "reboot kexec_load kexec_file_load init_module finit_module delete_module swapon swapoff "
    "settimeofday clock_settime clock_adjtime adjtimex stime sethostname setdomainname iopl ioperm "
    "acct syslog vhangup nfsservctl _sysctl sysfs ustat "
    /* more of the processors than it was given */
    "setpriority sched_setscheduler sched_setparam sched_setattr ioprio_set "
    /* leaving the session in which it is killed */
    "setsid";

/* The same for the group; mpirun gives each rank one of its own, in a namespace that dies as a
 * whole. */
static const char group[] = "setpgid";

static const char network[] = "accept accept4 sendto recvfrom sendmsg recvmsg sendmmsg recvmmsg";
static const char connections[] = "socket connect bind listen";

/* Of prctl, what a C library and a careful program use on themselves. */
static const unsigned may_prctl[] = {PR_SET_NAME,         PR_GET_NAME,       PR_GET_DUMPABLE,
                                     PR_GET_SECCOMP,      PR_GET_TIMERSLACK, PR_CAPBSET_READ,
                                     PR_GET_NO_NEW_PRIVS, 0x53564d41 /* PR_SET_VMA: names */};

/* Of fcntl, what is about a descriptor: no locks and leases, of which no limit says how many. */
static const unsigned may_fcntl[] = {F_DUPFD, F_DUPFD_CLOEXEC, F_GETFD,     F_SETFD,
                                     F_GETFL, F_SETFL,         F_GETPIPE_SZ};

/* The same action for every name of a list. One that this version of libseccomp does not know, or
 * this architecture does not have, is passed over. */
static bool rules(scmp_filter_ctx filter, uint32_t action, const char *names)
{
    bool good = true;
    char *words = hpc_strdup(names), *rest = NULL;
    for (char *w = strtok_r(words, " ", &rest); w && good; w = strtok_r(NULL, " ", &rest)) {
        int number = seccomp_syscall_resolve_name(w);
        if (number >= 0)
            good = seccomp_rule_add(filter, action, number, 0) == 0;
    }
    free(words);
    return good;
}

/* The same where argument `arg` compares so with `value`; under a mask, only where one is given. */
static bool rule_if(scmp_filter_ctx filter, uint32_t action, int number, unsigned arg,
                    enum scmp_compare compare, uint64_t value, uint64_t mask)
{
    struct scmp_arg_cmp a = {.arg = arg, .op = compare, .datum_a = value};
    if (compare == SCMP_CMP_MASKED_EQ)
        a = (struct scmp_arg_cmp){.arg = arg, .op = compare, .datum_a = mask, .datum_b = value};
    return seccomp_rule_add_array(filter, action, number, 1, &a) == 0;
}

static bool add_allowed(scmp_filter_ctx f)
{
    bool good = rules(f, SCMP_ACT_ALLOW, may);
    for (size_t i = 0; i < sizeof may_prctl / sizeof *may_prctl; i++)
        good = good && rule_if(f, SCMP_ACT_ALLOW, SCMP_SYS(prctl), 0, SCMP_CMP_EQ, may_prctl[i], 0);
    for (size_t i = 0; i < sizeof may_fcntl / sizeof *may_fcntl; i++)
        good = good && rule_if(f, SCMP_ACT_ALLOW, SCMP_SYS(fcntl), 1, SCMP_CMP_MASKED_EQ,
                               may_fcntl[i], UINT32_MAX /* all that the kernel looks at */);
    /* reading its limits, not moving them */
    return good && rule_if(f, SCMP_ACT_ALLOW, SCMP_SYS(prlimit64), 2, SCMP_CMP_EQ, 0, 0);
}

/* Limits of others; but ranks end mpirun's starting of processes (runner/ranks.c), which a limit
 * that nobody can raise does. */
static bool refuse_others_limits(scmp_filter_ctx f, bool ranks)
{
    const struct scmp_arg_cmp others[] = {{.arg = 0, .op = SCMP_CMP_NE, .datum_a = 0},
                                          {.arg = 1, .op = SCMP_CMP_NE, .datum_a = RLIMIT_NPROC}};
    return seccomp_rule_add_array(f, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(prlimit64), ranks ? 2 : 1,
                                  others) == 0;
}

static bool add_refused(scmp_filter_ctx f, enum jail_profile profile)
{
    static const unsigned namespaces[] = {CLONE_NEWUSER, CLONE_NEWNS,  CLONE_NEWPID,   CLONE_NEWNET,
                                          CLONE_NEWIPC,  CLONE_NEWUTS, CLONE_NEWCGROUP};
    const uint32_t refuse = SCMP_ACT_ERRNO(EPERM);
    bool good = profile == JAIL_SANITIZED || rules(f, refuse, "ptrace");
    for (size_t i = 0; i < sizeof namespaces / sizeof *namespaces; i++)
        good = good && rule_if(f, refuse, SCMP_SYS(clone), 0, SCMP_CMP_MASKED_EQ, namespaces[i],
                               namespaces[i]);
    return good && rules(f, SCMP_ACT_ERRNO(ENOSYS), "clone3") && /* its flags can't be read */
           /* processors of others (LLVM's OpenMP insists on its own); outliving its parent */
           rule_if(f, refuse, SCMP_SYS(sched_setaffinity), 0, SCMP_CMP_NE, 0, 0) &&
           refuse_others_limits(f, profile == JAIL_MPI) &&
           rule_if(f, refuse, SCMP_SYS(prctl), 0, SCMP_CMP_MASKED_EQ, PR_SET_PDEATHSIG,
                   UINT32_MAX /* all that the kernel looks at */);
}

/* CUDA's driver asks for the socket of a service, MPS, and offers one of its own that no other
 * process here needs. Both attempts are let be made, and come to nothing: no service is there, and
 * nobody is answered. */
static bool add_driver_sockets(scmp_filter_ctx f)
{
    const uint32_t refuse = SCMP_ACT_ERRNO(EPERM);
    const uint64_t kind = 0xf; /* the type without its flags */
    return rules(f, SCMP_ACT_ERRNO(ENOENT), "connect") &&
           rule_if(f, refuse, SCMP_SYS(socket), 0, SCMP_CMP_NE, AF_UNIX, 0) &&
           rule_if(f, refuse, SCMP_SYS(socket), 1, SCMP_CMP_MASKED_EQ, SOCK_DGRAM, kind) &&
           rule_if(f, refuse, SCMP_SYS(socket), 1, SCMP_CMP_MASKED_EQ, SOCK_RAW, kind);
}

/* TCP and UDP, of the kind that a namespace keeps to itself, which it does not with all families
 * (AF_VSOCK reaches the host). And a mapping keeps its place and size: what is mapped of a shared
 * memory could grow over what other ranks have of it. C's library copies where it may not. Nor are
 * there files in memory without a folder: nobody counts those. */
static bool add_loopback(scmp_filter_ctx f)
{
    const uint64_t kind = 0xf; /* the type without its flags */
    return rule_if(f, SCMP_ACT_ERRNO(EAFNOSUPPORT), SCMP_SYS(socket), 0, SCMP_CMP_NE, AF_INET, 0) &&
           rules(f, SCMP_ACT_ERRNO(ENOMEM), "mremap") &&
           rules(f, SCMP_ACT_ERRNO(ENOSYS), "memfd_create") &&
           rule_if(f, SCMP_ACT_ERRNO(EPERM), SCMP_SYS(socket), 1, SCMP_CMP_MASKED_EQ, SOCK_RAW,
                   kind) &&
           rules(f, SCMP_ACT_ERRNO(EPERM), "sched_setaffinity");
}

/* Sockets, and messages through them, as far as this profile has any. */
static bool add_network(scmp_filter_ctx f, enum jail_profile profile, bool gpu)
{
    const uint32_t refuse = SCMP_ACT_ERRNO(EPERM);
    if (profile == JAIL_MPI)
        return add_loopback(f);
    return rules(f, refuse, group) && rules(f, refuse, network) &&
           (gpu ? add_driver_sockets(f) : rules(f, refuse, connections));
}

/* The filter's program into c->filter, through a file: libseccomp writes to no memory. */
static bool export(scmp_filter_ctx filter, struct confine *c)
{
    int fd = memfd_create("filter", MFD_CLOEXEC);
    ssize_t n = -1;
    if (fd >= 0 && seccomp_export_bpf(filter, fd) == 0)
        n = pread(fd, c->filter, sizeof c->filter, 0);
    off_t size = fd >= 0 ? lseek(fd, 0, SEEK_END) : -1;
    if (fd >= 0)
        close(fd);
    c->n_filter = n > 0 ? (uint32_t)((size_t)n / sizeof *c->filter) : 0;
    return n > 0 && n == size;
}

static bool make_filter(enum jail_profile profile, bool gpu, struct confine *c)
{
    bool listed = profile == JAIL_RUN && !gpu;
    /* What is not listed is said not to exist: libraries then take an older way. */
    scmp_filter_ctx f = seccomp_init(listed ? SCMP_ACT_ERRNO(ENOSYS) : SCMP_ACT_ALLOW);
    bool good =
        f != NULL && seccomp_attr_set(f, SCMP_FLTATR_ACT_BADARCH, SCMP_ACT_ERRNO(EPERM)) == 0;
    if (good) /* a tree; older versions have none */
        seccomp_attr_set(f, SCMP_FLTATR_CTL_OPTIMIZE, 2);
    good = good && rules(f, SCMP_ACT_ERRNO(EPERM), may_not) && add_network(f, profile, gpu) &&
           (listed ? add_allowed(f) : add_refused(f, profile)) && export(f, c);
    if (f)
        seccomp_release(f);
    return good;
}

bool jail_seccomp(const struct jail_spec *spec, struct confine *c)
{
    /* Made once each, in 1 ms. */
    static struct kept {
        uint32_t n;
        struct sock_filter filter[CONFINE_MAX_FILTER];
    } kept[JAIL_PROFILES][2];
    struct kept *k = &kept[spec->profile][spec->gpu];
    if (!k->n) {
        if (!make_filter(spec->profile, spec->gpu, c))
            return false;
        k->n = c->n_filter;
        memcpy(k->filter, c->filter, sizeof k->filter);
    }
    c->n_filter = k->n;
    memcpy(c->filter, k->filter, sizeof c->filter);
    return true;
}

const char *jail_filter_name(void)
{
    return "seccomp";
}

#else

bool jail_seccomp(const struct jail_spec *spec, struct confine *c)
{
    (void)spec;
    c->n_filter = 0;
    return true;
}

const char *jail_filter_name(void)
{
    return "filter";
}

#endif
