#include "harness/trial/map.h"

#include <string.h>

#define STRIP_LINES 4 /* of one dimension, which goes on in the next line */

/* rows x columns elements from `first` on, a mark for `down` x `across`. */
struct map {
    size_t first, rows, columns, down, across;
};

static int dimensions(const struct hpc_array *a)
{
    int n = 0;
    while (n < HPC_DIMENSIONS && a->shape[n])
        n++;
    return n;
}

void map_place(struct text *t, const struct hpc_array *a, size_t i)
{
    const int n = dimensions(a);
    size_t inner = 1;
    for (int d = 0; d < n; d++)
        inner *= a->shape[d];
    if (n == 0)
        text_add(t, "[%zu]", i);
    for (int d = 0; d < n; d++) {
        inner /= a->shape[d];
        text_add(t, "[%zu]", i / inner);
        i %= inner;
    }
}

static struct map map_of(const struct hpc_array *a, const char *state, size_t most_lines)
{
    struct map m = {0, 1, a->count, 1, 1};
    const int n = dimensions(a);
    size_t wrong = 0;
    if (n > 1) {
        m.columns = a->shape[n - 1];
        m.rows = a->shape[n - 2];
    }
    while (wrong < a->count && state[wrong] == MAP_RIGHT)
        wrong++;
    if (wrong < a->count)
        m.first = wrong / (m.rows * m.columns) * (m.rows * m.columns);
    m.down = (m.rows + most_lines - 1) / most_lines;
    const size_t marks = m.rows == 1 ? MAP_COLUMNS * STRIP_LINES : MAP_COLUMNS;
    m.across = (m.columns + marks - 1) / marks;
    return m;
}

/* The mark at (row, column) of the picture. */
static char mark(const char *state, const struct map *m, size_t row, size_t column)
{
    const size_t bottom = (row + 1) * m->down, right = (column + 1) * m->across;
    size_t right_ones = 0, blank = 0, all = 0;
    for (size_t r = row * m->down; r < bottom && r < m->rows; r++)
        for (size_t c = column * m->across; c < right && c < m->columns; c++, all++) {
            const char here = state[m->first + r * m->columns + c];
            right_ones += here == MAP_RIGHT;
            blank += here == MAP_BLANK;
        }
    return (char)(right_ones == all ? MAP_RIGHT
                  : right_ones > 0  ? MAP_SOME
                  : blank == all    ? MAP_BLANK
                                    : MAP_WRONG);
}

void map_add(struct text *t, const struct hpc_array *a, const char *state, size_t most_lines)
{
    const struct map m = map_of(a, state, most_lines);
    struct text from = {0};
    if (!memchr(state, MAP_RIGHT, a->count)) {
        text_add(t, "  %s: every one of its %zu elements is wrong\n", a->name, a->count);
        return;
    }
    map_place(&from, a, m.first);
    text_add(t, "  from %s%s on, %zu x %zu a mark: . right, x some, # wrong, ? NaN\n", a->name,
             text_string(&from), m.down, m.across);
    text_free(&from);
    for (size_t r = 0; r * m.down < m.rows; r++) {
        for (size_t c = 0; c * m.across < m.columns; c++)
            text_add(t, "%s%c",
                     c % MAP_COLUMNS ? ""
                     : c             ? "\n    "
                                     : "    ",
                     mark(state, &m, r, c));
        text_add(t, "%s", "\n");
    }
}
