/* A class: what names say of submissions, and who a roster's students are. */
#define _GNU_SOURCE
#include <setjmp.h>
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

#include "harness/class/class.h"
#include "harness/class/find.h"
#include "harness/class/page.h"
#include "harness/report/html.h"

static char folder[] = "/tmp/test_class.XXXXXX";

static char *write_file(const char *name, const char *text)
{
    char *path = hpc_printf("%s/%s", folder, name);
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    return path;
}

static void read_class(struct roster *r)
{
    struct hpc_error err;
    char *path =
        write_file("roster.csv", "\xef\xbb\xbfid,name,email,github,group\r\n1001,\"Lovelace, Ada\","
                                 "ada@uni.edu,countess,\r\n1002,Kurt G\xc3\xb6"
                                 "del,kg@uni.edu,,Team 7\r\n"
                                 "1003,Same Name,s1@uni.edu,,\n1004,Same Name,s2@uni.edu,,team 7\n"
                                 "1005,\"O'Brien-\xc3\x98st, Ann\",ann@uni.edu,,\nj_s,J S,,,\n");
    assert_true(roster_read(path, 110, r, &err));
    assert_int_equal(r->n, 6);
    free(path);
}

static void test_names(void **state)
{
    static const struct {
        const char *name, *id, *system;
        int attempt;
        bool late;
    } known[] = {
        {"ada@uni.edu_3_handin.tar.gz", "1001", "Autolab", 3, false},
        {"2_ada@uni.edu_hand_in.tar.gz", "1001", "Autolab", 2, false},
        {"g\xc3\xb6"
         "delkurt_12345_678901_hw.zip",
         "1002", "Canvas", 0, false},
        {"obrien\xc3\xb8"
         "stann_1_2_hw.zip",
         "1005", "Canvas", 0, false},
        {"lovelaceada_12345_678901_hw.zip", "1001", "Canvas", 0, false},
        {"lovelaceada_LATE_12345_678901_hw-2.zip", "1001", "Canvas", 3, true},
        {"Ada Lovelace_98_assignsubmission_file_", "1001", "Moodle", 0, false},
        {"Lovelace Ada_98_assignsubmission_file_hw.tar.gz", "1001", "Moodle", 0, false},
        {"Kurt G\xc3\xb6"
         "del_7_assignsubmission_file_",
         "1002", "Moodle", 0, false},
        {"Ada Lovelace_98_assignsubmission_file", "1001", "Moodle", 0, false},
        {"Group_A-Ada Lovelace_98_assignsubmission_file", NULL, NULL, 0, false},
        {"Group-A-Ada Lovelace_98_assignsubmission_file", "1001", "Moodle", 0, false},
        {"nobody_1_2_x-Ada Lovelace_98_assignsubmission_file_.zip", NULL, NULL, 0, false},
        {"j_s_hw.zip", "j_s", "plain", 0, false},
        {"team7_12_34_hw.zip", "1002", "Canvas", 0, false}, /* a group's */
        {"lab3-countess", "1001", "GitHub Classroom", 0, false},
        {"lab3-team-7", "1002", "GitHub Classroom", 0, false}, /* a team's */
        {"kg.tar.gz", "1002", "plain", 0, false},
        {"1002-4.tgz", "1002", "plain", 4, false},
        {"1002_2.zip", "1002", "plain", 2, false},
        {"Same Name_9_assignsubmission_file_", NULL, NULL, 0, false}, /* two have it */
        {"lab4-countess", NULL, NULL, 0, false},
        {"eve", NULL, NULL, 0, false},
        {"..", NULL, NULL, 0, false},
        {"Eve_7_assignsubmission_file_x-Ada Lovelace_98_assignsubmission_file_hw.zip", NULL, NULL,
         0, false},
    };
    struct roster r;
    (void)state;
    read_class(&r);
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        struct named found;
        const struct roster_student *s = names_student(&r, NULL, "lab3", known[i].name, &found);
        if ((s != NULL) != (known[i].id != NULL))
            fail_msg("%s: %s", known[i].name, s ? s->id : "nobody");
        if (!s)
            continue;
        assert_string_equal(s->id, known[i].id);
        assert_string_equal(found.system, known[i].system);
        assert_int_equal(found.attempt, known[i].attempt);
        if (strstr(known[i].name, "_98_") || strstr(known[i].name, "_12345_"))
            assert_true(strstr(known[i].name, found.account) && atoi(found.account) > 0);
        assert_int_equal(found.late, known[i].late);
    }
    roster_free(&r);
}

