/* common/json.c: what is read, and what is said of what is not. */
#define _GNU_SOURCE
#include <errno.h>
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

#include "common/json.h"

static char folder[] = "/tmp/hpc-json-XXXXXX";

static char *written(const char *name, const char *text)
{
    char *path = hpc_printf("%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    assert_int_equal(fclose(f), 0);
    return path;
}

static void reads(void **state)
{
    struct hpc_error err;
    char *path = written("good.json", "{\"a\": [1, 2]}"), *link = hpc_printf("%s/link", folder);
    (void)state;
    assert_int_equal(symlink(path, link), 0);
    for (int i = 0; i < 2; i++) {
        json_t *json = json_file(i ? link : path, &err);
        assert_int_equal(json_array_size(json_object_get(json, "a")), 2);
        json_decref(json);
    }
    free(link);
    free(path);
}

static void says_the_line(void **state)
{
    struct hpc_error err;
    char *path = written("bad.json", "{\n \"a\": [1,\n}"), *begin = hpc_printf("%s:3: ", path);
    (void)state;
    assert_null(json_file(path, &err));
    assert_int_equal(errno, 0);
    assert_memory_equal(err.text, begin, strlen(begin));
    free(begin);
    free(path);
}

static void says_what_is_there(void **state)
{
    struct hpc_error err;
    char *none = hpc_printf("%s/none", folder), *pipe = hpc_printf("%s/pipe", folder), *words;
    (void)state;
    assert_null(json_file(none, &err));
    assert_int_equal(errno, ENOENT);
    words = hpc_printf("%s: No such file or directory", none);
    assert_string_equal(err.text, words);
    free(words);
    assert_int_equal(mkfifo(pipe, 0600), 0);
    assert_null(json_file(pipe, &err)); /* nobody writes into it: it would wait for ever */
    words = hpc_printf("%s: no regular file", pipe);
    assert_string_equal(err.text, words);
    assert_null(json_file(folder, NULL));
    free(words);
    free(pipe);
    free(none);
}

int main(void)
{
    if (!mkdtemp(folder))
        return 1;
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(reads),
        cmocka_unit_test(says_the_line),
        cmocka_unit_test(says_what_is_there),
    };
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    static const char *const names[] = {"good.json", "link", "bad.json", "pipe"};
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        char *path = hpc_printf("%s/%s", folder, names[i]);
        unlink(path);
        free(path);
    }
    rmdir(folder);
    return failed;
}
