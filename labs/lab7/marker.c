/* lab7's predictions, on a layer that the student's name draws: what tiles in shared memory save
 * (task tiling), and from which sparsity on skipping zeros pays (task skipping), for one thread and
 * for a warp.
 *
 * What can be counted is counted for the reference by the device checker, on its own kernels; what
 * depends on chance (the most that any of 32 windows holds) is counted on drawn maps. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>

#include "common/random.h"
#include "conv2d/op/op.h"
#include "harness/answers/marker.h"

#define WARP    32
#define MAP     64 /* rows and columns of a map that windows are counted on */
#define TILE    16 /* of conv2d/variants/tiled2d.cu */
#define FILTERS 8
#define MAPS    6 /* drawn, to count on */

struct drawn {
    int channels, filters, size; /* the filter is size x size */
    int map;                     /* rows and columns, of x as of y */
    double sparsity;             /* of task skipping */
};

static struct drawn drawn(const struct sheet *s)
{
    return (struct drawn){.channels = (int)sheet_drawn(s, "channels"),
                          .filters = (int)sheet_drawn(s, "filters"),
                          .size = (int)sheet_drawn(s, "size")};
}

static int taps(const struct drawn *d)
{
    return d->size * d->size;
}

static int tile_cells(const struct drawn *d)
{
    return (TILE + d->size - 1) * (TILE + d->size - 1);
}

static double tiled_words(const struct drawn *d)
{
    return (double)d->channels * (tile_cells(d) + FILTERS * taps(d)) / (TILE * TILE * FILTERS);
}

static double tiled_shared(const struct drawn *d)
{
    return (double)d->channels * taps(d) * (FILTERS + 1) / FILTERS;
}

/* A padded map of zeros (true) and others, MAP + size - 1 rows and columns. */
static void draw_map(struct hpc_random *r, int size, double sparsity, bool *zero)
{
    const int wide = MAP + size - 1, pad = size / 2;
    for (int i = 0; i < wide; i++)
        for (int j = 0; j < wide; j++) {
            const bool inside = i >= pad && i < MAP + pad && j >= pad && j < MAP + pad;
            zero[i * wide + j] = !inside || hpc_random_double(r) < sparsity;
        }
}

/* The most that any of a warp's 32 windows holds, side by side in a row: the mean over all warps of
 * some maps. The same numbers on every machine. */
static double warp_entries(int size, double sparsity)
{
    const int wide = MAP + size - 1;
    bool *zero = hpc_malloc((size_t)wide * (size_t)wide * sizeof *zero);
    struct hpc_random r;
    double sum = 0;
    hpc_random_init(&r, 7, (uint64_t)size);
    for (int map = 0; map < MAPS; map++) {
        draw_map(&r, size, sparsity, zero);
        for (int row = 0; row < MAP; row++)
            for (int warp = 0; warp < MAP; warp += WARP) {
                int most = 0;
                for (int lane = warp; lane < warp + WARP; lane++) {
                    int count = 0;
                    for (int i = 0; i < size; i++)
                        for (int j = 0; j < size; j++)
                            count += !zero[(row + i) * wide + lane + j];
                    most = count > most ? count : most;
                }
                sum += most;
            }
    }
    free(zero);
    return sum / (MAPS * MAP * (MAP / WARP));
}

/* Instructions that ask memory for one output, one channel, one filter: x; of each value that is
 * not zero the weight, two stores and two loads; ptr, stored and loaded. direct: x and w. */
static double break_even_thread(const struct drawn *d)
{
    return 1 - (taps(d) - 2) / (5.0 * taps(d));
}

/* The same of a warp, which executes what any of its lanes does. */
static double break_even_warp(const struct drawn *d)
{
    double low = 0.5, high = 1;
    for (int i = 0; i < 20; i++) {
        const double s = (low + high) / 2, some = 1 - pow(s, WARP);
        const double sparse = taps(d) * (1 + 3 * some) + 2 * warp_entries(d->size, s) + 2;
        *(sparse > 2 * taps(d) ? &low : &high) = s;
    }
    return low;
}

