/* The jail, with small programs of the system as prisoners; each test in every tier there is. */
#define _GNU_SOURCE
#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/jail_case.h"

static void test_ends(void **state)
{
    (void)state;
    struct jail_end end = shell("echo out; echo err >&2; exit 7");
    assert_true(end.exited && end.exit_status == 7 && end.signal == 0);
    assert_string_equal(output, "out\nerr\n");
    end = shell("kill -SEGV $$");
    assert_true(!end.exited && end.signal == SIGSEGV);
    assert_string_equal(end.why, "signal 11 (Segmentation fault)");
    end = shell("read line || echo 'no input'");
    assert_string_equal(output, "no input\n");
    assert_true(end.exited && end.exit_status == 0);
}

static void test_limits(void **state)
{
    (void)state;
    const char *const sleeper[] = {"/bin/sleep", "30", NULL};
    const char *const spinner[] = {"/bin/sh", "-c", "trap '' TERM; while :; do :; done", NULL};
    struct jail_spec spec = make_spec(sleeper);
    spec.limits.wall_seconds = 1;
    struct jail_end end = run(&spec);
    assert_true(end.wall_limit && !end.cpu_limit && end.wall_seconds < 3);
    assert_memory_equal(end.why, "wall deadline of 1 s (1.", 24);
    spec = make_spec(spinner);
    spec.limits.wall_seconds = 120; /* a busy machine gives a second of it late */
    spec.limits.cpu_seconds = 1;
    end = run(&spec);
    assert_true(end.cpu_limit && !end.wall_limit && end.cpu_seconds > 0.5);
    assert_memory_equal(end.why, "CPU limit of 1 s (", 18);
    char folder[] = "/tmp/jail_test_XXXXXX", command[64];
    const char *const writer[] = {"/bin/sh", "-c", "exec head -c 3000000 /dev/zero >file", NULL};
    assert_non_null(mkdtemp(folder));
    spec = make_spec(writer);
    spec.writable = spec.folder = folder;
    end = run(&spec);
    assert_true(end.file_limit);
    assert_string_equal(end.why, "file size limit of 1024 KiB");
    snprintf(command, sizeof command, "rm -r %s", folder);
    assert_int_equal(system(command), 0);
}

/* tail keeps a line of 200 MB, which it can't with less. */
static void test_memory(void **state)
{
    const char *const argv[] = {"/bin/sh", "-c", "head -c 200M /dev/zero | tail -n 1 | wc -c",
                                NULL};
    struct jail_spec spec = make_spec(argv);
    (void)state;
    run(&spec);
    assert_string_equal(output, "209715200\n");
    spec.limits.memory_bytes = 100 << 20;
    run(&spec);
    assert_null(strstr(output, "209715200"));
}

static void test_output(void **state)
{
    (void)state;
    struct jail_end end = shell("printf '\\033[31mred\\007\\ttab\\377\\n'");
    assert_true(end.exited);
    assert_string_equal(output, "[31mred\ttab?\n");
    end = shell("head -c 100000 /dev/zero | tr '\\0' x");
    assert_true(end.exited && end.exit_status == 0 && !end.output_limit);
    assert_int_equal(strlen(output), 4096);
    end = shell("yes");
    assert_true(end.output_limit && end.wall_seconds < 5);
    assert_memory_equal(end.why, "more than 256 KiB of output (", 29);
}

static void test_inheritance(void **state)
{
    (void)state;
    int secret = open("/dev/null", O_RDONLY), given = open("/dev/zero", O_RDONLY);
    char script[300];
    const char *argv[] = {"/bin/sh", "-c", script, NULL};
    setenv("SECRET", "1", 1);
    snprintf(script, sizeof script,
             "echo $WORD $SECRET; test -e /proc/self/fd/%d && echo given; "
             "test -e /proc/self/fd/%d && echo secret; true",
             given, secret);
    struct jail_spec spec = make_spec(argv);
    spec.fds[0] = given;
    run(&spec);
    assert_string_equal(output, "given\ngiven\n");
    close(secret);
    close(given);
}

/* Without `build` no process can be started, threads can (test_exchange has some). */
static void test_no_fork(void **state)
{
    const char *const argv[] = {"/bin/sh", "-c", "/bin/true | /bin/true; echo forked", NULL};
    struct jail_spec spec = make_spec(argv);
    (void)state;
    spec.profile = JAIL_RUN;
    struct jail_end end = run(&spec);
    assert_true(end.exited && end.exit_status != 0);
    assert_null(strstr(output, "forked\n"));
}

/* Whether a process `sleep TEXT` lives. */
static bool lives(const char *text)
{
    char path[300], found[40], want[40];
    bool alive = false;
    DIR *folder = opendir("/proc");
    size_t length = (size_t)snprintf(want, sizeof want, "sleep%c%s", '\0', text) + 1;
    for (struct dirent *e; folder && (e = readdir(folder)) != NULL;) {
        snprintf(path, sizeof path, "/proc/%s/cmdline", e->d_name);
        FILE *f = fopen(path, "r");
        if (f) {
            size_t n = fread(found, 1, sizeof found, f);
            alive |= n == length && memcmp(found, want, n) == 0;
            fclose(f);
        }
    }
    closedir(folder);
    return alive;
}

