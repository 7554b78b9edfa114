/* An MPI program for test_jail_mpi.c, which compiles it: `mpi_rank MODE ARGUMENT TOKEN`. It does
 * what MODE says, well meant or not, and prints how far it came. TOKEN only marks its processes. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <mpi.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WORDS = 1 << 18, MOST_FORKS = 400, MOST_FILES = 20000, MEBI = 1 << 20, SLEEP_SECONDS = 60 };

static void say(int good, const char *yes, const char *no)
{
    puts(good ? yes : no);
    fflush(stdout);
}

/* The ranks' numbers from one on, and an array that takes Open MPI's way through shared memory. */
static void add_up(int rank, int ranks)
{
    static int32_t own[WORDS], sum[WORDS];
    int one = rank + 1, all = 0, wrong = 0;
    MPI_Allreduce(&one, &all, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < WORDS; i++)
        own[i] = i % 1000 + rank;
    MPI_Allreduce(own, sum, WORDS, MPI_INT32_T, MPI_SUM, MPI_COMM_WORLD);
    for (int i = 0; i < WORDS; i++)
        wrong += sum[i] != ranks * (i % 1000) + ranks * (ranks - 1) / 2;
    if (rank == 0)
        printf("sum %d, %d wrong\n", all, wrong);
}

/* A server on 127.0.0.1 that is not of this jail. */
static void reach(const char *port)
{
    struct sockaddr_in to = {.sin_family = AF_INET, .sin_port = htons((uint16_t)atoi(port))};
    int fd = socket(AF_INET, SOCK_STREAM, 0);
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    say(fd >= 0 && connect(fd, (struct sockaddr *)&to, sizeof to) == 0, "reached", "not reached");
}

static void read_file(const char *path)
{
    say(open(path, O_RDONLY) >= 0, "read", "not read");
}

/* The memory of mpirun's descriptor, which a rank does not inherit. */
static void read_memory(const char *fd)
{
    char path[64], byte = 0;
    snprintf(path, sizeof path, "/proc/%d/fd/%s", (int)getppid(), fd);
    int file = open(path, O_RDWR);
    say(file >= 0 && pread(file, &byte, 1, 0) == 1 && byte == 'x', "read", "not read");
}

/* Start a process that nobody waits for, in a group and, if it may, a session of its own. */
static int orphan(void (*deed)(void))
{
    pid_t pid = fork();
    int status = 1;
    if (pid == 0) {
        setsid();
        setpgid(0, 0);
        pid_t second = fork();
        if (second == 0) { /* and whom nobody hears */
            int null = open("/dev/null", O_WRONLY);
            dup2(null, STDOUT_FILENO);
            dup2(null, STDERR_FILENO);
            deed();
            _exit(0);
        }
        _exit(second < 0);
    }
    return pid > 0 && waitpid(pid, &status, 0) == pid && status == 0;
}

static void stay(void)
{
    sleep(SLEEP_SECONDS);
}

static void hog(void)
{
    size_t size = (size_t)400 * MEBI;
    volatile char *p = malloc(size);
    for (size_t i = 0; p && i < size; i += 4096)
        p[i] = 1;
    stay();
}

static void bomb(void)
{
    int n = 0;
    while (n < MOST_FORKS && orphan(stay))
        n++;
    say(n == MOST_FORKS, "all forked", "not all forked");
    sleep(3); /* root's are counted from outside */
}

/* Empty files, far more than a program needs; then time for who counts them. */
static void litter(const char *folder)
{
    char path[64];
    int n = 0;
    for (int i = 0; i < MOST_FILES; i++) {
        snprintf(path, sizeof path, "%s/%s_%d_%d", folder, "litter", (int)getpid(), i);
        int fd = open(path, O_CREAT | O_WRONLY, 0600);
        n += fd >= 0;
        close(fd);
    }
    sleep(1);
    say(n == MOST_FILES, "all made", "not all made");
}

/* Memory that no folder and, once it is closed, nobody shows. */
static void hide(void)
{
    static const char block[MEBI];
    int fd = memfd_create("hidden", 0);
    say(fd >= 0 && write(fd, block, MEBI) == MEBI, "hidden", "not hidden");
}

int main(int argc, char **argv)
{
    int rank, ranks;
    const char *mode = argc > 1 ? argv[1] : "", *argument = argc > 2 ? argv[2] : "";
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &ranks);
    if (strcmp(mode, "sum") == 0)
        add_up(rank, ranks);
    else if (strcmp(mode, "reach") == 0)
        reach(argument);
    else if (strcmp(mode, "file") == 0)
        read_file(argument);
    else if (strcmp(mode, "memory") == 0)
        read_memory(argument);
    else if (strcmp(mode, "outlive") == 0)
        say(orphan(stay), "left one behind", "left none behind");
    else if (strcmp(mode, "bomb") == 0)
        bomb();
    else if (strcmp(mode, "litter") == 0)
        litter(argument);
    else if (strcmp(mode, "hide") == 0)
        hide();
    else if (strcmp(mode, "hog") == 0)
        hog();
    else if (strcmp(mode, "orphan_hog") == 0) {
        orphan(hog);
        stay();
    } else if (strcmp(mode, "hang") == 0 && rank == 1)
        stay(); /* the others wait for it in MPI_Finalize */
    else if (strcmp(mode, "crash") == 0 && rank == 1)
        abort();
    MPI_Finalize();
    return 0;
}