static double square(double side)
{
    return side * side;
}

/* What misreadings give; and what follows from a wrong answer before. */
static void misread_tiling(struct sheet *s, const struct drawn *d)
{
    const double weights = FILTERS * taps(d), f = d->size;
    double cells;
    sheet_misread(s, "tile_cells", TILE * TILE, "the tile without its halo");
    sheet_misread(s, "tile_cells", square(TILE + f),
                  "16 + filter squared: the first output has its own cell, filter - 1 are added");
    sheet_misread(s, "tile_cells", square(TILE + 2 * (f - 1)),
                  "filter - 1 on both sides: it is (filter - 1) / 2 on each");
    sheet_misread(s, "tile_cells", square(TILE + (f - 1) / 2), "the halo of one side");
    if (!sheet_number(s, "tile_cells", &cells))
        return;
    sheet_misread(s, "shared_bytes", 4.0 * tile_cells(d), "the tile alone, without the weights");
    sheet_misread(s, "shared_bytes", 4.0 * (tile_cells(d) + taps(d)),
                  "the weights of one filter: a block has those of 8");
    sheet_misread(s, "tiled_words", tiled_words(d) * TILE * TILE * FILTERS,
                  "of a block: asked for are those for each output that it has");
    sheet_misread(s, "tiled_words", tiled_words(d) * FILTERS,
                  "a block has 256 outputs of each of 8 filters");
    sheet_misread(s, "tiled_words", tiled_words(d) / d->channels,
                  "of one channel: a block loads all of them");
    if (cells == tile_cells(d))
        return;
    sheet_misread(s, "shared_bytes", 4 * (cells + weights), "it follows from your tile_cells");
    sheet_misread(s, "tiled_words", d->channels * (cells + weights) / (TILE * TILE * FILTERS),
                  "it follows from your tile_cells");
}

static void misread_skipping(struct sheet *s, const struct drawn *d)
{
    const double values = 1 - d->sparsity;
    sheet_misread(s, "entries", taps(d) * d->sparsity,
                  "the zeros: the window's entries are the others");
    sheet_misread(s, "entries", taps(d), "all places: zeros are no entries");
    sheet_misread(s, "entries", values, "the share of one place: a window has filter x filter");
    sheet_misread(s, "entries", d->size * values,
                  "of one row: a window has filter x filter places");
    sheet_misread(s, "launches", d->channels + d->filters,
                  "the sum: each map is launched with each filter");
    sheet_misread(s, "warp_skips", d->sparsity, "one thread's: all 32 have to find zero");
    sheet_misread(s, "warp_skips", 1 - pow(d->sparsity, WARP), "the share in which some store");
    sheet_misread(s, "warp_skips", 1 - pow(values, WARP),
                  "all 32 are zero, not: not all are values");
}

static void mark_tiling(struct sheet *s, const struct marking *m)
{
    const struct drawn drawn_now = drawn(s), *d = &drawn_now;
    (void)m;
    sheet_count(s, "flops_per_output", 2.0 * d->channels * taps(d), 0, "");
    sheet_count(s, "direct_requests", 2.0 * d->channels * taps(d), 0.06, "an x and a w a tap");
    sheet_count(s, "tile_cells", tile_cells(d), 0,
                "16 outputs a side need 16 + filter - 1 of x: the halo is in the tile");
    sheet_count(s, "shared_bytes", 4.0 * (tile_cells(d) + FILTERS * taps(d)), 0.02,
                "the tile, and a channel's weights of 8 filters");
    sheet_count(s, "tiled_words", tiled_words(d), 0.05, "");
    sheet_count(s, "tiled_shared_requests", tiled_shared(d), 0.1,
                "an x, shared by all filters, and a w a tap");
    misread_tiling(s, d);
}

static struct drawn drawn_sparse(const struct sheet *s)
{
    struct drawn d = drawn(s);
    d.map = MAP;
    d.sparsity = sheet_drawn(s, "zeros") / 100;
    return d;
}