static void test_own_pattern(void **state)
{
    struct roster r;
    struct named found;
    (void)state;
    read_class(&r);
    assert_non_null(names_student(&r, "hw_{rest}_by_{id}", "lab3", "hw_x_by_1003.zip", &found));
    assert_true(names_pattern("hw_{rest}_by_{id}", NULL));
    assert_false(names_pattern("hw_{rest}", NULL));
    assert_false(names_pattern("hw_{who}", NULL));
    assert_false(names_pattern("{id", NULL));
    roster_free(&r);
}

static void test_gradescope(void **state)
{
    struct roster r;
    struct named found;
    struct text others = {0};
    long long when = 0;
    (void)state;
    read_class(&r);
    free(write_file("submission_metadata.yml",
                    "---\nsubmission_11:\n  :submitters:\n  - :name: Nobody Known\n    :sid: '77'\n"
                    "    :email: no@uni.edu\n  - :name: Ada Lovelace\n    :sid: '1001'\n"
                    "    :email: ada@uni.edu\n  :created_at: 2026-11-22 10:00:00.5 -0500\n"
                    "submission_12:\n  :submitters:\n  - :name: Kurt G\xc3\xb6"
                    "del\n    :sid:\n"
                    "    :email: kg@uni.edu\n"
                    "submission_14:\n  :submitters:\n  - :name: O'Brien-\xc3\x98st, Ann\n"
                    "  - :name: Ada Lovelace\n    :sid: '1003'\n  - :name: Somebody Else\n"
                    "  - :email: kg@uni.edu\n    :name: 1004\n  :score: 5\n"
                    "submission_15:\n  :submitters:\n  - :name: 'Eve :sid: 1001'\n"
                    "    :email: eve@uni.edu\n"
                    "submission_13:\n  :submitters:\n  - :name: Eve\n    :sid: '666'\n"
                    "    :email: eve@uni.edu\n  :created_at: 2026-11-22 10:00:00 Z\n"
                    "  :results:\n    tests:\n    - output: ':sid: 1001'\n"
                    "      :sid: '1001'\n"));
    assert_true(gradescope_read(folder, "submission_11", &r, &found, &others, &when));
    assert_string_equal(found.key, "1001");
    assert_int_equal(when, 1795359600); /* 2026-11-22T15:00Z */
    assert_true(gradescope_read(folder, "submission_12", &r, &found, &others, &when));
    assert_string_equal(roster_match(&r, found.kind, found.key)->id, "1002");
    assert_false(gradescope_read(folder, "submission_1", &r, &found, &others, &when));
    assert_true(gradescope_read(folder, "submission_14", &r, &found, &others, &when));
    assert_string_equal(roster_match(&r, found.kind, found.key)->id, "1005");
    assert_string_equal(text_string(&others), "1003\n1002\n"); /* by the best key of each */
    text_free(&others);
    assert_true(gradescope_read(folder, "submission_15", &r, &found, &others, &when));
    assert_string_equal(found.key, ""); /* nor does a key within a name */
    assert_true(gradescope_read(folder, "submission_13", &r, &found, &others, &when));
    assert_string_equal(found.key, ""); /* what a test printed names nobody */
    roster_free(&r);
}

/* What decides whether a submission is graded again, and what its inputs are drawn from. */
static void test_fingerprint(void **state)
{
    const struct class_state plain = {.seed = "7", .lab_hash = "lab"};
    struct class_state c[7];
    struct submission s[7];
    char hex[7][65];
    uint64_t seed[7];
    (void)state;
    for (int i = 0; i < 7; i++) {
        c[i] = plain;
        s[i] = (struct submission){.student = "ada", .sha256 = "abc"};
    }
    strcpy(s[1].student, "bob");
    strcpy(s[2].sha256, "abd");
    strcpy(c[3].seed, "8");
    strcpy(c[4].lab_hash, "other");
    c[5].o.quick = true;
    c[6].device = DEVICE_CUDA;
    for (int i = 0; i < 7; i++) {
        class_fingerprint(&c[i], &s[i], hex[i], &seed[i]);
        assert_int_equal(strlen(hex[i]), 64);
        assert_true(seed[i] > 0 && seed[i] >> 63 == 0);
        for (int k = 0; k < i; k++) {
            assert_string_not_equal(hex[i], hex[k]);
            assert_int_equal(seed[i] == seed[k], (k == 0 && i > 3) || k > 3);
        }
    }
    strcpy(hex[1], hex[0]);
    class_fingerprint(&c[0], &s[0], hex[0], &seed[0]);
    assert_string_equal(hex[0], hex[1]);
}

