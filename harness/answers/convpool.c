/* lab8's answers: what the methods of convolution-pooling take at least, and what two GPUs took, on
 * a row of [Suita]'s Table 1 that the student's name draws (task floors); where convolution and
 * pooling may change places, and what the paper's means say (task interchange). */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "common/random.h"
#include "conv2d/op/convpool_count.h"
#include "harness/answers/sheet.h"
#include "common/command.h"

enum { SIZES = 4, CHANNELS = 5, BATCH = 64, TAPS = 9, POOL = 2 };
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

struct drawn {
    int size, channel; /* indices of a row, channel 3 or 4 */
    int without;       /* index of the size whose rows are left out of the means */
};

static struct drawn draw(const char *student)
{
    struct hpc_random r;
    hpc_random_init(&r, answers_seed(student), 0x706f6f6c); /* "pool" */
    struct drawn d = {.size = (int)hpc_random_below(&r, SIZES)};
    d.channel = 3 + (int)hpc_random_below(&r, 2);
    d.without = (int)hpc_random_below(&r, SIZES);
    return d;
}

/* Multiplications for one output, all channels. */
static double products(const struct drawn *d, int filter)
{
    return (double)filter * channels[d->channel];
}

static double outputs(const struct drawn *d)
{
    const double side = sizes[d->size] / POOL;
    return BATCH * side * side * channels[d->channel];
}

static double bytes(const struct drawn *d)
{
    const double c = channels[d->channel], plane = (double)sizes[d->size] * sizes[d->size];
    return 4 * (BATCH * c * plane + TAPS * c * c + outputs(d));
}

/* Microseconds that the direct method takes at least. */
static double floor_us(const struct drawn *d, double memory, double peak)
{
    return 1e6 * fmax(bytes(d) / memory, 2 * products(d, TAPS) * outputs(d) / peak);
}

/* TFLOP/s of cuDNN(naive), had it done all products of the definition. */
static double naive_rate(const struct drawn *d, double ms)
{
    return 2 * products(d, TAPS * POOL * POOL) * outputs(d) / ms / 1e9;
}

static void mark_word(struct sheet *s, const char *key, const char *right, const char *why)
{
    const char *text = sheet_text(s, key);
    sheet_mark(s, key, strcasecmp(text, right) == 0, "expected yes or no: %s", why);
}

static void mark_floors(struct sheet *s, const struct drawn *d)
{
    const double v100 = v100_naive[d->size][d->channel];
    const double h200 = h200_naive[d->size][d->channel - 3];
    const bool all = naive_rate(d, v100) * 1e12 < v100_peak;
    sheet_count(s, "products_naive", products(d, TAPS * POOL * POOL), 0, "");
    sheet_count(s, "products_fused", products(d, 16), 0, ": fused filters are 4 x 4");
    sheet_count(s, "products_direct", products(d, TAPS), 0, "");
    sheet_count(s, "megabytes", bytes(d) / 1e6, 0.03, "");
    sheet_count(s, "floor_v100", floor_us(d, v100_memory, v100_peak), 0.05, "");
    sheet_count(s, "floor_h200", floor_us(d, h200_memory, h200_peak), 0.05, "");
    sheet_count(s, "rate_v100", naive_rate(d, v100), 0.05, "");
    sheet_count(s, "rate_h200", naive_rate(d, h200), 0.05, "");
    mark_word(s, "all_v100", all ? "yes" : "no", "is the rate below the peak?");
    mark_word(s, "all_h200", "no", "is the rate below the peak?");
    sheet_factor(s, "speedup_h200", h200 / h200_direct[d->size][d->channel - 3], "");
}

/* Arithmetic and geometric mean of the speed-ups, and that of the sums of all times, over the rows
 * that count. */
struct means {
    double arithmetic, geometric, sums;
    int n, slower;
};

static struct means means_of(const struct drawn *d, const double naive[][CHANNELS],
                             const double direct[][CHANNELS])
{
    struct means m = {0};
    double before = 0, after = 0;
    for (int i = 0; i < SIZES; i++)
        for (int c = 0; c < CHANNELS && i != d->without; c++) {
            const double speedup = naive[i][c] / direct[i][c];
            m.n++;
            m.slower += speedup < 1;
            m.arithmetic += speedup;
            m.geometric += log(speedup);
            before += naive[i][c];
            after += direct[i][c];
        }
    m.arithmetic /= m.n;
    m.geometric = exp(m.geometric / m.n);
    m.sums = before / after;
    return m;
}

