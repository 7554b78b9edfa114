/* harness/view: what a request touches, told lane by lane, and races in two lanes of time. */
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <setjmp.h>
#include <cmocka.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "harness/view/view.h"

/* All 32 lanes, so many bytes apart from `first` on. */
static struct view_line request(const char *access, unsigned bytes, uint64_t first, uint64_t stride)
{
    struct view_line l = {.bytes = bytes, .who = UINT32_MAX, .requests = 10, .line = 7};
    snprintf(l.access, sizeof l.access, "%s", access);
    snprintf(l.variable, sizeof l.variable, "y");
    for (unsigned i = 0; i < VIEW_LANES; i++)
        l.at[i] = first + i * stride;
    return l;
}

static void sectors(void **state)
{
    struct view_row rows[VIEW_ROWS];
    char text[200];
    (void)state;
    struct view_line l = request("global load", 4, 0, 4);
    assert_int_equal(view_rows(&l, rows), 4);
    assert_true(rows[1].at == 32 && rows[1].lanes == 0xFF00 && rows[1].used == 32);
    assert_int_equal(view_fewest(&l), 4);
    l = request("global load", 4, 28, 4); /* begins in the last word of a sector */
    assert_int_equal(view_rows(&l, rows), 5);
    assert_true(rows[0].lanes == 1 && rows[0].used == 4 && rows[4].used == 28);
    l = request("global store", 4, 0, 64);
    assert_int_equal(view_rows(&l, rows), 32);
    assert_true(rows[31].at == 31 * 64 && rows[31].lanes == 1u << 31 && rows[31].used == 4);
    view_sentence(&l, text, sizeof text);
    assert_string_equal(text, "32 lanes x 4 bytes of y: 32 sectors, where 4 would do");
    l = request("global load", 8, 28,
                8); /* no program has it: each access in two sectors at most */
    assert_int_equal(view_rows(&l, rows), 9);
    assert_true(rows[0].used == 4 && rows[8].used == 28 && rows[1].lanes == 0x1F);
    l = request("constant load", 4, 8, 0);
    assert_int_equal(view_rows(&l, rows), 1);
    view_sentence(&l, text, sizeof text);
    assert_string_equal(text, "32 lanes x 4 bytes of y: 1 word");
}

static void passes(void **state)
{
    struct view_row rows[VIEW_ROWS];
    (void)state;
    struct view_line l = request("shared load", 4, 0, 4);
    assert_int_equal(view_rows(&l, rows), 1);
    assert_int_equal(view_fewest(&l), 1);
    l = request("shared load", 4, 64, 8);
    assert_int_equal(view_rows(&l, rows), 2);
    assert_true(rows[0].lanes == 0xFFFF && rows[1].lanes == 0xFFFF0000);
    l = request("shared store", 4, 0, 128);
    assert_int_equal(view_rows(&l, rows), 32);
    l = request("shared load", 4, 0, 0); /* one word for all */
    assert_int_equal(view_rows(&l, rows), 1);
    l = request("shared load", 8, 0, 0); /* for each half of the warp */
    assert_int_equal(view_rows(&l, rows), 2);
    l = request("shared load", 16, 0, 16); /* quarters of a warp */
    assert_int_equal(view_rows(&l, rows), 4);
    assert_int_equal(view_fewest(&l), 4);
}

static void maps(void **state)
{
    struct text t = {0};
    (void)state;
    struct view v = {.n_lines = 3};
    v.line[0] = request("global load", 4, 0, 4);
    v.line[1] = request("global load", 4, 0, 64);
    v.line[2] = request("shared load", 4, 0, 128);
    v.line[0].units = 40;
    v.line[1].units = 320;
    v.line[2].units = 310;
    int number[2];
    assert_int_equal(view_wasteful(&v, number, 2), 2);
    assert_true(number[0] == 2 && number[1] == 1);
    assert_int_equal(view_wasteful(&v, number, 1), 1);
    assert_int_equal(number[0], 2);
    view_lanes(&v.line[1], &t);
    assert_non_null(strstr(text_string(&t), "byte 64          .#.............................."
                                            "  4 of 32 bytes used\n"));
    assert_non_null(strstr(text_string(&t), "25 more\n    byte 1984 "));
    for (const char *p = text_string(&t); *p; p += strcspn(p, "\n") + 1)
        assert_true(strcspn(p, "\n") <= 80);
    text_free(&t);
}