static void mark_skipping(struct sheet *s, const struct marking *m)
{
    const struct drawn drawn_now = drawn_sparse(s), *d = &drawn_now;
    (void)m;
    sheet_count(s, "entries", taps(d) * (1 - d->sparsity), 0.1, "");
    sheet_count(s, "launches", (double)d->channels * d->filters, 0, "");
    sheet_count(s, "warp_entries", warp_entries(d->size, d->sparsity), 0.2,
                "the most that any of 32 windows holds");
    sheet_near(s, "warp_skips", pow(d->sparsity, WARP), 0.02, "all 32 are zero");
    sheet_near(s, "break_even_thread", break_even_thread(d), 0.03, "");
    sheet_near(s, "break_even_warp", break_even_warp(d), 0.008, "");
    sheet_chance(s, "warp_skips", 0.8);      /* 0 */
    sheet_chance(s, "break_even_warp", 0.8); /* 1 */
    misread_skipping(s, d);
}

/* Traffic of one kernel on the drawn layer (one map and filter where `one`). */
static bool count(struct sheet *s, const struct marking *m, const struct drawn *d,
                  const char *variant, bool one, struct task_traffic *traffic)
{
    char word[6][40];
    const char *const words[] = {word[0], word[1], word[2], word[3], word[4], word[5], NULL};
    snprintf(word[0], sizeof word[0], "c=%d", one ? 1 : d->channels);
    snprintf(word[1], sizeof word[1], "k=%d", one ? 1 : d->filters);
    snprintf(word[2], sizeof word[2], "r=%d", d->size);
    snprintf(word[3], sizeof word[3], "pad=%d", d->size / 2);
    snprintf(word[4], sizeof word[4], "h=%d", d->map);
    snprintf(word[5], sizeof word[5], "sparsity=%.2f", d->sparsity);
    return marker_count(s, m, &conv2d_op, variant, words, traffic);
}

/* Requests of a warp for its 32 outputs. */
static double per_warp(const struct task_traffic *t, enum traffic_counter counter)
{
    return WARP * marker_per_output(t, counter);
}

static bool answer_tiling(struct sheet *s, const struct marking *m, FILE *f)
{
    struct drawn d = drawn(s);
    struct task_traffic direct, tiled;
    d.map = (int)sheet_drawn(s, "map");
    if (!count(s, m, &d, "conv2d/direct", false, &direct) ||
        !count(s, m, &d, "conv2d/tiled2d", false, &tiled))
        return false;
    fprintf(f,
            "flops_per_output = %d\ndirect_requests = %.4f\ntile_cells = %d\nshared_bytes = %d\n"
            "tiled_words = %.5f\ntiled_shared_requests = %.4f\n",
            2 * d.channels * taps(&d), per_warp(&direct, TRAFFIC_GLOBAL_LOAD_REQUESTS),
            tile_cells(&d), 4 * (tile_cells(&d) + FILTERS * taps(&d)), tiled_words(&d),
            per_warp(&tiled, TRAFFIC_SHARED_LOAD_REQUESTS));
    return true;
}

/* A warp's loads from shared memory in sparse_window: ptr, then two in each round. */
static bool answer_skipping(struct sheet *s, const struct marking *m, FILE *f)
{
    const struct drawn d = drawn_sparse(s);
    struct task_traffic t;
    if (!count(s, m, &d, "conv2d/sparse_window", true, &t))
        return false;
    fprintf(f,
            "entries = %.4f\nlaunches = %d\nwarp_entries = %.4f\nwarp_skips = %.6f\n"
            "break_even_thread = %.4f\nbreak_even_warp = %.4f\n",
            taps(&d) * (1 - d.sparsity), d.channels * d.filters,
            (per_warp(&t, TRAFFIC_SHARED_LOAD_REQUESTS) - 1) / 2, pow(d.sparsity, WARP),
            break_even_thread(&d), break_even_warp(&d));
    return true;
}

const struct marker lab7_markers[] = {
    {"tiling", answer_tiling, mark_tiling}, {"skipping", answer_skipping, mark_skipping}, {0}};
