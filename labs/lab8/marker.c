/* lab8's answers: what the methods of convolution-pooling take at least, on a layer, and what two
 * GPUs took, on a row of [Suita]'s Table 1, both drawn by the student's name (task floors); what
 * the paper's means say, without the cells of its tables that the name leaves out (task
 * interchange). */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <strings.h>

#include "labs/lab8/marker/convpool_count.h"
#include "harness/answers/marker.h"

enum { SIZES = 4, CHANNELS = 5, ROW_BATCH = 64, TAPS = 9, POOL = 2 };
static const int sizes[SIZES] = {8, 16, 32, 64}, channels[CHANNELS] = {32, 64, 128, 256, 512};

/* Milliseconds, by size and channels. [Suita], Tables 1 and 2: cuDNN(naive), and the better of
 * cuDNN(direct) and cuBLAS(direct), on a V100. */
static const double v100_naive[SIZES][CHANNELS] = {{0.104, 0.137, 0.206, 0.651, 1.87},
                                                   {0.186, 0.262, 0.663, 1.87, 6.51},
                                                   {0.247, 0.42, 2.03, 5.98, 20.9},
                                                   {0.936, 1.85, 20.6, 13.9, 47.0}};
static const double v100_direct[SIZES][CHANNELS] = {{0.0473, 0.0739, 0.154, 0.341, 0.701},
                                                    {0.0488, 0.101, 0.192, 0.577, 1.89},
                                                    {0.163, 0.255, 0.61, 1.85, 7.02},
                                                    {0.355, 0.685, 2.17, 7.01, 24.2}};
static const double half_naive[SIZES][CHANNELS] = {{0.0705, 0.0636, 0.075, 0.106, 0.227},
                                                   {0.133, 0.0967, 0.129, 0.237, 0.542},
                                                   {0.184, 0.261, 0.362, 0.737, 1.83},
                                                   {0.341, 0.606, 1.48, 4.4, 15.3}};
static const double half_direct[SIZES][CHANNELS] = {{0.0341, 0.0487, 0.0811, 0.261, 0.618},
                                                    {0.0341, 0.0579, 0.11, 0.321, 1.05},
                                                    {0.0846, 0.159, 0.297, 0.61, 1.61},
                                                    {0.282, 0.543, 1.08, 2.34, 6.16}};
/* The same in fp32 on an H200 with cuDNN 9.19, 256 and 512 channels, each method with the best
 * convolution that a search finds (handouts/lab8.md). */
static const double h200_naive[SIZES][2] = {
    {0.0631, 0.1957}, {0.1764, 0.5398}, {0.5932, 1.9077}, {2.2777, 7.4762}};
static const double h200_direct[SIZES][2] = {
    {0.0907, 0.2269}, {0.1491, 0.4468}, {0.4897, 1.7496}, {1.9300, 6.9837}};

/* Bytes a second and FLOP a second in fp32: of the V100 as specified, of the H200 as measured. */
static const double v100_memory = 0.9e12, v100_peak = 15.7e12;
static const double h200_memory = 4.3e12, h200_peak = 63.6e12;

struct layer {
    int images, channels, side;
};

struct drawn {
    struct layer layer; /* of the student's own */
    struct layer row;   /* of the table */
    int size, channel;  /* its indices; channel 3 or 4 */
};

static int index_of(const int *list, int n, int value)
{
    for (int i = 0; i < n; i++)
        if (list[i] == value)
            return i;
    HPC_ASSERT(!"[problem floors] draws rows of the table");
    return 0;
}

static struct drawn drawn(const struct sheet *s)
{
    struct drawn d = {
        .layer = {(int)sheet_drawn(s, "images"), (int)sheet_drawn(s, "channels"),
                  (int)sheet_drawn(s, "side")},
        .row = {ROW_BATCH, (int)sheet_drawn(s, "row_channels"), (int)sheet_drawn(s, "row_side")}};
    d.size = index_of(sizes, SIZES, d.row.side);
    d.channel = index_of(channels, CHANNELS, d.row.channels);
    return d;
}

/* Multiplications for one output, all channels. */
static double products(const struct layer *l, int filter)
{
    return (double)filter * l->channels;
}

static double outputs(const struct layer *l)
{
    const double side = l->side / POOL;
    return l->images * side * side * l->channels;
}

static double bytes(const struct layer *l)
{
    const double c = l->channels, plane = (double)l->side * l->side;
    return 4 * (l->images * c * plane + TAPS * c * c + outputs(l));
}

/* Microseconds that the direct method takes at least. */
static double floor_us(const struct layer *l, double memory, double peak)
{
    return 1e6 * fmax(bytes(l) / memory, 2 * products(l, TAPS) * outputs(l) / peak);
}

/* TFLOP/s of cuDNN(naive), had it done all products of the definition. */
static double naive_rate(const struct layer *row, double ms)
{
    return 2 * products(row, TAPS * POOL * POOL) * outputs(row) / ms / 1e9;
}

