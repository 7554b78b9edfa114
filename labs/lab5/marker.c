/* lab5's prediction: what two kernels of conv1d/ ask of the memory on a problem that the student's
 * name draws. Counts are marked against the model worked out below for a block in the middle of the
 * signal; the speed against one GPU's measurements, kindly.
 *
 * The reference's counts are not worked out but counted, by the device checker, on its own kernels:
 * full marks mean that pencil and checker agree. */
#include <stdio.h>

#include "conv1d/op/op.h"
#include "harness/answers/marker.h"

#define WARP    32
#define SECTOR  8 /* floats */
#define COUNTED 0.15

struct drawn {
    int mask, radius, block, n;
};

static struct drawn drawn(const struct sheet *s)
{
    struct drawn d = {.mask = (int)sheet_drawn(s, "mask"),
                      .block = (int)sheet_drawn(s, "block"),
                      .n = (int)sheet_drawn(s, "n")};
    d.radius = d.mask / 2;
    return d;
}

/* Sectors that floats first .. first + count - 1 lie in; 0 is where a sector begins. */
static int sectors(int first, int count)
{
    int from = first >= 0 ? first / SECTOR : -((-first + SECTOR - 1) / SECTOR);
    int end = first + count - 1, to = end >= 0 ? end / SECTOR : -((-end + SECTOR - 1) / SECTOR);
    return count > 0 ? to - from + 1 : 0;
}

/* Sectors per output of the loads of x, one a tap. */
static double constant_sectors(const struct drawn *d)
{
    int sum = 0;
    for (int o = -d->radius; o <= d->radius; o++)
        sum += sectors(o, WARP);
    return (double)sum / WARP;
}

static double multi_block_sectors(const struct drawn *d)
{
    return constant_sectors(d) + (double)d->mask / WARP; /* all threads ask for one w[j] */
}

/* Microseconds for n = 1e8 on one H200 (benchmarks/results/h200-conv1d-guards.md), and between two
 * masks on the straight line, from which 33 is 1% off. */
static double microseconds(const double at[3], int mask)
{
    const int k = mask < 33 ? 0 : 1;
    return at[k] + (at[k + 1] - at[k]) * (mask - 17 - 16 * k) / 16;
}

static double speedup(int mask)
{
    static const double multi_block[] = {877.2, 1383, 1905}, constant[] = {839.1, 1303, 1792};
    return microseconds(multi_block, mask) / microseconds(constant, mask);
}

static int blocks(const struct drawn *d)
{
    return (d->n + d->block - 1) / d->block;
}

/* What misreadings give. */
static void mark_misread(struct sheet *s, const struct drawn *d)
{
    const double m = d->mask;
    sheet_misread(s, "blocks", d->n / d->block,
                  "rounded down: the outputs that are left need a block, too");
    sheet_misread(s, "least_bytes_per_output", 8 * m,
                  "what the instructions ask for, x and w for each tap: memory's least is less");
    sheet_misread(s, "least_bytes_per_output", 4 * m + 4,
                  "x counted for each tap: it must come once, however often it is asked for");
    sheet_misread(s, "least_bytes_per_output", 12, "the mask is read once, not for each output");
    sheet_misread(s, "least_bytes_per_output", 4, "one of two: x is read and y is written");
    sheet_misread(s, "least_intensity", m / 2,
                  "over 4 bytes an output: x is read and y is written");
    sheet_misread(s, "least_intensity", m / 8, "a multiplication and an addition are two FLOP");
    sheet_misread(s, "least_intensity", 0.25, "over the bytes that instructions ask for");
    sheet_misread(s, "least_intensity", 2 * m / (4 * m + 4), "x counted for each tap");
    sheet_misread(s, "multi_block_sectors", 2 * constant_sectors(d),
                  "w[j] is one float for all 32 threads: one sector, not those of x");
    sheet_misread(s, "multi_block_sectors", m * 5 / WARP,
                  "as if windows began where a sector does: 7 of 8 begin elsewhere");
    sheet_misread(s, "constant_sectors", m * 4 / WARP,
                  "as if windows began where a sector does: 7 of 8 begin elsewhere");
}

static void mark(struct sheet *s, const struct marking *m)
{
    const struct drawn d = drawn(s);
    (void)m;
    sheet_count(s, "blocks", blocks(&d), 0, "n over the threads of a block, rounded up");
    sheet_count(s, "flops_per_output", 2 * d.mask, 0, "");
    sheet_count(s, "least_intensity", d.mask / 4.0, 0.01, "");
    sheet_count(s, "multi_block_requests", 2 * d.mask, 0.03, "a load of x and one of w a tap");
    sheet_count(s, "constant_requests", d.mask, 0.03, "a load of x a tap");
    sheet_count(s, "multi_block_sectors", multi_block_sectors(&d), COUNTED, "");
    sheet_count(s, "constant_sectors", constant_sectors(&d), COUNTED, "");
    sheet_factor(s, "speedup_constant", speedup(d.mask), ANSWER_FULL, ANSWER_HALF, "on an H200");
    mark_misread(s, &d);
}

/* Counts by the checker, the rest by the formulas. */
static bool answer(struct sheet *s, const struct marking *m, FILE *f)
{
    const struct drawn d = drawn(s);
    struct task_traffic multi_block, constant;
    char n[24], mask[24], block[24];
    const char *const words[] = {n, mask, block, NULL};
    snprintf(n, sizeof n, "n=%d", d.n);
    snprintf(mask, sizeof mask, "mask=%d", d.mask);
    snprintf(block, sizeof block, "block=%d", d.block);
    if (!marker_count(s, m, &conv1d_op, "conv1d/multi_block", words, &multi_block) ||
        !marker_count(s, m, &conv1d_op, "conv1d/constant", words, &constant))
        return false;
    fprintf(f,
            "blocks = %d\nflops_per_output = %d\nleast_intensity = %.4f\nmulti_block_requests = "
            "%.4f\nconstant_requests = %.4f\nmulti_block_sectors = %.5f\nconstant_sectors = "
            "%.5f\nspeedup_constant = %.3f\n",
            blocks(&d), 2 * d.mask, d.mask / 4.0,
            WARP * marker_per_output(&multi_block, TRAFFIC_GLOBAL_LOAD_REQUESTS),
            WARP * marker_per_output(&constant, TRAFFIC_GLOBAL_LOAD_REQUESTS),
            marker_per_output(&multi_block, TRAFFIC_GLOBAL_LOAD_SECTORS),
            marker_per_output(&constant, TRAFFIC_GLOBAL_LOAD_SECTORS), speedup(d.mask));
    return true;
}

const struct marker lab5_markers[] = {{"intensity", answer, mark}, {0}};