static void test_kill(void **state)
{
    char seconds[20], script[60];
    const char *argv[] = {"/bin/sh", "-c", script, NULL};
    struct hpc_error err;
    struct jail_end end;
    (void)state;
    snprintf(seconds, sizeof seconds, "%d", 100000 + getpid());
    snprintf(script, sizeof script, "sleep %s & sleep %s", seconds, seconds);
    struct jail_spec spec = make_spec(argv);
    struct jail *jail = jail_start(&spec, &err);
    assert_non_null(jail);
    for (int i = 0; i < 100 && !lives(seconds); i++)
        assert_true(jail_alive(jail, 20));
    assert_true(lives(seconds));
    jail_kill_all();
    jail_wait(jail, &end, NULL, 0);
    assert_int_equal(end.signal, SIGKILL);
    assert_false(lives(seconds));
    /* Killed at once, perhaps before the jail stands. */
    jail = jail_start(&spec, &err);
    assert_non_null(jail);
    jail_kill(jail, &end, NULL, 0);
    assert_true(end.wall_seconds < 1.5);
    assert_false(lives(seconds));
}

static void test_binds(void **state)
{
    char folder[] = "/tmp/jail_test_XXXXXX", script[100];
    const char *argv[] = {"/bin/sh", "-c", script, NULL};
    (void)state;
    assert_non_null(mkdtemp(folder));
    snprintf(script, sizeof script, "pwd; echo made >file; cat file");
    struct jail_spec spec = make_spec(argv);
    spec.writable = spec.folder = folder;
    run(&spec);
    assert_memory_equal(output, folder, strlen(folder));
    assert_string_equal(output + strlen(folder), "\nmade\n");
    snprintf(script, sizeof script, "rm -r %s", folder);
    assert_int_equal(system(script), 0);
}

/* Nothing of a jail stays behind, not even a zombie. */
static void test_reaped(void **state)
{
    (void)state;
    while (waitpid(-1, NULL, WNOHANG) > 0)
        ; /* of programs too short-lived to be seen, in the tests before */
    for (int i = 0; i < 5; i++)
        shell("sleep 0.1 & wait");
    errno = 0;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

static void test_missing_program(void **state)
{
    const char *const argv[] = {"/nowhere/program", NULL};
    struct jail_spec spec = make_spec(argv);
    (void)state;
    struct jail_end end = run(&spec);
    assert_true(end.exited && end.exit_status != 0);
    assert_non_null(strstr(output, "/nowhere/program"));
}

/* A program that is held stands still; one that was set going again does not, whoever did it, even
 * where it has stopped itself since, as this one does the first time. */
static void test_hold(void **state)
{
    const char *const spinner[] = {"/bin/sh", "-c",
                                   "kill -STOP $$; kill -STOP $$; while :; do :; done", NULL};
    struct jail_spec spec = make_spec(spinner);
    struct hpc_error err;
    struct jail_end end;
    (void)state;
    spec.limits.wall_seconds = 120; /* a busy machine gives a second of it late */
    spec.limits.cpu_seconds = 1;
    struct jail *jail = jail_start(&spec, &err);
    assert_non_null(jail);
    assert_true(jail_alive(jail, 50));
    for (int i = 0; i < 3; i++) {
        jail_hold(jail);
        usleep(2000);
        assert_true(jail_still(jail));
        jail_release(jail);
        usleep(20000);
        assert_false(jail_still(jail));
    }
    jail_wait(jail, &end, output, sizeof output);
    assert_true(end.cpu_limit);
}

/* Setting up a test: the best jail, or the one that is asked for; no such jail, no test. */
static int best_jail(void **state)
{
    (void)state;
    return unsetenv("HPC_JAIL");
}

static int ask_for(void **state, enum jail_tier tier)
{
    *state = jail_tier_works(tier) ? "there" : NULL;
    return setenv("HPC_JAIL", jail_tier_name(tier), 1);
}

static int landlock(void **state)
{
    return ask_for(state, JAIL_LANDLOCK);
}

static int userid(void **state)
{
    return ask_for(state, JAIL_USERID);
}

static int limits(void **state)
{
    return ask_for(state, JAIL_LIMITS);
}

/* A test, and the same in a lower tier. */
#define IN(tier, test)                                                                             \
    static void test##_##tier(void **state)                                                        \
    {                                                                                              \
        if (!*state)                                                                               \
            skip();                                                                                \
        test(state);                                                                               \
    }
#define IN_TIERS(test) IN(landlock, test) IN(userid, test) IN(limits, test)
IN_TIERS(test_ends)
IN_TIERS(test_limits)
IN_TIERS(test_memory)
IN_TIERS(test_output)
IN_TIERS(test_inheritance)
IN_TIERS(test_no_fork)
IN_TIERS(test_kill)
IN_TIERS(test_missing_program)
IN_TIERS(test_reaped)
IN_TIERS(test_binds)
IN_TIERS(test_hold)

#define ROWS(test)                                                                                 \
    {#test, test, best_jail, best_jail, NULL},                                                     \
        {#test "_landlock", test##_landlock, landlock, best_jail, NULL},                           \
        {#test "_userid", test##_userid, userid, best_jail, NULL},                                 \
    {                                                                                              \
#test "_limits", test##_limits, limits, best_jail, NULL                                    \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        ROWS(test_ends),        ROWS(test_limits),  ROWS(test_memory), ROWS(test_output),
        ROWS(test_inheritance), ROWS(test_no_fork), ROWS(test_kill),   ROWS(test_missing_program),
        ROWS(test_reaped),      ROWS(test_binds),   ROWS(test_hold),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