/* What misreadings give. */
static void misread_floors(struct sheet *s, const struct drawn *d)
{
    const struct layer *l = &d->layer;
    const double flop = 2 * products(l, TAPS) * outputs(l), in = 4 * outputs(l) * POOL * POOL;
    const double w = 4.0 * TAPS * l->channels * l->channels, y = 4 * outputs(l);
    const double ms[] = {v100_naive[d->size][d->channel], h200_naive[d->size][d->channel - 3]};
    static const char *const rates[] = {"rate_v100", "rate_h200"};
    sheet_misread(s, "products_naive", products(l, TAPS),
                  "as if nothing were pooled: an output is the mean of 2 x 2");
    sheet_misread(s, "products_fused", products(l, 25), "3 + 2 a side: it is 3 + 2 - 1");
    sheet_misread(s, "megabytes", (in + y) / 1e6, "w is left out");
    sheet_misread(s, "megabytes", (in + w) / 1e6, "y is left out");
    sheet_misread(s, "megabytes", in / 1e6, "x alone: w and y are moved, too");
    sheet_misread(s, "megabytes", (2 * in + w) / 1e6, "y is pooled: a quarter of x's size");
    sheet_misread(s, "floor_v100", 1e6 * fmin(bytes(l) / v100_memory, flop / v100_peak),
                  "the smaller of the two times: both are needed, so the larger is the floor");
    sheet_misread(s, "floor_h200", 1e6 * fmin(bytes(l) / h200_memory, flop / h200_peak),
                  "the smaller of the two times: both are needed, so the larger is the floor");
    sheet_misread(s, "floor_v100", 1e6 * (bytes(l) / v100_memory + flop / v100_peak),
                  "the sum of the two times: they pass at once");
    sheet_misread(s, "floor_h200", 1e6 * (bytes(l) / h200_memory + flop / h200_peak),
                  "the sum of the two times: they pass at once");
    sheet_misread(s, "floor_v100", 1e6 * fmax(bytes(l) / v100_memory, flop / 2 / v100_peak),
                  "a product is a multiplication and an addition: two FLOP");
    sheet_misread(s, "floor_h200", 1e6 * fmax(bytes(l) / h200_memory, flop / 2 / h200_peak),
                  "a product is a multiplication and an addition: two FLOP");
    for (int i = 0; i < 2; i++) {
        sheet_misread(s, rates[i], naive_rate(&d->row, ms[i]) / 2,
                      "a product is a multiplication and an addition: two FLOP");
        sheet_misread(s, rates[i], naive_rate(&d->row, ms[i]) / (POOL * POOL),
                      "by the products of direct sums: the definition has 36, not 9");
        sheet_misread(s, rates[i], naive_rate(&d->row, ms[i]) * POOL * POOL,
                      "as if there were as many outputs as inputs: pools have a quarter");
    }
}

static void mark_floors(struct sheet *s, const struct marking *m)
{
    const struct drawn d = drawn(s);
    const struct layer *l = &d.layer;
    const double v100 = v100_naive[d.size][d.channel];
    const double h200 = h200_naive[d.size][d.channel - 3];
    const bool all = naive_rate(&d.row, v100) * 1e12 < v100_peak;
    (void)m;
    sheet_count(s, "products_naive", products(l, TAPS * POOL * POOL), 0, "");
    sheet_count(s, "products_fused", products(l, 16), 0, "fused filters are 4 x 4");
    sheet_count(s, "products_direct", products(l, TAPS), 0, "");
    sheet_count(s, "megabytes", bytes(l) / 1e6, 0.03, "");
    sheet_count(s, "floor_v100", floor_us(l, v100_memory, v100_peak), 0.05, "");
    sheet_count(s, "floor_h200", floor_us(l, h200_memory, h200_peak), 0.05, "");
    sheet_count(s, "rate_v100", naive_rate(&d.row, v100), 0.05, "");
    sheet_count(s, "rate_h200", naive_rate(&d.row, h200), 0.05, "");
    sheet_mark(s, "all_v100", (strcasecmp(sheet_text(s, "all_v100"), "yes") == 0) == all, "",
               "%s: is the rate below the peak?", all ? "yes" : "no");
    sheet_factor(s, "speedup_h200", h200 / h200_direct[d.size][d.channel - 3], ANSWER_FULL,
                 ANSWER_HALF, "on an H200");
    misread_floors(s, &d);
}

/* Which cells of the tables count, by size and channels. */
struct cells {
    bool in[SIZES][CHANNELS];
};

/* The name leaves two numbers of channels out for each size, drawn as "64+256". */
static struct cells cells_of(const struct sheet *s)
{
    static const char *const keys[SIZES] = {"out8", "out16", "out32", "out64"};
    struct cells cells;
    for (int i = 0; i < SIZES; i++) {
        char *rest;
        const long one = strtol(sheet_drawn_text(s, keys[i]), &rest, 10);
        const long two = strtol(rest + 1, NULL, 10);
        for (int c = 0; c < CHANNELS; c++)
            cells.in[i][c] = channels[c] != one && channels[c] != two;
    }
    return cells;
}

/* Arithmetic and geometric mean of the speed-ups, and that of the sums of all times, over the rows
 * that count. */
