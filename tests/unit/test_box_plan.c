/* How conv_dense_split's kernel for strides parts a convolution (conv2d/variants/box_plan.h), where
 * its weights lie, and which plans it takes for VGG-19's layers, without a GPU. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "benchmarks/sparse/layers.h"
#include "conv2d/variants/box_known.h"
#include "conv2d/variants/box_weights.h"

static const struct wide_gpu h200[2] = {{132, 232448, 1}, {132, 232448, 2}};

/* c, k, rows, columns, r, s, pad, stride */
static const int shapes[][8] = {
    {64, 64, 224, 224, 3, 3, 1, 2}, {128, 128, 112, 112, 3, 3, 1, 3},
    {256, 256, 56, 56, 3, 3, 1, 3}, {512, 512, 28, 28, 3, 3, 1, 2},
    {512, 512, 14, 14, 3, 3, 1, 3}, {33, 70, 31, 17, 5, 5, 2, 2},
    {100, 70, 19, 300, 1, 1, 0, 1}, {288, 40, 40, 33, 2, 2, 0, 3},
    {36, 200, 23, 19, 4, 3, 1, 3},
};
enum { SHAPES = sizeof shapes / sizeof *shapes };

static struct conv2d_problem problem(int i)
{
    const int *v = shapes[i];
    const struct conv2d_problem p = {1,    v[0], v[2], v[3],      v[1],     v[4],
                                     v[5], v[7], v[6], CONV_NHWC, CONV_TF32};
    return p;
}

/* Tiles hold each output once, blocks each chunk once, and a warpgroup's outputs are enough. */
static void assert_covers(const struct conv2d_problem *p, const struct box_plan *s)
{
    const int rows = conv2d_rows(p), columns = conv2d_columns(p), each = box_chunks_each(p, s);
    const int across = box_across(p, s), down = box_tiles(p, s) / across;
    assert_true(across * s->tw >= columns && (across - 1) * s->tw < columns);
    assert_true(down * s->th >= rows && (down - 1) * s->th < rows);
    assert_true(s->th * s->tw <= BOX_ROWS * (2 / s->wk));
    assert_true(s->cluster * each >= box_chunks(p) && (s->cluster - 1) * each < box_chunks(p));
}

/* What a block keeps lies apart and fits, as do the copy engine's boxes; where warpgroups take
 * turns a stage of weights is always the same one's. */
static void assert_fits(const struct conv2d_problem *p, const struct box_plan *s)
{
    const struct box_memory m = box_memory_of(p, s);
    assert_true(m.all <= h200[0].shared_bytes);
    assert_true(m.x_stage >= box_patch_bytes(p, s) && m.x_stage % 1024 == 0);
    assert_true(m.w >= s->x_stages * m.x_stage && m.inbox >= m.w + s->w_stages * m.w_stage);
    assert_true(m.swap - m.inbox >= (s->cluster > 1) * box_slots(s) * s->cluster * BOX_PIECE);
    assert_true(m.tables - m.swap >= (s->wk == 2) * box_pieces(s) * BOX_PIECE);
    assert_true(m.all - m.tables >= BOX_TABLES && m.swap % 16 == 0);
    assert_true(box_patch_rows(p, s) <= 256 && box_patch_columns(p, s) <= 256);
    assert_true(s->w_stages >= 2 && s->w_stages <= BOX_MOST_STAGES);
    assert_true(s->x_stages >= 1 && s->x_stages <= BOX_MOST_X);
    if (s->wk == 2)
        assert_int_equal(s->w_stages % 2, 0);
}

static void plans_are_whole(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES * 2; i++) {
        const struct conv2d_problem p = problem(i / 2);
        int plans = 0;
        for (int at = 0; at < BOX_PLANS; at++) {
            struct box_plan s;
            if (!box_plan_at(&p, &h200[i % 2], at, &s))
                continue;
            assert_covers(&p, &s);
            assert_fits(&p, &s);
            assert_true(box_cost(&p, &s, &h200[i % 2]) > 0);
            plans++;
        }
        assert_true(plans > 0);
    }
}

/* Eight lanes, four of each of two neighbouring outputs, load 16 bytes each from all banks. */
static void loads_meet_in_no_bank(void **state)
{
    (void)state;
    for (int i = 0; i < 4 * 8 * 2; i++) {
        const int stride = i / 16 + 1, pixel = i / 2 % 8, half = i % 2;
        unsigned banks = 0;
        for (int lane = 0; lane < 8; lane++) {
            const int p = pixel + lane / 4 * stride;
            const int part = box_part(stride, lane) ^ (half ? box_other(stride) : 0);
            banks |= 1u << ((part ^ p) & 7);
        }
        assert_int_equal(banks, 255);
    }
}

