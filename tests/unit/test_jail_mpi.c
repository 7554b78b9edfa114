/* The jail's profile for MPI: an mpirun works in it, and ranks that mean harm come to nothing. Each
 * attempt is seen to succeed outside of the jail first, or it would prove nothing. */
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <dirent.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "harness/jail/doctor.h"
#include "harness/jail/mpi.h"
#include "tests/unit/jail_case.h"

static char folder[] = "/tmp/jail_mpi_XXXXXX", program[64], token[32];
static bool here; /* mpirun, mpicc, namespaces */

static struct jail_end run_ranks(int ranks, const char *mode, const char *argument)
{
    const char *const words[] = {program, mode, argument, token, NULL};
    struct jail_mpi mpi;
    struct hpc_error err = {.text = ""};
    if (!jail_mpi(&mpi, ranks, words, &err))
        fail_msg("%s", err.text);
    struct jail_spec spec = make_spec(mpi.argv);
    spec.env = mpi.env;
    spec.read_only[0] = program;
    spec.profile = JAIL_MPI;
    spec.limits.wall_seconds = strcmp(mode, "hang") == 0 ? 2 : 30;
    spec.limits.file_bytes = JAIL_MPI_FILE_BYTES(ranks);
    spec.limits.memory_bytes = (size_t)1 << 30;
    spec.limits.resident_bytes = (size_t)300 << 20;
    spec.limits.processes = JAIL_MPI_PROCESSES(ranks);
    if (strcmp(mode, "memory") == 0)
        spec.fds[0] = atoi(argument);
    return run(&spec);
}

/* The same without a jail, into `output`. */
static void run_free(int ranks, const char *mode, const char *argument)
{
    char command[400];
    snprintf(command, sizeof command,
             "OMPI_MCA_btl=self,vader OMPI_MCA_pml=ob1 mpirun --allow-run-as-root --oversubscribe "
             "-n %d %s %s %s %s 2>&1",
             ranks, program, mode, argument, token);
    FILE *f = popen(command, "r");
    assert_non_null(f);
    output[fread(output, 1, sizeof output - 1, f)] = '\0';
    pclose(f);
}

/* How many processes have the token among their words; those are killed where `end` says so. */
static int living(bool end)
{
    char path[300], words[4096];
    int n = 0;
    DIR *proc = opendir("/proc");
    for (struct dirent *e; proc && (e = readdir(proc)) != NULL;) {
        snprintf(path, sizeof path, "/proc/%s/cmdline", e->d_name);
        FILE *f = atoi(e->d_name) > 0 ? fopen(path, "re") : NULL;
        size_t length = f ? fread(words, 1, sizeof words, f) : 0;
        if (f)
            fclose(f);
        if (!memmem(words, length, token, strlen(token)))
            continue;
        n++;
        if (end)
            kill(atoi(e->d_name), SIGKILL);
    }
    closedir(proc);
    return n;
}

static void test_sum(void **state)
{
    (void)state;
    if (!here)
        skip();
    struct jail_end end = run_ranks(2, "sum", "");
    assert_string_equal(output, "sum 3, 0 wrong\n");
    assert_true(end.exited && end.exit_status == 0);
    end = run_ranks(4, "sum", "");
    assert_string_equal(output, "sum 10, 0 wrong\n");
    assert_true(end.exited && end.exit_status == 0);
}

static void test_reach(void **state)
{
    struct sockaddr_in own = {.sin_family = AF_INET};
    socklen_t length = sizeof own;
    char port[16];
    (void)state;
    if (!here)
        skip();
    int server = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    own.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    assert_int_equal(bind(server, (struct sockaddr *)&own, sizeof own), 0);
    assert_int_equal(listen(server, 8), 0);
    assert_int_equal(getsockname(server, (struct sockaddr *)&own, &length), 0);
    snprintf(port, sizeof port, "%d", ntohs(own.sin_port));
    run_free(1, "reach", port);
    assert_string_equal(output, "reached\n");
    run_ranks(1, "reach", port);
    assert_string_equal(output, "not reached\n");
    close(server);
}

static void test_files(void **state)
{
    char path[64];
    (void)state;
    if (!here)
        skip();
    snprintf(path, sizeof path, "%s/secret", folder);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fclose(f);
    run_free(1, "file", path);
    assert_string_equal(output, "read\n");
    run_ranks(1, "file", path);
    assert_string_equal(output, "not read\n");
}

/* A memory that is given to mpirun: a rank finds it with its parent. */
static void test_memory_given(void **state)
{
    char fd[16];
    (void)state;
    if (!here)
        skip();
    int memory = memfd_create("given", 0);
    assert_int_equal(write(memory, "x", 1), 1);
    snprintf(fd, sizeof fd, "%d", memory);
    run_ranks(1, "memory", fd);
    assert_string_equal(output, "read\n");
    close(memory);
}

static void test_outlive(void **state)
{
    (void)state;
    if (!here)
        skip();
    run_free(1, "outlive", "0");
    assert_string_equal(output, "left one behind\n");
    assert_int_equal(living(true), 1);
    struct jail_end end = run_ranks(2, "outlive", "0");
    assert_string_equal(output, "left one behind\nleft one behind\n");
    assert_true(end.exited && end.exit_status == 0);
    assert_int_equal(living(false), 0);
}

