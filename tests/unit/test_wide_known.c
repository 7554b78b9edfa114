/* What conv_dense_split takes for VGG-19's layers is what was fastest when it was measured:
 * conv2d/variants/wide_known.h, near_known.h and wide_rule.h beside the plans' times. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>

#include <cmocka.h>

#include "benchmarks/sparse/layers.h"
#include "conv2d/variants/few_plan.h"
#include "conv2d/variants/near_known.h"
#include "conv2d/variants/wide_known.h"

static const char wide_times[] = "benchmarks/results/h200-sparse-wide.csv";
static const char near_times[] = "benchmarks/results/h200-sparse-near.csv";
enum { LAYERS = sizeof vgg19_layers / sizeof *vgg19_layers, LINE = 200, US = 13 }; /* us' column */

static struct conv2d_problem problem(const struct sparse_layer *l, int stride, int halves)
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
                                     CONV_NCHW,
                                     halves == 1 ? CONV_TF32 : CONV_F32};
    return p;
}

/* us of a line, where the line begins so; else infinite. */
static double line_us(const char *line, const char *begin)
{
    double us = 0;
    if (strncmp(line, begin, strlen(begin)) != 0)
        return INFINITY;
    for (int i = 0; i < US; i++) {
        line = strchr(line, ',');
        assert_non_null(line);
        line++;
    }
    assert_int_equal(sscanf(line, "%lf", &us), 1);
    return us;
}

/* us of the plan in words, or of the fastest where there are none, in layers like this one, of
 * which each run timed one; infinite: it was not timed. */
static double least_us(const char *path, const struct conv2d_problem *p, const char *words)
{
    const int halves = p->type == CONV_TF32 ? 1 : 2;
    double least = INFINITY;
    for (int i = 0; i < LAYERS; i++) {
        const struct sparse_layer *l = &vgg19_layers[i];
        char begin[LINE], line[LINE];
        FILE *f = fopen(path, "r");
        assert_non_null(f);
        snprintf(begin, sizeof begin, "%s,%d,%d,%s", l->name, p->stride, halves, words);
        while (l->c == p->c && l->k == p->k && l->size == p->h && fgets(line, sizeof line, f))
            least = fmin(least, line_us(line, begin));
        fclose(f);
    }
    return least;
}

/* us of what is taken, in the order of dense.h. */
static double taken_us(const struct conv2d_problem *p, int halves, bool *near)
{
    const struct wide_gpu wide_h200 = {132, 232448, halves};
    const struct split_gpu near_h200 = {132, 232448, halves, true, false};
    struct wide_plan w;
    struct split_plan s;
    char words[LINE];
    const bool known = wide_plan_known(p, &wide_h200, &w);
    *near = !known && near_plan_known(p, &near_h200, &s);
    if (*near) {
        snprintf(words, sizeof words, "%d,%d,%d,%d,%d,%d,%d,%d,%d,", s.mt, s.nt, s.wm, s.wn, s.wk,
                 s.th, s.tw, s.split, s.chunk);
        return least_us(near_times, p, words);
    }
    if (!known && (!wide_plan_worth(p) || !wide_plan_choose(p, &wide_h200, &w)))
        return INFINITY;
    snprintf(words, sizeof words, "%d,%d,%d,%d,%d,%d,%d,%d,%d,", w.columns, w.wn, w.th, w.tw,
             w.step, w.cluster, w.deep, w.x_stages, w.w_stages);
    return least_us(wide_times, p, words);
}

/* On VGG-19's layers at strides 1 to 3, to fp32's and TF32's accuracy: within 3% of the fastest
 * plan of the kernel that is taken, and within 4% of the other kernel's, timed in another run. */
static void the_fastest_measured_is_taken(void **state)
{
    (void)state;
    for (int i = 0; i < LAYERS * 6; i++) {
        const struct sparse_layer *l = &vgg19_layers[i / 6];
        const int stride = i / 2 % 3 + 1, halves = i % 2 + 1;
        const struct conv2d_problem p = problem(l, stride, halves);
        bool near;
        if (few_takes(&p)) /* few_kernel.h's, on every GPU */
            continue;
        const double us = taken_us(&p, halves, &near);
        const double by_wide = least_us(wide_times, &p, ""), by_near = least_us(near_times, &p, "");
        if (isinf(us) || us > by_wide * (near ? 1.04 : 1.03) || us > by_near * (near ? 1.03 : 1.04))
            fail_msg("%s, stride %d, %d halves: %.2f us taken, wide %.2f, near %.2f", l->name,
                     stride, halves, us, by_wide, by_near);
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
