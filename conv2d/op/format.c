/* The operation "window_format": its problem, its arrays, its check. Nothing is rounded, so every
 * entry is compared for equality. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "conv2d/op/op.h"
#include "conv2d/window_format.h"

static bool parse(struct hpc_params *params, void *problem, struct hpc_error *err)
{
    if (!conv2d_parse(params, problem, err))
        return false;
    const struct conv2d_problem *p = &((struct conv_case *)problem)->p.conv;
    if (p->n == 1 && p->c == 1 && p->k == 1 && p->layout == CONV_NCHW && p->type == CONV_F32)
        return true;
    return hpc_fail(err,
                    "window_format: expected one map, one filter: n = c = k = 1, layout = nchw, "
                    "type = f32");
}

static size_t windows_of(const struct conv2d_problem *p)
{
    return (size_t)conv2d_rows(p) * (size_t)conv2d_columns(p);
}

static void layout(const void *problem, struct hpc_layout *layout)
{
    const struct conv2d_problem *p = &((const struct conv_case *)problem)->p.conv;
    const size_t windows = windows_of(p), entries = windows * (size_t)p->r * (size_t)p->s;
    conv_layout_arrays(problem, layout);
    layout->n_out = FORMAT_N_OUT;
    layout->out[FORMAT_F] = (struct hpc_array){
        .name = "f_data", HPC_F32, entries, .shape = {windows, (size_t)p->r * (size_t)p->s}};
    layout->out[FORMAT_K] = layout->out[FORMAT_F];
    layout->out[FORMAT_K].name = "k_data";
    layout->out[FORMAT_PTR] = (struct hpc_array){.name = "ptr", HPC_I32, windows};
}

enum { MOST = 64 * 64 }; /* places of a window; r, s <= 64: conv2d_parse */

/* How the places of a window are numbered. */
enum walk { BY_ROWS, BY_COLUMNS };

/* A window's entries into f and k; returns how many. */
static int entries_of(const struct conv2d_problem *p, enum walk walk, const float *x,
                      const float *w, size_t window, float *f, float *k)
{
    const int top = (int)(window / (size_t)conv2d_columns(p)) * p->stride - p->pad;
    const int left = (int)(window % (size_t)conv2d_columns(p)) * p->stride - p->pad;
    int count = 0;
    for (int i = 0; i < p->r * p->s; i++) {
        const int row = top + (walk == BY_ROWS ? i / p->s : i % p->r);
        const int column = left + (walk == BY_ROWS ? i % p->s : i / p->r);
        const bool inside = row >= 0 && row < p->h && column >= 0 && column < p->w;
        if (inside && x[(size_t)row * (size_t)p->w + (size_t)column] != 0) {
            f[count] = x[(size_t)row * (size_t)p->w + (size_t)column];
            k[count++] = w[i];
        }
    }
    return count;
}

static void mismatch(const struct conv2d_problem *p, struct hpc_mismatch *m, int array,
                     size_t window, int entry, double got, double want)
{
    const int columns = conv2d_columns(p);
    if (m->wrong++ > 0)
        return;
    m->array = array;
    m->index = array == FORMAT_PTR ? window : window * (size_t)p->r * (size_t)p->s + (size_t)entry;
    m->got = got;
    m->want = want;
    const int row = (int)window / columns, column = (int)window % columns;
    if (array == FORMAT_PTR)
        snprintf(m->what, sizeof m->what, "ptr of the window of row %d, column %d", row, column);
    else
        snprintf(m->what, sizeof m->what, "%s[%d] of the window of row %d, column %d",
                 array == FORMAT_F ? "f_data" : "k_data", entry, row, column);
}

/* Whether f_data and ptr are those of places that are numbered down the columns. */
static bool by_columns(const struct conv2d_problem *p, const void *const in[],
                       const void *const out[])
{
    const float *f_data = out[FORMAT_F];
    const int32_t *ptr = out[FORMAT_PTR];
    float f[MOST], k[MOST];
    for (size_t i = 0; i < windows_of(p); i++) {
        const int count = entries_of(p, BY_COLUMNS, in[FORMAT_X], in[FORMAT_W], i, f, k);
        if (ptr[i] != (count ? count : -1) ||
            (count &&
             memcmp(f_data + i * (size_t)p->r * (size_t)p->s, f, (size_t)count * sizeof *f) != 0))
            return false;
    }
    return true;
}