static void test_bomb(void **state)
{
    (void)state;
    if (!here)
        skip();
    struct jail_end end = run_ranks(2, "bomb", "");
    assert_null(strstr(output, "all forked\nall forked"));
    if (end.process_limit) /* root's, which only the watch can end */
        assert_memory_equal(end.why, "limit of 20 processes and threads (", 35);
    else
        assert_non_null(strstr(output, "not all forked\n"));
    assert_int_equal(living(false), 0);
}

static void test_hogs(void **state)
{
    (void)state;
    if (!here)
        skip();
    struct jail_end end = run_ranks(2, "hog", "");
    if (!end.memory_limit)
        fail_msg("%s: %s", end.why, output);
    assert_memory_equal(end.why, "memory limit of 300 MiB (", 25);
    end = run_ranks(1, "orphan_hog", "");
    assert_true(end.memory_limit);
    assert_int_equal(living(false), 0);
}

/* Files that take no room, and memory that has no folder. */
static void test_litter(void **state)
{
    (void)state;
    if (!here)
        skip();
    run_free(1, "litter", folder);
    assert_string_equal(output, "all made\n");
    struct jail_end end = run_ranks(1, "litter", "/dev/shm");
    assert_true(end.file_limit);
    assert_memory_equal(end.why, "limit of 4096 files in /tmp or /dev/shm (", 41);
    run_free(1, "hide", "");
    assert_string_equal(output, "hidden\n");
    run_ranks(1, "hide", "");
    assert_string_equal(output, "not hidden\n");
}

static void test_ends(void **state)
{
    (void)state;
    if (!here)
        skip();
    struct jail_end end = run_ranks(2, "hang", "");
    assert_true(end.wall_limit);
    assert_int_equal(living(false), 0);
    end = run_ranks(2, "crash", "");
    assert_int_equal(end.signal, SIGABRT);
    assert_non_null(strstr(output, "rank 1"));
    assert_non_null(strstr(output, " on node jail ")); /* and not this machine's name */
    assert_int_equal(living(false), 0);
}

static void test_probe(void **state)
{
    struct hpc_error err = {.text = ""};
    (void)state;
    if (!here)
        skip();
    struct jail_finding *findings = jail_try(JAIL_MPI, &err);
    if (!findings)
        fail_msg("%s", err.text);
    for (const struct jail_finding *f = findings; f->name; f++)
        if (!jail_finding_good(f))
            fail_msg("%s: told %d, allowed %d", f->text, f->told, f->allowed);
}

/* Where nothing keeps a network apart, no such jail starts, and it is said why. */
static void test_refused(void **state)
{
    const char *const argv[] = {"/bin/true", NULL};
    struct jail_spec spec = make_spec(argv);
    (void)state;
    spec.profile = JAIL_MPI;
    spec.limits.resident_bytes = 1 << 30;
    for (int tier = 0; tier < JAIL_BUBBLEWRAP; tier++) {
        const char *name = jail_tier_name((enum jail_tier)tier);
        struct hpc_error err = {.text = ""};
        char words[120];
        if (!jail_tier_works((enum jail_tier)tier))
            continue;
        setenv("HPC_JAIL", name, 1);
        assert_null(jail_start(&spec, &err));
        unsetenv("HPC_JAIL");
        snprintf(words, sizeof words, "network of its own: expected bubblewrap, here is %s", name);
        assert_non_null(strstr(err.text, words));
        assert_int_equal(err.status, HPC_EXIT_ENVIRONMENT);
    }
}

static int compile(void **state)
{
    char command[200];
    struct jail_mpi mpi;
    (void)state;
    unsetenv("HPC_JAIL");
    if (!mkdtemp(folder))
        return -1;
    chmod(folder, 0755);
    snprintf(program, sizeof program, "%s/mpi_rank", folder);
    snprintf(token, sizeof token, "token-%d-%lx", (int)getpid(), (long)random());
    here = jail_tier_works(JAIL_BUBBLEWRAP) && jail_mpi(&mpi, 1, NULL, NULL) &&
           system("command -v mpicc >/dev/null 2>&1") == 0;
    if (!here)
        return 0;
    snprintf(command, sizeof command, "mpicc -O1 -o %s tests/unit/mpi_rank.c", program);
    return system(command);
}

static int clean(void **state)
{
    char command[64];
    (void)state;
    snprintf(command, sizeof command, "rm -r %s", folder);
    return system(command);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_sum),     cmocka_unit_test(test_reach),
        cmocka_unit_test(test_files),   cmocka_unit_test(test_memory_given),
        cmocka_unit_test(test_outlive), cmocka_unit_test(test_bomb),
        cmocka_unit_test(test_hogs),    cmocka_unit_test(test_ends),
        cmocka_unit_test(test_litter),  cmocka_unit_test(test_probe),
        cmocka_unit_test(test_refused),
    };
    return cmocka_run_group_tests(tests, compile, clean);
}
