/* What is swept away: nothing of a process that lives, all of one that is gone. */
#define _GNU_SOURCE
#include <fcntl.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/error.h"
#include "common/command.h"
#include "common/scratch.h"

#define GONE "4194999" /* above the kernel's largest process id */

static char root[] = "/tmp/hpclab-scratch-XXXXXX";

static int make_root(void **state)
{
    (void)state;
    return mkdtemp(root) == NULL;
}

static int remove_root(void **state)
{
    (void)state;
    folder_remove(root);
    return 0;
}

/* The name of ours, with the process id of one that is gone. */
static char *gone(const char *name)
{
    const char *own = strstr(name, hpc_printf("%ld-", (long)getpid()));
    return hpc_printf("%.*s" GONE "%s", (int)(own - name), name, strchr(own, '-'));
}

static void make(const char *path, const char *command)
{
    char *text = hpc_printf("%s '%s'", command, path);
    assert_int_equal(system(text), 0);
    free(text);
}

static void test_folders(void **state)
{
    (void)state;
    char *live = scratch_name(root, "one"), *left = gone(live);
    char *elsewhere = hpc_printf("%s/build/tmp/" GONE "-other machine-one", root);
    char *old = hpc_printf("%s/build/tmp/" GONE "-another-two", root);
    char *strange = hpc_printf("%s/build/tmp/strange", root), *deep = hpc_printf("%s/a/b", left);
    scratch_sweep(root); /* there is no such folder */
    make(live, "mkdir -p");
    make(deep, "mkdir -p");
    make(elsewhere, "mkdir");
    make(strange, "touch");
    make(old, "touch -d '2 days ago'");
    scratch_sweep(root);
    assert_int_equal(access(live, F_OK), 0);
    assert_int_equal(access(elsewhere, F_OK), 0);
    assert_int_equal(access(strange, F_OK), 0);
    assert_int_not_equal(access(left, F_OK), 0);
    assert_int_not_equal(access(old, F_OK), 0);
}

static void test_beside(void **state)
{
    (void)state;
    char *path = hpc_printf("%s/record.json", root), *other = hpc_printf("%s/record", root);
    char *live = scratch_beside(path), *left = gone(live), *others = gone(scratch_beside(other));
    make(path, "touch");
    make(live, "touch");
    make(left, "touch");
    make(others, "touch");
    free(scratch_beside(path));
    assert_int_equal(access(path, F_OK), 0);
    assert_int_equal(access(live, F_OK), 0);
    assert_int_equal(access(others, F_OK), 0);
    assert_int_not_equal(access(left, F_OK), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_folders),
        cmocka_unit_test(test_beside),
    };
    return cmocka_run_group_tests(tests, make_root, remove_root);
}
