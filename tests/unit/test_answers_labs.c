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

/* What a sheet earns that is filled in without a look at its problem: the choice `at` in each, the
 * word "a", and of each number that of a few which suits most students, were they known. */
enum { STUDENTS = 10, GUESSES = 6 };
static const char *const guesses[GUESSES] = {"0", "0.5", "1", "2", "10", "100"};

static void guess(struct sheet *s, int at, const char *number)
{
    for (int i = 0; i < s->form.n; i++) {
        const struct sheet_question *q = &s->form.question[i];
        const char *choice = q->choices;
        for (int c = 0; c < at && strchr(choice, ' '); c++)
            choice = strchr(choice, ' ') + 1;
        if (q->kind == SHEET_CHOICE)
            snprintf(s->answer[i], SHEET_ANSWER, "%.*s", (int)strcspn(choice, " "), choice);
        else
            snprintf(s->answer[i], SHEET_ANSWER, "%s", q->kind == SHEET_WORD ? "a" : number);
    }
}

static double blind_share(const struct lab_task *task, const struct marker *marker, int at)
{
    static struct sheet s;
    double best[SHEET_MAX_QUESTIONS] = {0};
    const struct marking m = {.task = task};
    for (int g = 0; g < GUESSES; g++) {
        double credit[SHEET_MAX_QUESTIONS] = {0};
        for (int student = 0; student < STUDENTS; student++) {
            char name[40];
            memset(&s, 0, sizeof s);
            s.form = task->sheet;
            snprintf(name, sizeof name, "Student %d", student);
            sheet_draw(&s, task->name, "", name);
            guess(&s, at, guesses[g]);
            sheet_mark_malformed(&s);
            sheet_mark_expected(&s);
            marker->mark(&s, &m);
            for (int i = 0; i < s.form.n; i++)
                credit[i] += s.mark[i].credit / STUDENTS;
        }
        for (int i = 0; i < s.form.n; i++)
            best[i] = credit[i] > best[i] ? credit[i] : best[i];
    }
    for (int i = 0; i < s.form.n; i++)
        s.mark[i].credit = best[i];
    return sheet_share(&s, NULL);
}

/* lab1's and lab3's are marked against what is measured then. */
static void test_blind_sheets(void **state)
{
    (void)state;
    int sheets = 0;
    struct lab *lab = malloc(sizeof *lab);
    assert_non_null(lab);
    for (const struct lab_markers *of = lab_markers; of->lab; of++) {
        struct hpc_error err;
        if (strcmp(of->lab, "lab1") == 0 || strcmp(of->lab, "lab3") == 0)
            continue;
        assert_true(load_lab(".", of->lab, lab, &err));
        for (const struct marker *marker = of->markers; marker->task; marker++, sheets++) {
            const struct lab_task *task = lab_task_find(lab, marker->task);
            bool chooses = false;
            for (int i = 0; i < task->sheet.n; i++)
                chooses |= task->sheet.question[i].kind == SHEET_CHOICE;
            for (int at = 0; at <= chooses; at++) {
                const double share = blind_share(task, marker, at);
                if (share > 0.2)
                    fail_msg("%s/%s: a blind sheet has %.0f%% of the points, expected 20%% at most",
                             of->lab, marker->task, 100 * share);
            }
        }
    }
    assert_int_equal(sheets, 7);
    free(lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_problems_differ),
        cmocka_unit_test(test_starters),
        cmocka_unit_test(test_blind_sheets),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