struct means {
    double arithmetic, geometric, sums;
    int n, slower;
};

static struct means means_of(const struct cells *cells, const double naive[][CHANNELS],
                             const double direct[][CHANNELS])
{
    struct means m = {0};
    double before = 0, after = 0;
    for (int i = 0; i < SIZES * CHANNELS; i++) {
        const int size = i / CHANNELS, c = i % CHANNELS;
        const double speedup = naive[size][c] / direct[size][c];
        if (!cells->in[size][c])
            continue;
        m.n++;
        m.slower += speedup < 1;
        m.arithmetic += speedup;
        m.geometric += log(speedup);
        before += naive[size][c];
        after += direct[size][c];
    }
    m.arithmetic /= m.n;
    m.geometric = exp(m.geometric / m.n);
    m.sums = before / after;
    return m;
}

/* What misreadings give. */
static void misread_means(struct sheet *s, const char *key, const struct means *m)
{
    const double log_mean = log(m->geometric);
    sheet_misread(s, key, exp(log_mean / log(10)),
                  "e to the mean of logarithms to base 10: 10 to it, or natural logarithms");
    sheet_misread(s, key, pow(10, log_mean),
                  "10 to the mean of natural logarithms: e to it, or logarithms to base 10");
    sheet_misread(s, key, log_mean, "the mean of the logarithms: the last step is e to it");
    sheet_misread(s, key, log_mean / log(10),
                  "the mean of the logarithms: the last step is 10 to it");
    sheet_misread(s, key, sqrt(pow(m->geometric, m->n)),
                  "the square root of the product: of 12 numbers it is the 12th root");
    sheet_misread(s, key, pow(m->geometric, m->n) / m->n,
                  "the product over 12: it is the 12th root");
}

static void mark_interchange(struct sheet *s, const struct marking *m)
{
    const struct cells cells = cells_of(s);
    const struct means single = means_of(&cells, v100_naive, v100_direct);
    const struct means half = means_of(&cells, half_naive, half_direct);
    (void)m;
    sheet_count(s, "arithmetic_mean", single.arithmetic, 0.01, "");
    sheet_count(s, "geometric_mean", single.geometric, 0.01, "");
    sheet_count(s, "ratio_of_sums", single.sums, 0.01, "");
    sheet_count(s, "half_geometric_mean", half.geometric, 0.01, "");
    sheet_count(s, "half_slower", half.slower, 0, "");
    misread_means(s, "geometric_mean", &single);
    misread_means(s, "half_geometric_mean", &half);
    sheet_misread(s, "arithmetic_mean", single.arithmetic * single.n,
                  "the sum of the 12 numbers: their mean is a 12th of it");
    sheet_misread(s, "half_slower", half.n - half.slower, "those that are faster");
}

/* Products by the cost model, which tests compare with what running the methods takes, the rest by
 * the formulas. */
static bool answer_floors(struct sheet *s, const struct marking *m, FILE *f)
{
    const struct drawn d = drawn(s);
    const struct layer *l = &d.layer;
    const int c = l->channels, n = l->side;
    const struct convpool_problem p = {{l->images, c, n, n, c, 3, 3, 1, 1, CONV_NCHW, CONV_F32},
                                       POOL};
    const double per = outputs(l);
    /* pools and sums are multiplied too, once each */
    const double naive = convpool_count_defined(&p).multiplications / per - 1;
    const double fused = convpool_count_fused(&p).multiplications / per;
    const double v100 = v100_naive[d.size][d.channel];
    const double h200 = h200_naive[d.size][d.channel - 3];
    (void)m;
    fprintf(f,
            "products_naive = %.0f\nproducts_fused = %.0f\nproducts_direct = %.0f\n"
            "megabytes = %.4f\nfloor_v100 = %.4f\nfloor_h200 = %.4f\nrate_v100 = %.4f\n"
            "rate_h200 = %.4f\nall_v100 = %s\nspeedup_h200 = %.3f\n",
            naive, fused, naive / (POOL * POOL), bytes(l) / 1e6,
            floor_us(l, v100_memory, v100_peak), floor_us(l, h200_memory, h200_peak),
            naive_rate(&d.row, v100), naive_rate(&d.row, h200),
            naive_rate(&d.row, v100) * 1e12 < v100_peak ? "yes" : "no",
            h200 / h200_direct[d.size][d.channel - 3]);
    return true;
}

static bool answer_interchange(struct sheet *s, const struct marking *m, FILE *f)
{
    const struct cells cells = cells_of(s);
    const struct means single = means_of(&cells, v100_naive, v100_direct);
    const struct means half = means_of(&cells, half_naive, half_direct);
    (void)m;
    fprintf(f,
            "arithmetic_mean = %.4f\ngeometric_mean = %.4f\nratio_of_sums = %.4f\n"
            "half_geometric_mean = %.4f\nhalf_slower = %d\n",
            single.arithmetic, single.geometric, single.sums, half.geometric, half.slower);
    return true;
}

const struct marker lab8_markers[] = {{"floors", answer_floors, mark_floors},
                                      {"interchange", answer_interchange, mark_interchange},
                                      {0}};
