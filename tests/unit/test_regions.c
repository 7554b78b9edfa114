/* Which pragma lets two threads meet: harness/grade/regions.c. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/grade/internal.h"

static bool asked(const char *source, long at, struct outcome *o)
{
    char path[] = "/tmp/hpc-regions-XXXXXX";
    const int fd = mkstemp(path);
    assert_true(fd >= 0);
    assert_int_equal(write(fd, source, strlen(source)), strlen(source));
    close(fd);
    memset(o, 0, sizeof *o);
    const bool said = grade_regions(path, "labs/lab3/inner.c", at, o);
    unlink(path);
    return said;
}

static void single_in_a_function(void **state)
{
    struct outcome o;
    (void)state;
    assert_true(asked("void merge(double *w)\n"
                      "{\n"
                      "    w[0] += 1;\n"
                      "}\n"
                      "void run(double *w)\n"
                      "{\n"
                      "#pragma omp parallel\n"
                      "    {\n"
                      "#pragma omp single nowait\n"
                      "        merge(w);\n"
                      "    }\n"
                      "}\n",
                      3, &o));
    assert_non_null(strstr(o.hint, "is it nowait at labs/lab3/inner.c:9?"));
}

/* Functions that all call one another: looked at once each, not on each way. */
static void knot_of_functions(void **state)
{
    enum { FUNCTIONS = 80 };
    char *text = calloc(1, 200000), *p = text;
    struct outcome o;
    (void)state;
    for (int i = 0; i < FUNCTIONS; i++) {
        p += sprintf(p, "void f%d(void)\n{\n", i);
        for (int k = 0; k < FUNCTIONS; k++)
            p += sprintf(p, "f%d();%s", k, k % 10 == 9 ? "\n" : "");
        p += sprintf(p, "}\n");
    }
    p += sprintf(p, "void lone(void)\n{\nw[0] += 1;\n}\nvoid run(void)\n{\n");
    for (int i = 0; i < 10; i++)
        p += sprintf(p, "#pragma omp single nowait\nf%d();\n", i);
    sprintf(p, "}\n");
    assert_false(asked(text, FUNCTIONS * (FUNCTIONS / 10 + 3) + 3, &o));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_in_a_function),
        cmocka_unit_test(knot_of_functions),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
