#include "harness/trial/look.h"

#include <errno.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/size.h"
#include "common/text.h"
#include "conv2d/featuremaps/npy.h"
#include "conv2d/half.h"

/* What outputs should be, and how far they may be off. */
struct wanted {
    struct hpc_layout layout;
    double *want[HPC_MAX_ARRAYS], *bound[HPC_MAX_ARRAYS];
};

static struct wanted wanted_find(const struct look *l)
{
    struct wanted w = {.layout = {.n_in = 0}};
    l->op->layout(l->problem, &w.layout);
    for (int k = 0; k < w.layout.n_out; k++) {
        const size_t bytes = hpc_mul(w.layout.out[k].count, sizeof(double));
        w.want[k] = hpc_malloc(bytes + 1);
        w.bound[k] = hpc_malloc(bytes + 1);
    }
    l->op->expected(l->problem, l->in, w.want, w.bound);
    return w;
}

static void wanted_free(struct wanted *w)
{
    for (int k = 0; k < HPC_MAX_ARRAYS; k++) {
        free(w->want[k]);
        free(w->bound[k]);
    }
}

static double element(const void *array, enum hpc_type type, size_t i)
{
    switch (type) {
    case HPC_F64:
        return ((const double *)array)[i];
    case HPC_I32:
        return ((const int32_t *)array)[i];
    case HPC_F16:
        return (double)half_to_float(((const uint16_t *)array)[i]);
    default:
        return (double)((const float *)array)[i];
    }
}

static bool is_wrong(double got, double want, double bound)
{
    return !(fabs(got - want) <= bound) && !isinf(bound);
}

/* "[2][0][5]", or "[7]". */
static void add_place(struct text *t, const struct hpc_array *a, size_t i)
{
    size_t inner = 1;
    int n = 0;
    while (n < HPC_DIMENSIONS && a->shape[n])
        inner *= a->shape[n++];
    if (n == 0)
        text_add(t, "[%zu]", i);
    for (int d = 0; d < n; d++) {
        inner /= a->shape[d];
        text_add(t, "[%zu]", i / inner);
        i %= inner;
    }
}

static bool dump_csv(const struct look *l, const struct wanted *w, const char *path,
                     struct hpc_error *err)
{
    FILE *f = fopen(path, "we");
    if (!f)
        return hpc_fail_env(err, "%s: %s; expected a file that can be written", path,
                            strerror(errno));
    fprintf(f, "array,index,value,wanted,bound,wrong\n");
    for (int k = 0; k < w->layout.n_in; k++)
        for (size_t i = 0; i < w->layout.in[k].count; i++)
            fprintf(f, "%s,%zu,%.17g,,,\n", w->layout.in[k].name, i,
                    element(l->in[k], w->layout.in[k].type, i));
    for (int k = 0; k < w->layout.n_out; k++)
        for (size_t i = 0; i < w->layout.out[k].count; i++) {
            const double got = element(l->out[k], w->layout.out[k].type, i);
            fprintf(f, "%s,%zu,%.17g,%.17g,%.3g,%s\n", w->layout.out[k].name, i, got, w->want[k][i],
                    w->bound[k][i], is_wrong(got, w->want[k][i], w->bound[k][i]) ? "yes" : "no");
        }
    const bool bad = ferror(f) != 0;
    return (fclose(f) == 0 && !bad) || hpc_fail_env(err, "%s: no room for it", path);
}

/* PATH without its ending, with _NAME and what else there is to say of an array. */
static bool dump_array(const char *path, const struct hpc_array *a, const char *more,
                       enum hpc_type type, const void *values, struct hpc_error *err)
{
    int n = 0;
    size_t shape[HPC_DIMENSIONS] = {a->count};
    while (n < HPC_DIMENSIONS && a->shape[n]) {
        shape[n] = a->shape[n];
        n++;
    }
    char *name =
        hpc_printf("%.*s_%s%s.npy", (int)(strlen(path) - strlen(".npy")), path, a->name, more);
    const bool good = npy_write(name, n ? n : 1, shape, type, values, err);
    free(name);
    return good;
}

static bool dump_npy(const struct look *l, const struct wanted *w, const char *path,
                     struct hpc_error *err)
{
    bool good = true;
    for (int k = 0; k < w->layout.n_in && good; k++)
        good = dump_array(path, &w->layout.in[k], "", w->layout.in[k].type, l->in[k], err);
    for (int k = 0; k < w->layout.n_out && good; k++)
        good = dump_array(path, &w->layout.out[k], "", w->layout.out[k].type, l->out[k], err) &&
               dump_array(path, &w->layout.out[k], "_wanted", HPC_F64, w->want[k], err);
    return good;
}

