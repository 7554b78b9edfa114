/* A bwrap in PATH that is a script, slow to start the real one and with children of its own before
 * it does: which process is the jailed one is not to be mistaken. In a program of its own, since
 * the way to a jail is found out once. */
#define _GNU_SOURCE
#include <errno.h>
#include <setjmp.h>
#include <signal.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cmocka.h>

#include "tests/unit/jail_case.h"

static char folder[] = "/tmp/jail_test_XXXXXX", script[64];

static int wrap(void **state)
{
    (void)state;
    const char *path = getenv("PATH");
    if (!mkdtemp(folder) || chmod(folder, 0755) != 0)
        return -1;
    char *longer = hpc_printf("%s:%s", folder, path);
    snprintf(script, sizeof script, "%s/bwrap", folder);
    FILE *f = fopen(script, "w");
    fprintf(f,
            "#!/bin/sh\n"
            "PATH='%s'\n"
            "name=$(echo bwrap | { sleep 0.05; cat; })\n"
            "exec $name \"$@\"\n",
            path);
    fclose(f);
    setenv("PATH", longer, 1);
    free(longer);
    return chmod(script, 0755);
}

static int unwrap(void **state)
{
    (void)state;
    unlink(script);
    return rmdir(folder);
}

/* No namespaces, no test. */
static int namespaces(void **state)
{
    *state = jail_tier_works(JAIL_BUBBLEWRAP) ? "there" : NULL;
    return 0;
}

/* Ended from within at once, its time known; and as soon as the script, or the namespace, lives. */
static void test_limits(void **state)
{
    if (!*state)
        skip();
    const char *const sleeper[] = {"/bin/sleep", "30", NULL};
    const char *const spinner[] = {"/bin/sh", "-c", "while :; do :; done", NULL};
    struct jail_spec spec = make_spec(sleeper);
    spec.limits.wall_seconds = 1;
    struct jail_end end = run(&spec);
    assert_true(end.wall_limit && end.wall_seconds < 2.5);
    spec = make_spec(spinner);
    spec.limits.wall_seconds = 120; /* a busy machine gives a second of it late */
    spec.limits.cpu_seconds = 1;
    end = run(&spec);
    assert_true(end.cpu_limit && end.cpu_seconds > 0.5);
    for (int milliseconds = 0; milliseconds < 150; milliseconds += 10) {
        struct hpc_error err;
        spec = make_spec(sleeper);
        struct jail *jail = jail_start(&spec, &err);
        assert_non_null(jail);
        jail_alive(jail, milliseconds);
        jail_kill(jail, &end, NULL, 0);
        assert_true(end.wall_seconds < 1.5);
    }
}

/* All that watches from outside finds it: the memory of orphans, and root's number of processes. */
static void test_watch(void **state)
{
    if (!*state)
        skip();
    const char *const eater[] = {"/bin/sh", "-c",
                                 "(head -c 300M /dev/zero | tail -n 1 | wc -c &); sleep 15", NULL};
    const char *const many[] = {
        "/bin/sh", "-c",
        "i=0; while [ $i -lt 40 ]; do sleep 3 & i=$((i + 1)); done; wait; echo all", NULL};
    struct jail_spec spec = make_spec(eater);
    spec.limits.memory_bytes = 0;
    spec.limits.resident_bytes = 100 << 20;
    spec.limits.wall_seconds = 20;
    struct jail_end end = run(&spec);
    assert_true(end.memory_limit && end.wall_seconds < 15);
    spec = make_spec(many);
    run(&spec);
    assert_null(strstr(output, "all\n"));
}

static void test_reaped(void **state)
{
    if (!*state)
        skip();
    for (int i = 0; i < 5; i++)
        shell("sleep 0.1 & wait");
    errno = 0;
    assert_int_equal(waitpid(-1, NULL, WNOHANG), -1);
    assert_int_equal(errno, ECHILD);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup(test_limits, namespaces),
        cmocka_unit_test_setup(test_watch, namespaces),
        cmocka_unit_test_setup(test_reaped, namespaces),
    };
    return cmocka_run_group_tests(tests, wrap, unwrap);
}
