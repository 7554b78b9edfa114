/* lab6's prediction: what three kernels of conv1d/ ask of the memory on a problem that the
 * student's name draws. Counts are marked against the model worked out below for a block in the
 * middle of the signal; the speed against one GPU's measurements, kindly.
 *
 * The reference's counts are not worked out but counted, by the device checker, on its own kernels:
 * full marks mean that pencil and checker agree. Radii are multiples of a sector, so that a tile
 * begins where a sector does. */
#include <math.h>
#include <stdio.h>

#include "conv1d/op/op.h"
#include "harness/answers/marker.h"

#define WARP    32
#define SECTOR  8 /* floats */
#define COUNTED 0.15
#define EDGE    0.25 /* tiled_cached: whoever reads the neighbour's cells how */

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

/* The cells of a tile and its halo, a warp's 32 at a time. */
static double tiled_halo_sectors(const struct drawn *d)
{
    int cells = d->block + 2 * d->radius, sum = 0;
    for (int k = 0; k < cells; k += WARP)
        sum += sectors(k - d->radius, cells - k < WARP ? cells - k : WARP);
    return (double)sum / d->block;
}

/* The tile, and for every tap what lies outside of it, on both sides. */
static double tiled_cached_sectors(const struct drawn *d)
{
    int sum = sectors(0, WARP) * d->block / WARP;
    for (int o = 1; o <= d->radius; o++)
        for (int k = 0; k < o; k += WARP) {
            int count = o - k < WARP ? o - k : WARP;
            sum += sectors(k - o, count) + sectors(d->block + k, count);
        }
    return (double)sum / d->block;
}

/* Microseconds for n = 1e8 on one H200 (benchmarks/results/h200-conv1d-guards.md). */
static double speedup(int mask)
{
    static const double constant[] = {839.1, 1303, 1792}, tiled_halo[] = {623.6, 743.5, 864.2};
    const int k = (mask - 17) / 16; /* lab.ini draws 17, 33 or 49 */
    return constant[k] / tiled_halo[k];
}

static int halo_cells(const struct drawn *d)
{
    return (d->n + d->block - 1) / d->block * 2 * d->radius;
}

static const char requests[] =
    "requests for sectors: one request of a warp touches four or five of them";

/* What misreadings give. */
static void mark_misread(struct sheet *s, const struct drawn *d)
{
    const int blocks = (d->n + d->block - 1) / d->block, r = d->radius;
    sheet_misread(s, "halo_cells", blocks * r, "half of what is right: one side of each tile");
    sheet_misread(s, "halo_cells", 2 * r, "of one tile: asked for are those of all tiles");
    sheet_misread(s, "halo_cells", blocks * d->mask, "a halo has mask - 1 cells, not mask");
    sheet_misread(s, "halo_cells", (double)blocks * (d->block + 2 * r),
                  "all cells of the tiles: the halo is what lies beside a tile's own");
    sheet_misread(s, "halo_cells", (double)(blocks - 1) * 2 * r,
                  "one tile is left out: cells outside of the signal are there, and 0");
    sheet_misread(s, "bank_conflicts", WARP - 1,
                  "as if all 32 met in one bank: neighbouring floats stand in neighbouring banks");
    sheet_misread(s, "bank_conflicts", WARP,
                  "as if all 32 met in one bank: neighbouring floats stand in neighbouring banks");
    sheet_misread(s, "bank_conflicts", 1, "all passes: asked for are those beyond the first");
    sheet_misread(s, "shared_bytes", 4 * d->block, "the tile without its halo");
    sheet_misread(s, "shared_bytes", 4 * (d->block + r), "the halo of one side");
    sheet_misread(s, "constant_sectors", d->mask * 4.0 / WARP,
                  "as if windows began where a sector does: 7 of 8 begin elsewhere");
    sheet_misread(s, "constant_sectors", d->mask, "a sector a tap: a warp's 32 outputs share them");
    sheet_misread(s, "constant_sectors", d->mask / (double)WARP, requests);
    sheet_misread(s, "tiled_halo_sectors", (d->block + 2.0 * r) / d->block / WARP, requests);
    sheet_misread(s, "tiled_halo_sectors", ceil((d->block + 2.0 * r) / WARP) / d->block, requests);
    sheet_misread(s, "tiled_halo_sectors", (d->block + 2.0 * r) / d->block,
                  "floats for sectors of 8");
    sheet_misread(s, "tiled_halo_sectors", tiled_halo_sectors(d) * d->block,
                  "of a block: asked for are those of one output");
}

static void mark(struct sheet *s, const struct marking *m)
{
    const struct drawn d = drawn(s);
    (void)m;
    sheet_count(s, "halo_cells", halo_cells(&d), 0, "both sides of every tile");
    sheet_count(s, "shared_bytes", 4 * (d.block + 2 * d.radius), 0.03, "");
    sheet_count(s, "constant_sectors", constant_sectors(&d), COUNTED, "");
    sheet_count(s, "tiled_halo_sectors", tiled_halo_sectors(&d), COUNTED, "");
    sheet_count(s, "tiled_cached_sectors", tiled_cached_sectors(&d), EDGE, "");
    sheet_factor(s, "speedup_tiled", speedup(d.mask), ANSWER_FULL, ANSWER_HALF, "on an H200");
    mark_misread(s, &d);
}

/* Counts by the checker, the rest by the formulas. */
static bool answer(struct sheet *s, const struct marking *m, FILE *f)
{
    static const char *const variants[] = {"conv1d/constant", "conv1d/tiled_halo",
                                           "conv1d/tiled_cached"};
    const struct drawn d = drawn(s);
    double counted[3];
    char n[24], mask[24], block[24];
    const char *const words[] = {n, mask, block, NULL};
    snprintf(n, sizeof n, "n=%d", d.n);
    snprintf(mask, sizeof mask, "mask=%d", d.mask);
    snprintf(block, sizeof block, "block=%d", d.block);
    for (int i = 0; i < 3; i++) {
        struct task_traffic t;
        if (!marker_count(s, m, &conv1d_op, variants[i], words, &t))
            return false;
        counted[i] = marker_per_output(&t, TRAFFIC_GLOBAL_LOAD_SECTORS);
    }
    fprintf(f,
            "halo_cells = %d\nshared_bytes = %d\nconstant_sectors = %.5f\ntiled_halo_sectors = "
            "%.5f\ntiled_cached_sectors = %.5f\nspeedup_tiled = %.3f\n",
            halo_cells(&d), 4 * (d.block + 2 * d.radius), counted[0], counted[1], counted[2],
            speedup(d.mask));
    return true;
}

const struct marker lab6_markers[] = {{"prediction", answer, mark}, {0}};
