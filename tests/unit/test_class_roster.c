/* A roster, as spreadsheets write it, and the names in it. */
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

#include "harness/class/find.h"
#include "harness/class/roster.h"

static char path[] = "/tmp/test_class_roster.XXXXXX";

static void write_file(const char *text)
{
    FILE *f = fopen(path, "w");
    assert_non_null(f);
    fputs(text, f);
    fclose(f);
}

/* What spreadsheets write; each file has the same three students. */
static void test_tables(void **state)
{
    static const char wide[] = "id;name;late_days\r\n7;M\xfcller, J\xf6rg;1,5\r\n8;b;\r\n9;c;2\r\n";
    static const struct {
        const char *what, *text;
        size_t bytes; /* 0: to its end */
    } files[] = {
        {"semicolons", "id;name;late_days\n7;M\xc3\xbcller, J\xc3\xb6rg;1,5\n8;b;\n9;c;2\n", 0},
        {"a line for Excel",
         "sep=;\r\nid;name;late_days\r\n7;M\xc3\xbcller, J\xc3\xb6rg;1,5\r\n8;b;\r\n9;c;2\r\n", 0},
        {"tabs", "id\tname\tlate_days\n7\tM\xc3\xbcller, J\xc3\xb6rg\t1.5\n8\tb\t\n9\tc\t2", 0},
        {"empty columns and rows",
         "id, name ,late_days,,\n7 , \"M\xc3\xbcller, J\xc3\xb6rg\" "
         ",1.5,,\n,,,,\n\n8,b,,,\n9,c,2,,\n",
         0},
        {"returns alone", "id,name,late_days\r7,\"M\xc3\xbcller, J\xc3\xb6rg\",1.5\r8,b,\r9,c,2",
         0},
        {"Latin letters", wide, 0},
        {"UTF-16", "", 1},
    };
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++)
        for (int big = 0; big < (files[i].bytes ? 4 : 1); big++) {
            struct roster r;
            struct hpc_error err = {.text = ""};
            write_file(files[i].text);
            FILE *f = fopen(path, "a");
            assert_non_null(f);
            for (size_t k = 0; files[i].bytes && k + 1 < sizeof wide; k++) {
                const char little[] = {wide[k], 0}, great[] = {0, wide[k]};
                if (k == 0 && big < 2)
                    fwrite(big ? "\xfe\xff" : "\xff\xfe", 1, 2, f);
                fwrite(big % 2 ? great : little, 1, 2, f);
            }
            fclose(f);
            if (!roster_read(path, 110, &r, &err) || r.n != 3 || r.n_left)
                fail_msg("%s: %s %s", files[i].what, err.text, r.n_left ? r.left[0].why : "");
            assert_string_equal(r.student[0].id, "7");
            assert_string_equal(r.student[0].name, "M\xc3\xbcller, J\xc3\xb6rg");
            assert_true(r.student[0].late_days == 1.5 && r.student[2].late_days == 2);
            roster_free(&r);
        }
}

/* What no student is read from, or but one row: what was wrong, where, what was expected. */
static void test_mistakes(void **state)
{
    static const struct {
        const char *text, *words;
    } files[] = {
        {"", ": is empty, expected the names of columns in its first line"},
        {"\n\n", ":1: no column id, expected one in the first line"},
        {"id\n", ": no student, expected a line each below the names of columns"},
        {"id,ID\na,b\n", ":1: column id is there twice, expected it once"},
        {"id,name, Name \na,A,B\n", ":1: column name is there twice, expected it once"},
        {"id,name\na,A\nb\n", ":3: 1 field, expected 2 as in the first line"},
        {"id,name\na,A\nb,B,C\n", ":3: 3 fields, expected 2 as in the first line"},
        {"id,override,reason\na,110,ill\nb,110.5,ill\n",
         ":3: override = 110.5, expected at most 110, which the lab can give"},
        {"id\na\nA\n", ":3: id A is there twice, first in line 2, expected one line a student"},
    };
    int wrong = 0;
    (void)state;
    for (size_t i = 0; i < sizeof files / sizeof *files; i++) {
        struct roster r;
        struct hpc_error err = {.text = ""};
        write_file(files[i].text);
        const bool good = roster_read(path, 110, &r, &err);
        const char *words = good && r.n_left == 1 ? r.left[0].why : err.text;
        if (strncmp(words, path, strlen(path)) != 0 ||
            strcmp(words + strlen(path), files[i].words) != 0) {
            print_error("%zu: %s, expected %s\n", i, words, files[i].words);
            wrong++;
        }
        if (good)
            roster_free(&r);
    }
    assert_int_equal(wrong, 0);
}

