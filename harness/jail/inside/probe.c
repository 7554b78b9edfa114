/* build/lib/jail-probe: the prisoner that `hpclab doctor --jail` and the tests send into a jail. It
 * tries one thing after another and prints `NAME 1` where it was let, else `NAME 0`. What the names
 * mean stands in attempts.def. Not part of build/libhpc.a.
 *
 * Started as `jail-probe PROFILE FILE PID PORT`: `run` or `mpi`, a file of the user's that it must
 * not read, the process that started it, and the TCP port of 127.0.0.1 where that one listens. */
#define _GNU_SOURCE
#include "harness/jail/inside/probe.h"

#include <fcntl.h>
#include <pthread.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <time.h>
#include <unistd.h>

enum { MEBI = 1 << 20 };

static const char *secret_file; /* of the attempts, which have no arguments */

/* Whether 64 MiB fit into a folder, in files of 8. */
static bool can_fill(const char *folder)
{
    static char block[64 * 1024];
    char path[64];
    size_t written = 0, whole = 64 * MEBI;
    signal(SIGXFSZ, SIG_IGN);
    for (int k = 0; k < 8; k++) {
        snprintf(path, sizeof path, "%s/.jail-probe-%d", folder, k);
        int fd = open(path, O_CREAT | O_WRONLY | O_CLOEXEC, 0600);
        for (size_t n = 0; fd >= 0 && n < whole / 8; n += sizeof block)
            written += write(fd, block, sizeof block) == sizeof block ? sizeof block : 0;
        if (fd >= 0)
            close(fd);
    }
    for (int k = 0; k < 8; k++) {
        snprintf(path, sizeof path, "%s/.jail-probe-%d", folder, k);
        unlink(path);
    }
    return written == whole;
}

static void *add_one(void *p)
{
    ++*(int *)p;
    return NULL;
}

/* What a variant needs. */
bool use_threads(void)
{
    pthread_t t;
    int n = 0;
    return pthread_create(&t, NULL, add_one, &n) == 0 && pthread_join(t, NULL) == 0 && n == 1;
}
bool use_memory(void)
{
    char *p = malloc(16 * MEBI);
    if (p)
        memset(p, 1, 16 * MEBI);
    bool good = p && p[MEBI] == 1;
    free(p);
    return good;
}
bool use_clock(void)
{
    struct timespec t;
    return clock_gettime(CLOCK_MONOTONIC, &t) == 0;
}
bool use_libraries(void)
{
    return can_open("/usr/lib", O_RDONLY) || can_open("/lib", O_RDONLY);
}

/* Files. */
bool read_user_file(void)
{
    return can_open(secret_file, O_RDONLY);
}
bool read_passwd(void)
{
    return can_open("/etc/passwd", O_RDONLY);
}
bool list_root(void)
{
    return can_open("/", O_RDONLY | O_DIRECTORY);
}
bool write_beside(void)
{
    char path[4096];
    snprintf(path, sizeof path, "%s.jail-probe", secret_file);
    return can_open(path,
                    O_CREAT | O_WRONLY); /* the one who started us looks whether it is there */
}
bool write_usr(void)
{
    bool is = can_open("/usr/.jail-probe", O_CREAT | O_WRONLY);
    unlink("/usr/.jail-probe");
    return is;
}
bool fill_tmp(void)
{
    return can_fill("/tmp");
}
bool fill_shm(void)
{
    return can_fill("/dev/shm");
}
bool open_gpu(void)
{
    return can_open("/dev/nvidiactl", O_RDWR) || can_open("/dev/kvm", O_RDWR) ||
           can_open("/dev/fuse", O_RDWR) || can_open("/dev/mem", O_RDONLY);
}
bool inherited(void)
{
    for (int fd = 3; fd < 1100; fd++)
        if (fcntl(fd, F_GETFD) >= 0)
            return true;
    return false;
}
bool dump_core(void)
{
    struct rlimit l;
    return getrlimit(RLIMIT_CORE, &l) == 0 && l.rlim_cur > 0;
}

/* Limits, and more of the machine than it was given. */
bool raise_limits(void)
{
    struct rlimit files = {1 << 20, 1 << 20}, memory = {RLIM_INFINITY, RLIM_INFINITY};
    return setrlimit(RLIMIT_NOFILE, &files) == 0 || setrlimit(RLIMIT_AS, &memory) == 0;
}
bool take_memory(void)
{
    return mmap(NULL, 1024L * MEBI, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) !=
           MAP_FAILED;
}
bool share_memory(void)
{
    return mmap(NULL, 1024L * MEBI, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0) !=
           MAP_FAILED;
}
bool widen_processors(void)
{
    cpu_set_t all;
    memset(&all, 0xff, sizeof all);
    return sched_setaffinity(0, sizeof all, &all) == 0;
}
bool go_first(void)
{
    struct sched_param p = {1};
    return setpriority(PRIO_PROCESS, 0, -5) == 0 || sched_setscheduler(0, SCHED_FIFO, &p) == 0;
}
bool outlive_parent(void)
{
    return prctl(PR_SET_PDEATHSIG, 0) == 0 || setsid() >= 0;
}
static void *wait_for_one(void *p)
{
    while (!__atomic_load_n((int *)p, __ATOMIC_ACQUIRE))
        usleep(20000);
    return NULL;
}
bool many_threads(void)
{
    enum { MOST = 200 };
    pthread_t t[MOST];
    int go = 0;
    pthread_attr_t small;
    int started = 0;
    pthread_attr_init(&small);
    pthread_attr_setstacksize(&small, 64 * 1024);
    while (started < MOST && pthread_create(&t[started], &small, wait_for_one, &go) == 0)
        started++;
    /* Root's threads are counted from outside, by a process that may have to wait for its turn. */
    if (started == MOST)
        sleep(5);
    __atomic_store_n(&go, 1, __ATOMIC_RELEASE);
    for (int i = 0; i < started; i++)
        pthread_join(t[i], NULL);
    return started == MOST;
}

static const struct {
    const char *name;
    bool (*attempt)(void);
    enum jail_need run, mpi;
} attempts[] = {
#define ATTEMPT(function, run, mpi, words) {#function, function, run, mpi},
#include "harness/jail/inside/attempts.def"
};

int main(int argc, char **argv)
{
    if (argc != 5) {
        fprintf(stderr, "usage: jail-probe run|mpi FILE PID PORT (started by hpclab doctor)\n");
        return 2;
    }
    bool mpi = strcmp(argv[1], "mpi") == 0;
    setvbuf(stdout, NULL, _IOLBF, 0); /* it may be ended at any time */
    secret_file = argv[2];
    grader = (pid_t)atoi(argv[3]);
    port = atoi(argv[4]);
    for (size_t i = 0; i < sizeof attempts / sizeof *attempts; i++)
        if ((mpi ? attempts[i].mpi : attempts[i].run) != UNTRIED)
            printf("%s %d\n", attempts[i].name, attempts[i].attempt());
    return 0;
}