static void mark_interchange(struct sheet *s, const struct drawn *d)
{
    const struct means single = means_of(d, v100_naive, v100_direct);
    const struct means half = means_of(d, half_naive, half_direct);
    mark_word(s, "max_pooling", "no", "is max(a + b, c + d) the sum of two maxima?");
    mark_word(s, "relu_between", "no", "is relu(a) + relu(b) = relu(a + b)?");
    mark_word(s, "relu_after", "yes", "what comes after both does not care about their order");
    mark_word(s, "bias_between", "yes", "the mean of x + b is the mean of x, plus b");
    mark_word(s, "overlapping", "yes", "the mean is linear wherever its window lies");
    sheet_count(s, "arithmetic_mean", single.arithmetic, 0.01, "");
    sheet_count(s, "geometric_mean", single.geometric, 0.01, "");
    sheet_count(s, "ratio_of_sums", single.sums, 0.01, "");
    sheet_count(s, "half_geometric_mean", half.geometric, 0.01, "");
    sheet_count(s, "half_slower", half.slower, 0, "");
}

static bool is_floors(const struct marking *m)
{
    return strcmp(m->task->name, "floors") == 0;
}

/* The reference's answers: products by the cost model, which tests compare with what running the
 * methods takes, the rest by the formulas. */
static void write_floors(const struct drawn *d, FILE *f)
{
    const int c = channels[d->channel], n = sizes[d->size];
    const struct convpool_problem p = {{BATCH, c, n, n, c, 3, 3, 1, 1, CONV_NCHW, CONV_F32}, POOL};
    const double per = outputs(d);
    /* pools and sums are multiplied too, once each */
    const double naive = convpool_count_defined(&p).multiplications / per - 1;
    const double fused = convpool_count_fused(&p).multiplications / per;
    const double v100 = v100_naive[d->size][d->channel];
    const double h200 = h200_naive[d->size][d->channel - 3];
    fprintf(f,
            "products_naive = %.0f\nproducts_fused = %.0f\nproducts_direct = %.0f\n"
            "megabytes = %.4f\nfloor_v100 = %.4f\nfloor_h200 = %.4f\nrate_v100 = %.4f\n"
            "rate_h200 = %.4f\nall_v100 = %s\nall_h200 = no\nspeedup_h200 = 1.05\n",
            naive, fused, naive / (POOL * POOL), bytes(d) / 1e6,
            floor_us(d, v100_memory, v100_peak), floor_us(d, h200_memory, h200_peak),
            naive_rate(d, v100), naive_rate(d, h200),
            naive_rate(d, v100) * 1e12 < v100_peak ? "yes" : "no");
}

static void write_interchange(const struct drawn *d, FILE *f)
{
    const struct means single = means_of(d, v100_naive, v100_direct);
    const struct means half = means_of(d, half_naive, half_direct);
    fprintf(f,
            "max_pooling = no\nrelu_between = no\nrelu_after = yes\nbias_between = yes\n"
            "overlapping = yes\narithmetic_mean = %.4f\ngeometric_mean = %.4f\n"
            "ratio_of_sums = %.4f\nhalf_geometric_mean = %.4f\nhalf_slower = %d\n",
            single.arithmetic, single.geometric, single.sums, half.geometric, half.slower);
}

static bool write_answers(const struct marking *m, const char *path, struct hpc_error *err)
{
    const struct drawn drawn = draw("reference"), *d = &drawn;
    FILE *f = fopen(path, "w");
    if (!f)
        return hpc_fail_env(err, "cannot write %s", path);
    fprintf(f, "[answers]\nstudent = reference\n");
    if (is_floors(m))
        write_floors(d, f);
    else
        write_interchange(d, f);
    return fclose(f) == 0 || hpc_fail_env(err, "cannot write %s", path);
}

static void mark_sheet(struct sheet *s, const struct marking *m)
{
    const struct drawn drawn = draw(sheet_text(s, "student")), *d = &drawn;
    char problem[160];
    if (is_floors(m))
        snprintf(problem, sizeof problem, "%d images, %d channels of %d x %d to %d, fp32", BATCH,
                 channels[d->channel], sizes[d->size], sizes[d->size], channels[d->channel]);
    else
        snprintf(problem, sizeof problem, "the tables without the rows of %d x %d",
                 sizes[d->without], sizes[d->without]);
    if (!sheet_begun(s, m, problem))
        return;
    if (is_floors(m))
        mark_floors(s, d);
    else
        mark_interchange(s, d);
    sheet_close(s, m->task);
}

void mark_convpool(const struct marking *m, struct task_result *result)
{
    sheet_of_task(m, result, write_answers, mark_sheet);
}