/* Whether every ptr is its window's count and `places` for each window before it, or with the
 * counts of those before it. */
static const char *offsets(const struct conv2d_problem *p, const void *const in[],
                           const int32_t *ptr)
{
    float f[MOST], k[MOST];
    const int32_t places = p->r * p->s;
    int32_t before = 0;
    bool in_all = true, starts = true, ends = true;
    for (size_t i = 0; i < windows_of(p); i++) {
        const int count = entries_of(p, BY_ROWS, in[FORMAT_X], in[FORMAT_W], i, f, k);
        in_all &= ptr[i] == (int32_t)i * places + count;
        starts &= ptr[i] == before;
        before += count;
        ends &= ptr[i] == before;
    }
    return in_all ? "equals window R S + count: ptr holds each window's count alone, not where it "
                    "ends in f_data"
           : ends ? "equals the sum of the counts up to each window: ptr is no row pointer as in "
                    "CSR, it holds each window's count alone"
           : starts
               ? "equals the sum of the counts before each window: ptr is no row pointer as in "
                 "CSR, it holds each window's count alone"
               : NULL;
}

/* How many of the window's places from `first` to before `end` are not zero. */
static int count_between(const struct conv2d_problem *p, const float *x, size_t window, int first,
                         int end)
{
    const int top = (int)(window / (size_t)conv2d_columns(p)) * p->stride - p->pad;
    const int left = (int)(window % (size_t)conv2d_columns(p)) * p->stride - p->pad;
    int count = 0;
    for (int i = first; i < end; i++) {
        const int row = top + i / p->s, column = left + i % p->s;
        count += row >= 0 && row < p->h && column >= 0 && column < p->w &&
                 x[(size_t)row * (size_t)p->w + (size_t)column] != 0;
    }
    return count;
}

/* Whether every ptr is the count of places from `first` to before `end`. */
static bool counts_between(const struct conv2d_problem *p, const void *const in[],
                           const int32_t *ptr, int first, int end)
{
    for (size_t i = 0; i < windows_of(p); i++) {
        const int count = count_between(p, in[FORMAT_X], i, first, end);
        if (ptr[i] != count && !(count == 0 && ptr[i] == -1))
            return false;
    }
    return true;
}

/* Whether all that cannot be a count is the same number, which is what was there. */
static bool untouched(const struct conv2d_problem *p, const int32_t *ptr, double first)
{
    for (size_t i = 0; i < windows_of(p); i++)
        if ((ptr[i] < -1 || ptr[i] > p->r * p->s) && ptr[i] != (int32_t)first)
            return false;
    return true;
}

/* What makes ptr wrong, m->got being its first wrong one. */
static const char *ptr_hint(const struct conv2d_problem *p, const void *const in[],
                            const int32_t *ptr, const struct hpc_mismatch *m)
{
    const int places = p->r * p->s;
    const bool possible = m->got >= -1 && m->got <= places;
    const char *text = offsets(p, in, ptr);
    if (text)
        return text;
    if (!possible && untouched(p, ptr, m->got))
        return m->wrong == windows_of(p) ? "ptr was not written: was a kernel launched?"
                                         : "ptr was not written: does the grid cover all windows?";
    if (m->want == -1 && m->got == 0)
        return "a window without any value gets -1";
    if (places > 1 && counts_between(p, in, ptr, 0, places - 1))
        return "equals the counts without each window's last place: there are R S of them, 0 to "
               "R S - 1";
    if (places > 1 && counts_between(p, in, ptr, 1, places))
        return "equals the counts without each window's first place: there are R S of them, 0 to "
               "R S - 1";
    if (m->got == places)
        return "all places are stored, zeros too";
    return "ptr counts the window's R S places that are not zero; those outside of the map are "
           "zero, too";
}

/* Whether f_data is right in all windows, so that weights alone are not. */
static bool values_right(const struct conv2d_problem *p, const void *const in[], const float *data)
{
    float f[MOST], k[MOST];
    for (size_t i = 0; i < windows_of(p); i++) {
        const int count = entries_of(p, BY_ROWS, in[FORMAT_X], in[FORMAT_W], i, f, k);
        const float *own = data + i * (size_t)p->r * (size_t)p->s;
        if (memcmp(own, f, (size_t)count * sizeof *f) != 0)
            return false;
    }
    return true;
}

