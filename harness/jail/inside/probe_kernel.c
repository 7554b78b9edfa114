/* The attempts of jail-probe on other processes, the network and the kernel. */
#define _GNU_SOURCE
#include "harness/jail/inside/probe.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/perf_event.h>
#include <sched.h>
#include <signal.h>
#include <netinet/in.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/ipc.h>
#include <sys/mount.h>
#include <sys/ptrace.h>
#include <sys/shm.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <unistd.h>

static char *const no_words[] = {NULL};

/* Processes. */
bool see_others(void)
{
    char path[64];
    snprintf(path, sizeof path, "/proc/%d/status", (int)grader);
    return can_open(path, O_RDONLY);
}
bool signal_grader(void)
{
    return kill(grader, 0) == 0;
}
bool signal_parent(void)
{
    return kill(getppid(), 0) == 0 || syscall(SYS_tgkill, getppid(), getppid(), 0) == 0;
}
bool signal_all(void)
{
    return kill(-1, 0) == 0;
}
bool trace(void)
{
    return ptrace(PTRACE_SEIZE, grader, NULL, NULL) == 0 ||
           ptrace(PTRACE_SEIZE, getppid(), NULL, NULL) == 0;
}
bool read_memory(void)
{
    char byte, path[64];
    struct iovec here = {&byte, 1}, there = {&grader, 1};
    snprintf(path, sizeof path, "/proc/%d/mem", (int)grader);
    return (process_vm_readv(grader, &here, 1, &there, 1, 0) < 0 && errno == EFAULT) ||
           can_open(path, O_RDONLY) || can_open("/proc/1/mem", O_RDONLY);
}
bool start_process(void)
{
    pid_t pid = fork();
    if (pid == 0)
        _exit(0);
    if (pid > 0)
        waitpid(pid, NULL, 0);
    return pid > 0;
}
bool start_vfork(void)
{
    pid_t pid = (pid_t)syscall(SYS_clone, SIGCHLD, NULL, NULL, NULL, NULL);
    if (pid == 0)
        _exit(0);
    if (pid > 0)
        waitpid(pid, NULL, 0);
    return pid > 0;
}
/* Each with a parent that is gone, in a group of its own, so that nobody but a namespace's end
 * finds it. */
bool many_processes(void)
{
    enum { MOST = 200 };
    int gone[2], started = 0;
    usleep(100000); /* until mpirun has passed on what was printed: this may be the end */
    if (pipe(gone) != 0)
        return false;
    for (pid_t pid = 0; started < MOST && (pid = fork()) >= 0; started++) {
        int status = 1;
        if (pid == 0) {
            setpgid(0, 0);
            pid_t orphan = fork();
            if (orphan == 0) {
                char byte;
                close(gone[1]);
                _exit((int)read(gone[0], &byte, 1)); /* until the probe is gone */
            }
            _exit(orphan < 0);
        }
        if (waitpid(pid, &status, 0) != pid || status != 0)
            break;
    }
    if (started == MOST)
        sleep(5); /* root's are counted from outside */
    close(gone[0]);
    close(gone[1]);
    return started == MOST;
}
/* A program that is not there: refused by the filter, or looked for. */
bool start_program(void)
{
    execve("/usr/.jail-probe", no_words, no_words);
    bool looked = errno == ENOENT;
    syscall(SYS_execveat, AT_FDCWD, "/usr/.jail-probe", no_words, no_words, 0);
    return looked || errno == ENOENT;
}
bool start_memory_program(void)
{
    int fd = (int)syscall(SYS_memfd_create, "probe", 0);
    bool made = fd >= 0 && write(fd, "x", 1) == 1;
    if (made)
        syscall(SYS_execveat, fd, "", no_words, no_words, AT_EMPTY_PATH);
    return made && errno == ENOEXEC;
}

/* The network, and what outlives a process. */
bool use_network(void)
{
    return socket(AF_INET, SOCK_STREAM, 0) >= 0 || socket(AF_NETLINK, SOCK_RAW, 0) >= 0;
}
bool use_unix_socket(void)
{
    return socket(AF_UNIX, SOCK_STREAM, 0) >= 0;
}
/* What a process does that speaks with another over TCP; false where any step fails. */
static bool connects(int from, const struct sockaddr *to, socklen_t length)
{
    bool good = from >= 0 && connect(from, to, length) == 0;
    if (from >= 0)
        close(from);
    return good;
}
static struct sockaddr_in loopback(int at)
{
    struct sockaddr_in a = {.sin_family = AF_INET, .sin_port = htons((uint16_t)at)};
    a.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    return a;
}
bool use_loopback(void)
{
    int server = socket(AF_INET, SOCK_STREAM, 0);
    struct sockaddr_in own = loopback(0);
    socklen_t length = sizeof own;
    bool good = server >= 0 && bind(server, (struct sockaddr *)&own, sizeof own) == 0 &&
                listen(server, 1) == 0 &&
                getsockname(server, (struct sockaddr *)&own, &length) == 0 &&
                connects(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&own, sizeof own);
    if (server >= 0)
        close(server);
    return good;
}
/* By TCP, or by an abstract name, which no folder keeps from anybody. */
bool reach_host(void)
{
    struct sockaddr_in tcp = loopback(port);
    struct sockaddr_un named = {.sun_family = AF_UNIX};
    int n = snprintf(named.sun_path + 1, sizeof named.sun_path - 1, "hpclab-%d", (int)grader);
    socklen_t length = (socklen_t)(offsetof(struct sockaddr_un, sun_path) + 1 + (size_t)n);
    return connects(socket(AF_INET, SOCK_STREAM, 0), (struct sockaddr *)&tcp, sizeof tcp) ||
           connects(socket(AF_UNIX, SOCK_STREAM, 0), (struct sockaddr *)&named, length);
}
bool leave_shared_memory(void)
{
    int id = shmget(IPC_PRIVATE, 4096, IPC_CREAT | 0600);
    if (id >= 0)
        shmctl(id, IPC_RMID, NULL);
    return id >= 0;
}

/* The kernel. */
bool new_namespace(void)
{
    return unshare(CLONE_NEWUSER) == 0;
}
bool mount_something(void)
{
    return mount("none", "/tmp", "tmpfs", 0, NULL) == 0;
}
bool ring(void)
{
    char parameters[256] = {0};
    return syscall(SYS_io_uring_setup, 1, parameters) >= 0;
}
bool load_bpf(void)
{
    return syscall(SYS_bpf, 0, NULL, 0) >= 0 || errno == EFAULT || errno == EINVAL;
}
bool count_events(void)
{
    struct perf_event_attr a = {
        .type = PERF_TYPE_SOFTWARE, .size = sizeof a, .config = PERF_COUNT_SW_CPU_CLOCK};
    return syscall(SYS_perf_event_open, &a, 0, -1, -1, 0) >= 0;
}
bool handle_faults(void)
{
    return syscall(SYS_userfaultfd, 1 /* UFFD_USER_MODE_ONLY */) >= 0;
}
bool use_keys(void)
{
    return syscall(SYS_add_key, "user", "probe", "x", 1, -1 /* the thread's */) >= 0;
}
