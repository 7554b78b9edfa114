/* The sheets of all labs at hand. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include <stdlib.h>
#include <string.h>

#include "harness/answers/answers.h"
#include "harness/answers/internal.h"
#include "tests/unit/load_lab.h"

/* All labs at hand: twelve names get at least eleven problems, in each of some classes. */
static void test_problems_differ(void **state)
{
    (void)state;
    char labs[64][LAB_NAME];
    struct lab *lab = malloc(sizeof *lab);
    struct sheet *s = calloc(1, sizeof *s);
    int tasks = 0, n = lab_names(".", labs, 64);
    assert_non_null(lab);
    for (int i = 0; i < n; i++) {
        struct hpc_error err;
        assert_true(load_lab(".", labs[i], lab, &err));
        for (int t = 0; t < lab->n_tasks; t++) {
            char seen[12][sizeof s->problem];
            if (lab->tasks[t].kind != TASK_ANSWERS)
                continue;
            s->form = lab->tasks[t].sheet;
            tasks += *s->form.problem != '\0';
            for (int draw = 0; *s->form.problem && draw < 40 * 12; draw++) {
                char name[40];
                int different = 0;
                snprintf(name, sizeof name, "Student %d", draw);
                sheet_draw(s, lab->tasks[t].name, "", name);
                snprintf(seen[draw % 12], sizeof seen[0], "%s", s->problem);
                assert_null(strchr(s->problem, '{'));
                for (int a = 0, b; draw % 12 == 11 && a < 12; a++, different += b == a - 1)
                    for (b = 0; b < a && strcmp(seen[a], seen[b]) != 0; b++)
                        ;
                if (draw % 12 == 11 && different < 11)
                    fail_msg("%s/%s: %d problems for twelve names", lab->name, lab->tasks[t].name,
                             different);
            }
        }
    }
    assert_int_equal(tasks, 7);
    free(s);
    free(lab);
}

/* The starter of a sheet asks what its form asks, in its order. */
static void test_starters(void **state)
{
    (void)state;
    char labs[64][LAB_NAME];
    struct lab *lab = malloc(sizeof *lab);
    struct sheet *s = calloc(1, sizeof *s);
    int n = lab_names(".", labs, 64);
    assert_non_null(lab);
    for (int i = 0; i < n; i++) {
        struct hpc_error err;
        assert_true(load_lab(".", labs[i], lab, &err));
        for (int t = 0; t < lab->n_tasks; t++) {
            if (lab->tasks[t].kind != TASK_ANSWERS)
                continue;
            s->form = lab->tasks[t].sheet;
            char *path = hpc_printf("labs/%s/starter/%s", lab->name, lab->tasks[t].file);
            struct ini_file *file = ini_read(path, path, &err);
            assert_non_null(file);
            assert_int_equal(file->sections[0].n, s->form.n + 1);
            for (int k = 0; k < s->form.n; k++)
                assert_string_equal(file->sections[0].keys[k].name, s->form.question[k].key);
            assert_string_equal(file->sections[0].keys[s->form.n].name, "final");
            ini_free(file);
            free(path);
        }
    }
    free(s);
    free(lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_problems_differ),
        cmocka_unit_test(test_starters),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
