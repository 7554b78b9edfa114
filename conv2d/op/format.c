/* The operation "window_format": its problem, its arrays, its check. Nothing is rounded, so every
 * entry is compared for equality. */
#include <math.h>
#include <stdio.h>

#include "conv2d/op/format.h"
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

static void layout(const void *problem, struct hpc_layout *layout)
{
    const struct conv2d_problem *p = &((const struct conv_case *)problem)->p.conv;
    const size_t windows = format_windows(p), entries = windows * (size_t)p->r * (size_t)p->s;
    conv_layout_arrays(problem, layout);
    layout->n_out = FORMAT_N_OUT;
    layout->out[FORMAT_F] = (struct hpc_array){
        .name = "f_data", HPC_F32, entries, .shape = {windows, (size_t)p->r * (size_t)p->s}};
    layout->out[FORMAT_K] = layout->out[FORMAT_F];
    layout->out[FORMAT_K].name = "k_data";
    layout->out[FORMAT_PTR] = (struct hpc_array){.name = "ptr", HPC_I32, windows};
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

static bool check_quick(const void *problem, const void *const in[], const void *const out[],
                        struct hpc_mismatch *m)
{
    const struct conv2d_problem *p = &((const struct conv_case *)problem)->p.conv;
    const float *f_data = out[FORMAT_F], *k_data = out[FORMAT_K];
    const int32_t *ptr = out[FORMAT_PTR];
    float f[FORMAT_MOST], k[FORMAT_MOST];
    for (size_t i = 0; i < format_windows(p); i++) {
        const int count = format_entries(p, in, i, f, k);
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
        format_hint(p, in, out, m);
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
    const double entries = (double)format_windows(p) * p->r * p->s;
    cost->flops = entries;
    cost->bytes =
        4 * ((double)conv2d_x_count(p) + (double)conv2d_w_count(p) + (double)format_windows(p));
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
    float f[FORMAT_MOST], k[FORMAT_MOST];
    for (size_t i = 0; i < format_windows(p); i++) {
        const int count = format_entries(p, in, i, f, k);
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