/* The places of a chunk's products hold its 32 channels once each, and lane k % 8 / 2 has what
 * stands at place k: in the 16 bytes that it loads for that product. */
static void places_hold_each_channel(void **state)
{
    (void)state;
    for (int stride = 1; stride <= 4; stride++) {
        uint32_t seen = 0;
        for (int i = 0; i < BOX_CHANNELS; i++) {
            const int c = box_channel(stride, i / 16, i % 16);
            const int part = box_part(stride, i % 8 / 2) ^ (i >= 16 ? box_other(stride) : 0);
            seen |= 1u << c;
            assert_int_equal(c / 4, part);
        }
        assert_true(seen == 0xffffffffu);
    }
}

/* Each weight is once where its channel of x is multiplied, in one half or two. */
static void weights_lie_as_packed(void **state)
{
    (void)state;
    for (int i = 0; i < SHAPES * 2; i++) {
        const struct conv2d_problem p = problem(i / 2);
        const int halves = i % 2 + 1, taps = p.r * p.s;
        const size_t count = conv2d_w_count(&p);
        struct wide_weights packed = {0};
        float *w = malloc(count * sizeof *w);
        assert_non_null(w);
        for (size_t k = 0; k < count; k++)
            w[k] = (float)(int)((uint32_t)k * 2654435761u | 0x1000) * 0x1p-31f;
        assert_true(box_weights_make(&p, w, halves, &packed));
        assert_false(packed.exact);
        assert_int_equal(packed.count, box_weights_count(&p, halves));
        size_t found = 0;
        for (int k = 0; k < p.k; k += 7)
            for (int c = 0; c < box_chunks(&p) * BOX_CHANNELS; c++)
                for (int tap = 0; tap < taps; tap++) {
                    const int at = c % BOX_CHANNELS;
                    const int channel =
                        c / BOX_CHANNELS * BOX_CHANNELS + box_channel(p.stride, at / 16, at % 16);
                    const uint16_t *upper =
                        packed.halves + box_weight_at(&p, halves, k, c / BOX_CHANNELS, tap, at);
                    const float v =
                        channel < p.c ? w[conv2d_w_at(&p, k, channel, tap / p.s, tap % p.s)] : 0;
                    const float lower = halves == 2 ? half_to_float(upper[BOX_STEP / 2]) : 0;
                    const float is = (half_to_float(*upper) + lower * 0x1p-11f) * packed.unit[k];
                    assert_true(fabsf(v - is) <= fabsf(v) * (halves == 2 ? 0x1p-21f : 0x1p-11f));
                    found += channel < p.c;
                }
        assert_int_equal(found, (size_t)((p.k + 6) / 7) * (size_t)p.c * (size_t)taps);
        wide_weights_free(&packed);
        free(w);
    }
}

/* Weights that halves can't hold beside each other are left to other kernels. */
static void odd_weights_are_refused(void **state)
{
    const struct conv2d_problem p = problem(7);
    const size_t count = conv2d_w_count(&p);
    const float odd[] = {INFINITY, NAN, 0x1p-40f, 0x1p50f};
    float *w = malloc(count * sizeof *w);
    (void)state;
    assert_non_null(w);
    for (int i = 0; i < 4; i++) {
        struct wide_weights packed = {0};
        for (size_t k = 0; k < count; k++)
            w[k] = 1;
        w[count / 2] = odd[i];
        assert_true(box_weights_make(&p, w, i % 2 + 1, &packed));
        assert_true(packed.exact);
        wide_weights_free(&packed);
    }
    free(w);
}

/* The rule leaves to others what has no stride, or lies map by map. */
static void worth_with_strides(void **state)
{
    struct conv2d_problem p = problem(1);
    (void)state;
    assert_true(box_plan_worth(&p));
    p.layout = CONV_NCHW;
    assert_false(box_plan_worth(&p));
    p.layout = CONV_NHWC;
    p.stride = 1;
    assert_false(box_plan_worth(&p));
}

enum {
    TABLE1 = sizeof table1_layers / sizeof *table1_layers,
    LAYERS = TABLE1 + sizeof vgg19_layers / sizeof *vgg19_layers,
};