/* Names as file systems and keyboards write them, and when two students may be meant. */
static void test_spellings(void **state)
{
    static const struct {
        const char *key;
        int student; /* from 1; 0: nobody, or more than one */
    } keys[] = {
        {"J\xc3\xb6rg M\xc3\xbcller", 1},
        {"Jo\xcc\x88rg Mu\xcc\x88ller", 1},
        {"MUELLER, JOERG", 1},
        {"J#U00f6rg M#U00fcller", 1},
        {"Jorg Muller", 2},
        {"Lucja Zolc", 3},
        {"\xc5\x82ucja \xc5\xbb\xc3\xb3\xc5\x82\xc4\x87", 3},
        {"Gross Anna", 9},
        {"Anna Gro\xc3\x9f", 4},
        {"Aoife O\xe2\x80\x99Neill", 6},
        {"\xd0\x98\xd0\xb2\xd0\xb0\xd0\xbd", 7},
        {"\xd0\x98\xd0\xb2\xd0\xbe\xd0\xbd", 0},
        {"???", 0},
        {"Eva", 0},
        {"Ev", 0},
        {"\x80", 0},
    };
    struct roster r;
    struct hpc_error err;
    write_file("id,name,attempt\na,J\xc3\xb6rg M\xc3\xbcller,\nb,Jorg Muller,\n"
               "c,\xc5\x81ucja \xc5\xbb\xc3\xb3\xc5\x82\xc4\x87,\nd,Anna Gro\xc3\x9f,\n"
               "e,Anna Gro\xc3\x9f"
               "e,\nf,Aoife O'Neill,\n"
               "g,\xd0\x98\xd0\xb2\xd0\xb0\xd0\xbd,\nh,Eva,\nh2,Eva,first\nh2,Anna Gross,\n");
    (void)state;
    assert_true(roster_read(path, 110, &r, &err));
    assert_int_equal(r.n_left, 1); /* another Eva, whose row is left out: neither may be meant */
    for (size_t i = 0; i < sizeof keys / sizeof *keys; i++) {
        const struct roster_student *s = roster_match(&r, ROSTER_NAME, keys[i].key);
        const long found = s ? s - r.student + 1 : 0;
        if (found != keys[i].student)
            fail_msg("%s: %ld", keys[i].key, found);
    }
    assert_int_equal(roster_match(&r, ROSTER_ID, "h") - r.student, 7);
    roster_free(&r);
}

static void test_times(void **state)
{
    long long a, b;
    (void)state;
    assert_true(find_time("2026-11-22T23:59", &a));
    assert_true(find_time("2026-11-23 00:59:00 +0100", &b));
    assert_int_equal(a, b);
    assert_true(find_time("2026-11-22T23:59:00Z", &b));
    assert_int_equal(a, b);
    assert_true(find_time("2026-11-22T18:29:00-05:30", &b));
    assert_int_equal(a, b);
    assert_true(find_time("'2026-11-22 23:59:00.123456000 Z'\n", &b));
    assert_int_equal(a, b);
    assert_true(find_time("2024-02-29 12:00 UTC", &b));
    static const char *const none[] = {"tomorrow",
                                       "2026-13-22T23:59",
                                       "2026-02-29T12:00",
                                       "2026-02-30T12:00",
                                       "2026-11-22T24:00",
                                       "2026-11-22T23:59 +99:00",
                                       "2026-11-22T23:59 CET",
                                       "2026-11-22T23:59 pm",
                                       "2026-00-01T10:00",
                                       "2026-11-22T-1:59",
                                       "2026-11-22T23:59Z and more"};
    for (unsigned i = 0; i < sizeof none / sizeof *none; i++)
        if (find_time(none[i], &a))
            fail_msg("%s is taken for a time", none[i]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_tables),
        cmocka_unit_test(test_mistakes),
        cmocka_unit_test(test_spellings),
        cmocka_unit_test(test_times),
    };
    const int made = mkstemp(path);
    if (made < 0)
        return 1;
    close(made);
    const int failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    return failed;
}