static bool ends(const char *path, const char *with)
{
    const char *ending = strrchr(path, '.');
    return ending && strcmp(ending, with) == 0;
}

bool look_can_dump(const char *path)
{
    return ends(path, ".npy") || ends(path, ".csv");
}

bool look_dump(const struct look *l, const char *path, struct hpc_error *err)
{
    const bool npy = ends(path, ".npy");
    struct wanted w = wanted_find(l);
    const bool good = npy ? dump_npy(l, &w, path, err) : dump_csv(l, &w, path, err);
    wanted_free(&w);
    return good;
}

#define MAP_ROWS    24
#define MAP_COLUMNS 64

/* An output as a picture: rows x columns elements from `first` on, a mark for `down` x `across`. */
struct map {
    size_t first, rows, columns, down, across;
};

/* The last two dimensions of an array, or all of it as one row; of several such planes the first in
 * which something is wrong. */
static struct map map_of(const struct look *l, const struct wanted *w, int k)
{
    const struct hpc_array *a = &w->layout.out[k];
    struct map m = {0, 1, a->count, 1, 1};
    int n = 0;
    while (n < HPC_DIMENSIONS && a->shape[n])
        n++;
    if (n > 1) {
        m.columns = a->shape[n - 1];
        m.rows = a->shape[n - 2];
    }
    size_t wrong = 0;
    while (wrong < a->count &&
           !is_wrong(element(l->out[k], a->type, wrong), w->want[k][wrong], w->bound[k][wrong]))
        wrong++;
    if (wrong < a->count)
        m.first = wrong / (m.rows * m.columns) * (m.rows * m.columns);
    m.down = (m.rows + MAP_ROWS - 1) / MAP_ROWS;
    m.across = (m.columns + MAP_COLUMNS - 1) / MAP_COLUMNS;
    return m;
}

/* The mark at (row, column) of the picture. */
static char mark(const struct look *l, const struct wanted *w, int k, const struct map *m,
                 size_t row, size_t column)
{
    const struct hpc_array *a = &w->layout.out[k];
    size_t all = 0, wrong = 0, blank = 0;
    for (size_t r = row * m->down; r < (row + 1) * m->down && r < m->rows; r++)
        for (size_t c = column * m->across; c < (column + 1) * m->across && c < m->columns; c++) {
            const size_t i = m->first + r * m->columns + c;
            const double got = element(l->out[k], a->type, i);
            all++;
            blank += isnan(got);
            wrong += is_wrong(got, w->want[k][i], w->bound[k][i]);
        }
    return (char)(wrong == 0 ? '.' : blank == all ? '?' : wrong == all ? '#' : 'x');
}

static void add_map(const struct look *l, const struct wanted *w, int k, struct text *t)
{
    const struct hpc_array *a = &w->layout.out[k];
    const struct map m = map_of(l, w, k);
    struct text from = {0};
    add_place(&from, a, m.first);
    text_add(t, "  from %s%s on, %zu x %zu a mark: . right, x some wrong, # wrong, ? NaN\n",
             a->name, text_string(&from), m.down, m.across);
    text_free(&from);
    for (size_t r = 0; r * m.down < m.rows; r++) {
        text_add(t, "%s", "    ");
        for (size_t c = 0; c * m.across < m.columns; c++)
            text_add(t, "%c", mark(l, w, k, &m, r, c));
        text_add(t, "%s", "\n");
    }
}

char *look_table(const struct look *l)
{
    struct text t = {0};
    struct wanted w = wanted_find(l);
    for (int k = 0; k < w.layout.n_out; k++) {
        const struct hpc_array *a = &w.layout.out[k];
        if (a->count > LOOK_ROWS)
            add_map(l, &w, k, &t);
        for (size_t i = 0; i < a->count && a->count <= LOOK_ROWS; i++) {
            const double got = element(l->out[k], a->type, i), want = w.want[k][i];
            struct text place = {0};
            text_add(&place, "%s", a->name);
            add_place(&place, a, i);
            text_add(&t, "  %-20s %15.9g  wanted %15.9g%s\n", text_string(&place), got, want,
                     is_wrong(got, want, w.bound[k][i]) ? "  wrong" : "");
            text_free(&place);
        }
    }
    wanted_free(&w);
    text_add(&t, "%s", "");
    return text_take(&t);
}

bool look_whole(const struct look *l, int k)
{
    struct hpc_layout layout = {.n_in = 0};
    l->op->layout(l->problem, &layout);
    const struct hpc_array *a = &layout.out[k];
    bool some = false;
    for (size_t i = 0; i < a->count; i++) {
        const double v = element(l->out[k], a->type, i);
        if (v != trunc(v) || isinf(v))
            return false;
        some |= v != 0;
    }
    return some && a->type != HPC_I32;
}