static const char race[] =
    "{\"kind\":\"race-shared\",\"kernel\":\"k\\u001b[2J\",\"block\":[1,0,0],\"thread\":[31,0,0],"
    "\"file\":\"labs/lab6/k.cu\",\"line\":2,\"other\":{\"block\":[1,0,0],\"thread\":[0,0,0],"
    "\"file\":\"labs/lab6/k.cu\",\"line\":4,\"write\":false},\"variable\":\"tile\",\"text\":\"t\","
    "\"advice\":\"a\",\"count\":3}\n";

/* Writes a root with a source and reports; the timelines of it. */
static char *timelines(const char *reports, const char *name)
{
    char root[] = "/tmp/hpclab-test_view-XXXXXX", path[100], from[100];
    struct text t = {0};
    assert_non_null(mkdtemp(root));
    snprintf(path, sizeof path, "%s/reports", root);
    FILE *f = fopen(path, "we");
    assert_true(f && fputs(reports, f) >= 0 && fclose(f) == 0);
    snprintf(from, sizeof from, "%s/k.cu", root);
    f = fopen(from, "we");
    assert_true(f &&
                fputs("    one\n      tile[i] = \033[1mx;\n\n    s += tile[i + 1];\n", f) >= 0 &&
                fclose(f) == 0);
    /* The source is at root/k.cu, and reports name it so, or as another file. */
    view_timelines(path, root, name, &t);
    assert_true(unlink(path) == 0 && unlink(from) == 0 && rmdir(root) == 0);
    return text_take(&t);
}

static void two_lanes(void **state)
{
    (void)state;
    char reports[4 * sizeof race], *at;
    snprintf(reports, sizeof reports, "%s%snot JSON\n[]\n", race, race); /* the same pair: once */
    while ((at = strstr(reports, "labs/lab6/k.cu")) != NULL)
        memmove(at, at + 10, strlen(at + 10) + 1);
    char *text = timelines(reports, "k.cu");
    assert_non_null(strstr(text, "race-shared in k?[2J: tile\n  A: thread (31,0,0), block (1,0,0)\n"
                                 "  B: thread (0,0,0), block (1,0,0)\n"));
    assert_non_null(strstr(text, "    WRITES     |     >   2    tile[i] = ?[1mx;\n"));
    assert_non_null(strstr(text, "      |      READS   >   4  s += tile[i + 1];\n"));
    assert_non_null(strstr(text, "no barrier stands between the two"));
    assert_null(strchr(text, '\033'));
    assert_null(strstr(strstr(text, "race-shared") + 1, "race-shared"));
    free(text);
}

/* A file that the report names, and is not the student's, is never read. */
static void no_other_file(void **state)
{
    (void)state;
    char *text = timelines(race, "k.cu");
    assert_non_null(strstr(text, "WRITES     |     >   2  labs/lab6/k.cu\n"));
    assert_null(strstr(text, "tile[i]"));
    free(text);
}

static void hostile_numbers(void **state)
{
    (void)state;
    char *text = timelines(
        "{\"kind\":\"traffic-line\",\"bytes\":99999,\"touched\":[[-1,3],[77,1],[3,-4],\"x\",[4,1e9]"
        "]}\n"
        "{\"kind\":\"race\",\"line\":-5,\"other\":{\"line\":99999999999}}\n{\"kind\":\"race\"}\n",
        "k.cu");
    assert_non_null(strstr(text, "race\n"));
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(sectors),       cmocka_unit_test(passes),
        cmocka_unit_test(maps),          cmocka_unit_test(two_lanes),
        cmocka_unit_test(no_other_file), cmocka_unit_test(hostile_numbers),
    };
    return cmocka_run_group_tests_name("view", tests, NULL, NULL);
}
