/* Why a solution is slow, as the lines say that its time is seen at. */
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

#include "harness/grade/internal.h"

/* A loop whose steps are handed out few at a time, by its pragma. */
static void steps_are_handed_out(void **state)
{
    (void)state;
    static const struct {
        const char *pragma, *words;
    } rows[] = {{"#pragma omp for schedule(dynamic, 1)", "steps of the loop at a.c:2, 1 at a time"},
                {"#pragma omp parallel for schedule(dynamic)", "a.c:2, 1 at a time"},
                {"#pragma omp for schedule(dynamic,4)", "a.c:2, 4 at a time"},
                {"#pragma omp for schedule(dynamic, 256)", NULL},
                {"#pragma omp for schedule(static)", NULL}};
    char root[] = "/tmp/test_slow_XXXXXX", path[60], text[512];
    assert_non_null(mkdtemp(root));
    snprintf(path, sizeof path, "%s/a.c", root);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct exchange_profile p = {
            .samples = 100, .n = 2, .line = {{"a.c:3", 50, 0, 10}, {"a.c:2", 10, 10, 20}}};
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fprintf(f, "%s\nfor (int i = 0; i < n; i++)\n    a[i] = 0;\n", rows[i].pragma);
        assert_int_equal(fclose(f), 0);
        const bool said = grade_dynamic_words(root, &p, 2, text, sizeof text);
        if (said != (rows[i].words != NULL) || (said && !strstr(text, rows[i].words)))
            fail_msg("%s: %s", rows[i].pragma, said ? text : "nothing");
        p.line[1].called = p.line[1].waited = 4; /* too little to matter */
        assert_false(grade_dynamic_words(root, &p, 2, text, sizeof text));
    }
    unlink(path);
    rmdir(root);
}

/* A hot loop whose step is a row, and one whose step is a number. */
static void loops_walk_by_rows(void **state)
{
    (void)state;
    static const struct {
        const char *source, *words;
    } rows[] = {
        {"for (int p = 0; p < k; p++)\n    c[j] += a[i * k + p] * b[(size_t)p * s.n + j];\n",
         "60% of the time passes at a.c:2: b[(size_t)p * s.n + j] moves by s.n numbers in each "
         "step of p"},
        {"for (int i = 0;\n    s->sum += s->x[i * s->w];\n",
         "s->x[i * s->w] moves by s->w numbers"},
        {"for (int p = 0; p < k; p++)\n    c[j] += a[i * k + p] * b[j * n + p];\n", NULL},
        {"for (int j = 0; j < n; j++)\n    c[i * n + j] += a * b[p * n + j] * x.j * 2;\n", NULL},
        {"for (int i = 0; i < n; i++)\n    sum += a[i * 2];\n", NULL},
        {"for (int i = 0; i < n; i++)\n    sum += a[i * 64];\n", "a[i * 64] moves by 64 numbers"},
        {"sum += a[i * n];\nsum += b[i * n];\n", NULL},
    };
    char root[] = "/tmp/test_slow_XXXXXX", path[60], text[512];
    assert_non_null(mkdtemp(root));
    snprintf(path, sizeof path, "%s/a.c", root);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct exchange_profile p = {.samples = 100, .n = 1, .line = {{"a.c:2", 60, 0, 0}}};
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fputs(rows[i].source, f);
        assert_int_equal(fclose(f), 0);
        const bool said = grade_stride_words(root, &p, text, sizeof text);
        if (said != (rows[i].words != NULL) || (said && !strstr(text, rows[i].words)))
            fail_msg("%s: %s", rows[i].source, said ? text : "nothing");
        p.line[0].ran = 20; /* too little to be why */
        assert_false(grade_stride_words(root, &p, text, sizeof text));
    }
    unlink(path);
    rmdir(root);
}

/* Sums that a hot loop keeps in memory, by its stores and its source; and an if in one without
 * vectors. */
static void loops_that_store_and_ask(void **state)
{
    (void)state;
    static const struct {
        const char *source, *sums, *asks;
        int stores;
    } rows[] = {
        {"for (int t = 0; t < n; t++) {\n    for (int u = 0; u < 8; u++)\n        sums[u] += x[t] "
         "* y[u];\n",
         "60% of the time passes at a.c:2: sums[u] is kept in memory, and loaded and stored in "
         "each "
         "step (8 stores beside 8 operations)",
         NULL, 8},
        {"for (int t = 0; t < n; t++) {\n    for (int u = 0; u < 8; u++)\n        sums[u] += x[t] "
         "* y[u];\n",
         NULL, NULL, 1}, /* behind the loop */
        {"for (int t = 0; t < n; t++)\n    for (int j = 0; j < columns; j++)\n        c[j] += x[t] "
         "* y[j];\n",
         NULL, NULL, 8},
        {"if (j < n && t < k)\n    c[j] += a * b[j];\n", NULL,
         "line 1 asks of each element if (j < n && t < k)", 8},
        {"x = 1;\nc[j] += a * b[j];\n", NULL, NULL, 8},
    };
    char root[] = "/tmp/test_slow_XXXXXX", path[60], text[512];
    assert_non_null(mkdtemp(root));
    snprintf(path, sizeof path, "%s/a.c", root);
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct exchange_profile p = {.samples = 100,
                                           .n = 1,
                                           .scalar = 8,
                                           .stores = rows[i].stores,
                                           .line = {{"a.c:2", 60, 0, 0}}};
        FILE *f = fopen(path, "w");
        assert_non_null(f);
        fputs(rows[i].source, f);
        assert_int_equal(fclose(f), 0);
        const bool said = grade_sums_words(root, &p, text, sizeof text);
        if (said != (rows[i].sums != NULL) || (said && !strstr(text, rows[i].sums)))
            fail_msg("%s: %s", rows[i].source, said ? text : "nothing");
        snprintf(text, sizeof text, "60%% of the time passes at a.c:2, one number an instruction");
        grade_if_words(root, &p, text, sizeof text);
        const char *asks = strstr(text, "instruction: ");
        if ((asks != NULL) != (rows[i].asks != NULL) || (asks && !strstr(asks, rows[i].asks)))
            fail_msg("%s: %s", rows[i].source, text);
    }
    unlink(path);
    rmdir(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(steps_are_handed_out),
        cmocka_unit_test(loops_walk_by_rows),
        cmocka_unit_test(loops_that_store_and_ask),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
