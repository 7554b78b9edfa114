/* harness/trial/map.h: where an output is wrong, mark by mark. */
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "harness/trial/map.h"

/* The picture of an array in which `wrong` elements, each with its mark, are not right; ended by an
 * element that the array does not have. */
struct wrong {
    size_t at;
    char mark;
};

static char *draw(const struct hpc_array *a, const struct wrong *wrong, size_t lines)
{
    struct text t = {0};
    char *state = malloc(a->count + 1);
    assert_non_null(state);
    memset(state, MAP_RIGHT, a->count);
    for (; wrong->at < a->count; wrong++)
        state[wrong->at] = wrong->mark;
    map_add(&t, a, state, lines);
    free(state);
    return text_take(&t);
}

static void check(const struct hpc_array *a, const struct wrong *wrong, size_t lines,
                  const char *expected)
{
    char *picture = draw(a, wrong, lines);
    assert_string_equal(picture, expected);
    free(picture);
}

#define LEGEND " a mark: . right, x some, # wrong, ? NaN\n"

static void maps_have_rows_and_columns(void **state)
{
    (void)state;
    const struct hpc_array a = {.name = "y", .count = 12, .shape = {3, 4}};
    check(&a, (struct wrong[]){{1, '#'}, {6, '#'}, {11, '?'}, {12, 0}}, 24,
          "  from y[0][0] on, 1 x 1" LEGEND "    .#..\n    ..#.\n    ...?\n");
}

/* Of several planes: the first that has something wrong, by its place. */
static void maps_choose_a_plane(void **state)
{
    (void)state;
    const struct hpc_array a = {.name = "y", .count = 24, .shape = {2, 3, 2, 2}};
    check(&a, (struct wrong[]){{18, '#'}, {20, '#'}, {24, 0}}, 24,
          "  from y[1][1][0][0] on, 1 x 1" LEGEND "    ..\n    #.\n");
}

/* A mark of several elements: all right, some wrong, all wrong, all NaN; NaN beside wrong is wrong.
 * Rows and columns that are left over at the ends stand for fewer. */
static void marks_stand_for_several(void **state)
{
    (void)state;
    const struct hpc_array a = {.name = "y", .count = 3 * 129, .shape = {3, 129}};
    check(&a,
          (struct wrong[]){{0, '#'},
                           {1, '#'},
                           {2, '#'},
                           {129, '#'},
                           {130, '#'},
                           {131, '?'},
                           {3, '?'},
                           {4, '?'},
                           {5, '?'},
                           {132, '?'},
                           {133, '?'},
                           {134, '?'},
                           {9, '?'},
                           {128, '#'},
                           {257, '#'},
                           {3 * 129, 0}},
          2,
          "  from y[0][0] on, 2 x 3" LEGEND "    #?.x......................................x\n"
          "    ...........................................\n");
}

/* A line goes on in the next one, four lines at most. */
static void strips_are_folded(void **state)
{
    (void)state;
    char expected[400] = "  from w[0] on, 1 x 1" LEGEND "    ";
    const struct hpc_array a = {.name = "w", .count = 100}, wide = {.name = "w", .count = 1009};
    memset(expected + strlen(expected), '.', 64);
    strcat(expected, "\n    #...................................\n");
    check(&a, (struct wrong[]){{64, '#'}, {100, 0}}, 24, expected);
    char *picture = draw(&wide, (struct wrong[]){{1008, '#'}, {1009, 0}}, 24);
    int lines = 0;
    for (const char *p = picture; (p = strchr(p, '\n')) != NULL; p++)
        lines++;
    assert_int_equal(lines, 5);
    assert_non_null(strstr(picture, "1 x 4 a mark"));
    assert_string_equal(picture + strlen(picture) - 3, ".#\n");
    free(picture);
}

static void nothing_right_is_a_line(void **state)
{
    (void)state;
    const struct hpc_array a = {.name = "y", .count = 3};
    check(&a, (struct wrong[]){{0, '#'}, {1, '?'}, {2, '#'}, {3, 0}}, 24,
          "  y: every one of its 3 elements is wrong\n");
}

/* However large: no line of more than 80 columns with the screen's indentation of 4, and no more
 * lines than asked for. */
static void fits_the_screen(void **state)
{
    (void)state;
    const struct hpc_array a = {.name = "y", .count = 700 * 900, .shape = {1, 1, 700, 900}};
    char *picture = draw(&a, (struct wrong[]){{700 * 450, '#'}, {700 * 900, 0}}, 12);
    size_t lines = 0;
    for (const char *p = picture; *p; p += strcspn(p, "\n") + 1, lines++)
        assert_true(strcspn(p, "\n") + 4 <= 80);
    assert_true(lines <= 13);
    assert_non_null(strchr(strchr(picture, '\n'), 'x'));
    free(picture);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(maps_have_rows_and_columns), cmocka_unit_test(maps_choose_a_plane),
        cmocka_unit_test(marks_stand_for_several),    cmocka_unit_test(strips_are_folded),
        cmocka_unit_test(nothing_right_is_a_line),    cmocka_unit_test(fits_the_screen),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