/* What usually causes the first mismatch. */
static void hint(const struct conv2d_problem *p, const void *const in[], const void *const out[],
                 struct hpc_mismatch *m)
{
    const char *text = "";
    if (m->array == FORMAT_PTR)
        text = ptr_hint(p, in, out[FORMAT_PTR], m);
    else if (by_columns(p, in, out))
        text = "equals places numbered down the columns: place r S + s is (r, s), row by row";
    else if (m->array == FORMAT_K && values_right(p, in, out[FORMAT_F]))
        text = "k_data[count] is the weight of the place that f_data[count] came from";
    else if (m->array == FORMAT_F)
        text = "values stand without gaps, in the order of the window's rows";
    snprintf(m->hint, sizeof m->hint, "%s", text);
}

static bool check_quick(const void *problem, const void *const in[], const void *const out[],
                        struct hpc_mismatch *m)
{
    const struct conv2d_problem *p = &((const struct conv_case *)problem)->p.conv;
    const float *f_data = out[FORMAT_F], *k_data = out[FORMAT_K];
    const int32_t *ptr = out[FORMAT_PTR];
    float f[MOST], k[MOST];
    for (size_t i = 0; i < windows_of(p); i++) {
        const int count = entries_of(p, BY_ROWS, in[FORMAT_X], in[FORMAT_W], i, f, k);
        const size_t first = i * (size_t)p->r * (size_t)p->s;
        if (ptr[i] != (count ? count : -1)) {
            mismatch(p, m, FORMAT_PTR, i, 0, ptr[i], count ? count : -1);
            continue;
        }
        for (int e = 0; e < count; e++) {
            if (f_data[first + (size_t)e] != f[e])
                mismatch(p, m, FORMAT_F, i, e, (double)f_data[first + (size_t)e], (double)f[e]);
            if (k_data[first + (size_t)e] != k[e])
                mismatch(p, m, FORMAT_K, i, e, (double)k_data[first + (size_t)e], (double)k[e]);
        }
    }
    if (m->wrong)
        hint(p, in, out, m);
    return m->wrong == 0;
}

static bool check(const void *problem, const void *const in[], const void *const out[],
                  bool *admitted, struct hpc_mismatch *m)
{
    *admitted = true;
    return check_quick(problem, in, out, m);
}

/* A test of each place of each window; all arrays once. */
static void cost(const void *problem, struct hpc_cost *cost)
{
    const struct conv2d_problem *p = &((const struct conv_case *)problem)->p.conv;
    const double entries = (double)windows_of(p) * p->r * p->s;
    cost->flops = entries;
    cost->bytes =
        4 * ((double)conv2d_x_count(p) + (double)conv2d_w_count(p) + (double)windows_of(p));
}

static bool admit(const void *problem, uint64_t seed, int draws, struct hpc_error *err)
{
    (void)problem, (void)seed, (void)draws, (void)err;
    return true;
}

static void expected(const void *problem, const void *const in[], double *const want[],
                     double *const bound[])
{
    const struct conv2d_problem *p = &((const struct conv_case *)problem)->p.conv;
    const size_t places = (size_t)p->r * (size_t)p->s;
    float f[MOST], k[MOST];
    for (size_t i = 0; i < windows_of(p); i++) {
        const int count = entries_of(p, BY_ROWS, in[FORMAT_X], in[FORMAT_W], i, f, k);
        want[FORMAT_PTR][i] = count ? count : -1;
        bound[FORMAT_PTR][i] = 0;
        for (size_t e = 0; e < places; e++) {
            const bool stored = e < (size_t)count;
            want[FORMAT_F][i * places + e] = stored ? (double)f[e] : 0;
            want[FORMAT_K][i * places + e] = stored ? (double)k[e] : 0;
            bound[FORMAT_F][i * places + e] = stored ? 0 : INFINITY;
            bound[FORMAT_K][i * places + e] = stored ? 0 : INFINITY;
        }
    }
}

const struct hpc_op window_format_op = {
    .name = "window_format",
    .folder = "conv2d",
    .example = "h=28 r=3 pad=1 sparsity=0.7",
    .keys = conv2d_keys,
    .parse = parse,
    .layout = layout,
    .generate = conv_generate,
    .check = check,
    .check_quick = check_quick,
    .expected = expected,
    .admit = admit,
    .cost = cost,
    .simpler = conv2d_simpler,
    .terms = conv_asked,
};
