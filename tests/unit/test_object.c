/* harness/build/elf.h: whose fault it is that an object can't be looked at. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/build/internal.h"
#include "harness/build/register.h"

#define TEXT "build/tests/object.text"
#define LINK "build/tests/object.link"
/* The kernel says that it is a page long, and gives a few bytes of it. */
#define SHORT "/sys/kernel/uevent_seqnum"

static void expect(const char *path, enum verdict verdict, const char *words)
{
    const struct object_kind kind = {.cuda = false};
    struct outcome one = {0}, other = {0};
    assert_false(object_allowed(path, "malloc", &kind, &one));
    assert_false(registration_allowed(path, "x", 1, &other));
    if (one.verdict != verdict || other.verdict != verdict || !strstr(one.reason, words))
        fail_msg("%s is %s and %s: %s", path, verdict_names[one.verdict],
                 verdict_names[other.verdict], one.reason);
}

static void test_students(void **state)
{
    (void)state;
    FILE *f = fopen(TEXT, "w");
    assert_non_null(f);
    fputs("\x7f"
          "ELF, it says\n",
          f);
    assert_int_equal(fclose(f), 0);
    expect(TEXT, VERDICT_REJECTED, "no object");
    unlink(LINK);
    assert_int_equal(symlink("object.text", LINK), 0);
    expect(LINK, VERDICT_REJECTED, "no object");
    expect("build/tests", VERDICT_REJECTED, "no object");
    unlink(LINK);
    unlink(TEXT);
}

static void test_machines(void **state)
{
    (void)state;
    expect("build/tests/no such object", VERDICT_ENVIRONMENT, "can't be read: No such file");
    if (access(SHORT, R_OK) != 0)
        skip();
    expect(SHORT, VERDICT_ENVIRONMENT, "can't be read: Input/output error");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_students),
                                       cmocka_unit_test(test_machines)};
    return cmocka_run_group_tests(tests, NULL, NULL);
}