static const struct sparse_layer *layer(int i)
{
    return i < TABLE1 ? &table1_layers[i] : &vgg19_layers[i - TABLE1];
}

static const struct sparse_layer *layer_named(const char *name)
{
    int i = 0;
    while (i < LAYERS - 1 && strcmp(layer(i)->name, name) != 0)
        i++;
    assert_string_equal(layer(i)->name, name);
    return layer(i);
}

/* The name of the layer that a known plan is of. */
static const char *layer_of(const struct box_known *k)
{
    for (int i = 0; i < LAYERS; i++)
        if (layer(i)->c == k->c && layer(i)->k == k->k && layer(i)->size == k->size)
            return layer(i)->name;
    return "no layer";
}

/* us of the layer's plan in words, or of its fastest; infinite where there is none. */
static double measured_us(const struct box_known *k, const char *words)
{
    char line[200], begin[300];
    double least = INFINITY;
    FILE *f = fopen("benchmarks/results/h200-sparse-box.csv", "r");
    assert_non_null(f);
    snprintf(begin, sizeof begin, "%s,%d,%d,%s", layer_of(k), k->stride, k->halves, words);
    while (fgets(line, sizeof line, f)) {
        double us = 0;
        if (strncmp(line, begin, strlen(begin)) == 0 &&
            sscanf(line, "%*[^,],%*[^,],%*[^,],%*[^,],%lf", &us) == 1)
            least = fmin(least, us);
    }
    fclose(f);
    return least;
}

/* Known plans can be, on a GPU like an H200 alone, and are within 4% of the fastest measured. */
static void known_plans_are_the_fastest(void **state)
{
    const struct wide_gpu small = {40, 65536, 1};
    (void)state;
    for (size_t i = 0; i < sizeof box_known / sizeof *box_known; i++) {
        const struct box_known *k = &box_known[i];
        const struct conv2d_problem p = {1,    k->c,      k->size,  k->size,   k->k,     k->r,
                                         k->r, k->stride, k->r / 2, CONV_NHWC, CONV_TF32};
        struct box_plan s = {0};
        char words[100];
        assert_true(box_plan_known(&p, &h200[k->halves - 1], &s));
        assert_false(box_plan_known(&p, &small, &s) && k->halves == 1);
        assert_fits(&p, &s);
        snprintf(words, sizeof words, "%d %d %d %d %d ", s.blocks, s.wk, s.th, s.tw, s.cluster);
        const double us = measured_us(k, words), least = measured_us(k, "");
        if (isinf(us) || us > least * 1.04)
            fail_msg("%d to %d at %d, stride %d, %d halves: %.2f us taken, %.2f is the least", k->c,
                     k->k, k->size, k->stride, k->halves, us, least);
    }
}

/* What a plan is reckoned to take lies near what it took: within a third, nine of ten. */
static void costs_are_near_what_was_measured(void **state)
{
    char line[200];
    int all = 0, far = 0;
    FILE *f = fopen("benchmarks/results/h200-sparse-box.csv", "r");
    (void)state;
    assert_non_null(f);
    while (fgets(line, sizeof line, f)) {
        char name[50];
        struct box_plan s = {0};
        int stride;
        double us;
        if (sscanf(line, "%49[^,],%d,%d,%d %d %d %d %d %d %d,%lf", name, &stride, &s.halves,
                   &s.blocks, &s.wk, &s.th, &s.tw, &s.cluster, &s.x_stages, &s.w_stages, &us) != 11)
            continue;
        const struct sparse_layer *l = layer_named(name);
        const struct conv2d_problem p = {1,    l->c,   l->size, l->size,   l->k,     l->r,
                                         l->r, stride, l->pad,  CONV_NHWC, CONV_TF32};
        const double ratio = box_cost(&p, &s, &h200[s.halves - 1]) / 1980 / us;
        far += ratio < 0.75 || ratio > 1.34;
        all++;
    }
    fclose(f);
    assert_true(all > 500);
    assert_true(far * 10 <= all);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(plans_are_whole),
        cmocka_unit_test(places_hold_each_channel),
        cmocka_unit_test(loads_meet_in_no_bank),
        cmocka_unit_test(weights_lie_as_packed),
        cmocka_unit_test(odd_weights_are_refused),
        cmocka_unit_test(worth_with_strides),
        cmocka_unit_test(known_plans_are_the_fastest),
        cmocka_unit_test(costs_are_near_what_was_measured),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