static void test_words(void **state)
{
    struct text t = {0};
    (void)state;
    html_words(&t, "<script>\"a\" & 'b'\x1b[2J");
    assert_string_equal(text_string(&t), "&#60;script&#62;&#34;a&#34; &#38; &#39;b&#39;?[2J");
    text_free(&t);
    static const char *const fields[][2] = {{"=1+1", "\"'=1+1\""},
                                            {" @x", "\"' @x\""},
                                            {"-1", "\"'-1\""},
                                            {"+1", "\"'+1\""},
                                            {"a\"b", "\"a\"\"b\""},
                                            {"", "\"\""},
                                            {"\uff1d1+1", "\"'\uff1d1+1\""},
                                            {"a\u061cb\u00adc\U000e0041d", "\"a??b??c????d\""}};
    for (size_t i = 0; i < sizeof fields / sizeof *fields; i++) {
        page_field(&t, fields[i][0]);
        assert_string_equal(text_string(&t), fields[i][1]);
        text_free(&t);
    }
    char *plain = page_name("ada@uni.edu"), *odd = page_name("../ada"),
         *other = page_name(".._ada");
    assert_string_equal(plain, "ada@uni.edu");
    assert_null(strchr(odd, '/'));
    assert_true(odd[0] != '.' && strcmp(odd, other) != 0);
    free(plain);
    free(odd);
    free(other);
}

/* Ranks of a task by speed, whatever the roster's order; an equal speed shares one. */
static void test_leaderboard(void **state)
{
    (void)state;
    struct hpc_error err;
    struct lab *lab = hpc_calloc(1, sizeof *lab);
    const struct project project = {.lab = lab};
    struct class_state c = {.project = &project, .folder = folder, .seed = "seed"};
    struct roster_student who[4] = {{.id = "ada"}, {.id = "bob"}, {.id = "eve"}, {.id = "joe"}};
    struct standing_task task[4] = {{"flat", VERDICT_PASS, 1, 0, 0.5, ""},
                                    {"flat", VERDICT_PASS, 1, 0, 1.25, ""},
                                    {"flat", VERDICT_WRONG, 0, 0, 2, ""},
                                    {"flat", VERDICT_PASS, 1, 0, 0.5, ""}};
    struct standing all[4];
    strcpy(lab->name, "lab9");
    lab->n_tasks = 1;
    strcpy(lab->tasks[0].name, "flat");
    for (int i = 0; i < 4; i++)
        all[i] = (struct standing){.who = &who[i], .n_tasks = 1, .task = &task[i]};
    assert_true(page_leaderboard(&c, all, 4, &err));
    char *path = hpc_printf("%s/leaderboard.html", folder), page[8192] = "";
    FILE *f = fopen(path, "r");
    assert_non_null(f);
    page[fread(page, 1, sizeof page - 1, f)] = '\0';
    fclose(f);
    const char *first = strstr(page, "<tr><td>1</td>"), *second = strstr(page, "<tr><td>2</td>");
    assert_true(first && second && first < second);
    assert_non_null(strstr(first, "<td>125%</td>"));
    assert_true(strstr(first, "<td>125%</td>") < second);
    assert_non_null(strstr(second + 1, "<tr><td>2</td>"));
    assert_null(strstr(page, "200%"));
    assert_null(strstr(page, "ada"));
    assert_true(page_leaderboard(&c, all, 0, &err));
    assert_non_null(f = fopen(path, "r"));
    page[fread(page, 1, sizeof page - 1, f)] = '\0';
    fclose(f);
    assert_non_null(strstr(page, "No speed is graded yet"));
    assert_null(strstr(page, "<table"));
    free(path);
    free(lab);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_names),       cmocka_unit_test(test_own_pattern),
        cmocka_unit_test(test_gradescope),  cmocka_unit_test(test_words),
        cmocka_unit_test(test_fingerprint), cmocka_unit_test(test_leaderboard),
    };
    if (!mkdtemp(folder))
        return 1;
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    char *command = hpc_printf("rm -rf %s", folder);
    if (system(command) != 0)
        fprintf(stderr, "%s is left\n", folder);
    free(command);
    return failed;
}
