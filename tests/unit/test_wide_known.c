/* What conv_dense_split takes for VGG-19's layers is what was fastest when it was measured:
 * conv2d/variants/box_known.h, wide_known.h, near_known.h and wide_rule.h beside the plans' times.
 */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "benchmarks/sparse/layers.h"
#include "conv2d/variants/box_known.h"
#include "conv2d/variants/few_plan.h"
#include "conv2d/variants/near_known.h"
#include "conv2d/variants/wide_known.h"

static const char times[] = "benchmarks/results/h200-sparse-early.csv";
static const char box_times[] = "benchmarks/results/h200-sparse-box.csv";
enum { LAYERS = sizeof vgg19_layers / sizeof *vgg19_layers, LINE = 200, US = 6, BOX_US = 4 };

static struct conv2d_problem problem(const struct sparse_layer *l, int stride, int halves,
                                     int layout)
{
    const struct conv2d_problem p = {1,
                                     l->c,
                                     l->size,
                                     l->size,
                                     l->k,
                                     l->r,
                                     l->r,
                                     stride,
                                     l->pad,
                                     layout,
                                     halves == 1 ? CONV_TF32 : CONV_F32};
    return p;
}

/* us of a line, in this column, where the line begins so; else infinite. */
static double line_us(const char *line, const char *begin, int column)
{
    double us = 0;
    if (strncmp(line, begin, strlen(begin)) != 0)
        return INFINITY;
    for (int i = 0; i < column; i++) {
        line = strchr(line, ',');
        assert_non_null(line);
        line++;
    }
    assert_int_equal(sscanf(line, "%lf", &us), 1);
    return us;
}

/* us of the plan in words of the kernel, of box_kernel.h or another, or of its fastest where there
 * are none, in layers like this one, of which one was timed; infinite: it was not. */
static double least_us(const struct conv2d_problem *p, bool box, const char *kernel,
                       const char *words)
{
    const int halves = p->type == CONV_TF32 ? 1 : 2;
    const char *layout = p->layout == CONV_NHWC ? "nhwc" : "nchw";
    double least = INFINITY;
    for (int i = 0; i < LAYERS; i++) {
        const struct sparse_layer *l = &vgg19_layers[i];
        char begin[LINE], line[LINE];
        FILE *f = fopen(box ? box_times : times, "r");
        assert_non_null(f);
        const int n = snprintf(begin, sizeof begin, "%s,%d,%d,", l->name, p->stride, halves);
        if (box)
            snprintf(begin + n, sizeof begin - (size_t)n, "%s", words);
        else
            snprintf(begin + n, sizeof begin - (size_t)n, "%s,%s%s", layout, kernel, words);
        while (l->c == p->c && l->k == p->k && l->size == p->h && fgets(line, sizeof line, f))
            least = fmin(least, line_us(line, begin, box ? BOX_US : US));
        fclose(f);
    }
    return least;
}

/* us of what is taken, in the order of dense.h. */
static double taken_us(const struct conv2d_problem *p, int halves)
{
    const struct wide_gpu wide_h200 = {132, 232448, halves};
    const struct split_gpu near_h200 = {132, 232448, halves, true, false};
    struct wide_plan w;
    struct split_plan s;
    struct box_plan b;
    char words[LINE];
    bool fetched = false;
    if (box_plan_known(p, &wide_h200, &b)) {
        snprintf(words, sizeof words, "%d %d %d %d %d ", b.blocks, b.wk, b.th, b.tw, b.cluster);
        return least_us(p, true, "", words);
    }
    const bool known = wide_plan_known(p, &wide_h200, &w);
    if (!known && near_plan_known(p, &near_h200, &s, &fetched)) {
        snprintf(words, sizeof words, ",%d %d %d %d %d %d %d %d %d,", s.mt, s.nt, s.wm, s.wn, s.wk,
                 s.th, s.tw, s.split, s.chunk);
        return least_us(p, false, fetched ? "near fetched" : "near", words);
    }
    if (!known &&
        (box_plan_worth(p) || !wide_plan_worth(p) || !wide_plan_choose(p, &wide_h200, &w)))
        return INFINITY;
    snprintf(words, sizeof words, ",%d %d %d %d %d %d %d %d %d,", w.columns, w.wn, w.th, w.tw,
             w.step, w.cluster, w.deep, w.x_stages, w.w_stages);
    return least_us(p, false, "wide", words);
}

/* On VGG-19's layers at strides 1 to 3, to fp32's and TF32's accuracy, in both layouts: within 4%
 * of the fastest plan of any kernel. */
static void the_fastest_measured_is_taken(void **state)
{
    (void)state;
    for (int i = 0; i < LAYERS * 12; i++) {
        const struct sparse_layer *l = &vgg19_layers[i / 12];
        const int stride = i / 4 % 3 + 1, halves = i / 2 % 2 + 1;
        const struct conv2d_problem p = problem(l, stride, halves, i % 2 ? CONV_NHWC : CONV_NCHW);
        if (few_takes(&p)) /* few_kernel.h's, on every GPU */
            continue;
        const double us = taken_us(&p, halves);
        const double by_box = p.layout == CONV_NHWC ? least_us(&p, true, "", "") : INFINITY;
        const double least = fmin(least_us(&p, false, "", ""), by_box);
        if (isinf(us) || us > least * 1.04)
            fail_msg("%s, stride %d, %d halves, %s: %.2f us taken, %.2f is the least", l->name,
                     stride, halves, i % 2 ? "NHWC" : "NCHW", us, least);
    }
}

/* Each is a plan that can be, of a GPU like an H200 alone, and right in its layout alone. */
static void known_plans_are_whole(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wide_known / sizeof *wide_known; i++) {
        const struct wide_known *k = &wide_known[i];
        const struct wide_gpu h200 = {132, 232448, k->halves}, small = {40, 65536, k->halves};
        struct conv2d_problem p = {1, k->c,      k->size, k->size,   k->k,    3,
                                   3, k->stride, 1,       CONV_NCHW, CONV_F32};
        for (int nhwc = 0; nhwc < 2; nhwc++) {
            struct wide_plan s;
            p.layout = nhwc ? CONV_NHWC : CONV_NCHW;
            if ((k->layouts & (nhwc ? WIDE_NHWC : WIDE_NCHW)) == 0)
                continue;
            assert_true(wide_plan_known(&p, &h200, &s));
            assert_int_equal(s.columns, k->plan.columns);
            assert_int_equal(s.th, k->plan.th);
            assert_int_equal(s.cluster, k->plan.cluster);
            assert_true(wide_memory_of(&p, &s).all <= h200.shared_bytes);
            assert_false(wide_plan_known(&p, &small, &s));
        }
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_fastest_measured_is_taken),
        cmocka_unit_test(known_plans_are_whole),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
