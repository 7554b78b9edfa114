/* What a compiler's warning, or a macro, explains of a result that is not right. */
#define _GNU_SOURCE
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "common/op.h"
#include "harness/grade/internal.h"

static const char unset[] = "a.cu:16: 'sum[3]' may be used uninitialized";

/* A sum that nobody sets to 0 goes on by chance: on another machine it is another number. */
static void an_unset_sum(void **state)
{
    static const char kept[] = "case primes: equals y[i] with y[i - 4] in it: a thread's sum goes "
                               "on from one output to its next, and " OP_KEPT,
                      number[] = "case one: call 1: y[0] is 6.57e+28, should be -0.602 within 7e-8",
                      cause[] = "case primes: the mask is flipped: call 1: y[0] is 6, should be 7";
    (void)state;
    assert_ptr_equal(grade_without_cause(kept, unset), kept + strlen("case primes"));
    assert_ptr_equal(grade_without_cause(number, unset), number + strlen("case one"));
    assert_null(grade_without_cause(cause, unset));
    assert_null(grade_without_cause(kept, "a.cu:16: unused variable 'i'"));
    static const char nan[] =
        "case odd: the delta of hidden 1 is wrong: 3 of 4 units, from 0 to 2 (in "
        "one update, D of unit 0 is -nan, should be 0.08)";
    assert_ptr_equal(grade_without_cause(nan, unset), nan + strlen("case odd"));
    static const char columns[] = "case odd: product tn is wrong: of b[0][j], columns 0 to 63 of "
                                  "67 are wrong (-2.1 in column 0, should be -0.7)";
    static const char null[] = "case one: a sanitizer sees: a.c:3:2: runtime error: load of null "
                               "pointer of type 'const double'";
    static const char freed[] = "a.cu:66: pointer 'w' used after 'void free(void*)'";
    assert_ptr_equal(grade_without_cause(columns, unset), columns + strlen("case odd"));
    assert_ptr_equal(grade_without_cause(null, unset), null + strlen("case one"));
    assert_ptr_equal(grade_without_cause(kept, freed), kept + strlen("case primes"));
}

/* Macros whose value the operators beside it take apart, and some that are whole. */
static void a_macro_taken_apart(void **state)
{
    static const struct {
        const char *source, *words;
    } rows[] = {
        {"#define MIN(a, b) a < b ? a : b\n\nint e = j + MIN(4, n - j);\n",
         "x.c:1: #define MIN has no brackets around its value, which the operator beside it in "
         "line 3 "
         "takes apart: (a < b ? a : b)"},
        {"#define MIN(a, b) a < b ? a : b\nint e = MIN(4, n - j);\n", NULL},
        {"#define MIN(a, b) ((a) < (b) ? (a) : (b))\nint e = j + MIN(4, n);\n", NULL},
        {"#define SIDE N + 2\nint e = SIDE * SIDE;\n", "#define SIDE has no brackets"},
        {"#define SIDE N + 2\nint e[SIDE], f = 4 - SIDE;\n", "line 2 takes apart: (N + 2)"},
        {"#define SIDE N + 2 /* cells */\nint e = i + SIDE;\n", NULL},
        {"#define NONE -1\nint e = 2 * NONE;\n", NULL},
        {"#define AT(i) s->x[i - 1]\nint e = 2 * AT(3);\n", NULL},
        {"#define SIDE N + 2\n/* 4 * SIDE */ int MY_SIDE = 4 * SIDES;\n", NULL},
    };
    char path[] = "/tmp/test_macro_XXXXXX", text[300];
    const int fd = mkstemp(path);
    (void)state;
    assert_true(fd >= 0);
    close(fd);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fputs(rows[i].source, f);
        assert_int_equal(fclose(f), 0);
        const bool said = grade_macro(path, "x.c", text, sizeof text);
        if (said != (rows[i].words != NULL) || (said && !strstr(text, rows[i].words)))
            fail_msg("%s: %s", rows[i].source, said ? text : "nothing");
    }
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(an_unset_sum),
        cmocka_unit_test(a_macro_taken_apart),
    };
    cmocka_set_message_output(CM_OUTPUT_TAP);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
