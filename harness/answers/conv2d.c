/* lab7's predictions, on a layer that the student's name draws: what tiles in shared memory save
 * (task tiling), and from which sparsity on skipping zeros pays (task skipping), for one thread and
 * for a warp.
 *
 * What can be counted is counted for the reference by the device checker, on its own kernels; what
 * depends on chance (the most that any of 32 windows holds) is counted on drawn maps. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "conv2d/op/op.h"
#include "harness/answers/sheet.h"
#include "common/command.h"
#include "harness/trial/checker.h"

#define WARP    32
#define MAP     64 /* rows and columns, of x as of y */
#define TILE    16 /* of conv2d/variants/tiled2d.cu */
#define FILTERS 8
#define MAPS    6 /* drawn, to count on */

struct drawn {
    int channels, filters, size; /* the filter is size x size */
    double sparsity;
};

static struct drawn draw(const char *student)
{
    static const int channels[] = {8, 16, 32}, filters[] = {16, 24, 40}, sizes[] = {3, 5};
    static const double sparsities[] = {0.5, 0.6, 0.7, 0.8};
    struct hpc_random r;
    hpc_random_init(&r, answers_seed(student), 0x636f6e32); /* "con2" */
    struct drawn d = {.channels = channels[hpc_random_below(&r, 3)],
                      .filters = filters[hpc_random_below(&r, 3)],
                      .size = sizes[hpc_random_below(&r, 2)]};
    d.sparsity = sparsities[hpc_random_below(&r, 4)];
    return d;
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

/* Microseconds on one H200 (handouts/lab7.md). */
static const double direct_3x3 = 3182, tiled_3x3 = 505, direct_1x1 = 245.5, tiled_1x1 = 368.6;
static const double cudnn_90 = 49.8, blocked_90 = 20.6, cudnn_60 = 147.2, blocked_60 = 280.9;

static void mark_tiling(struct sheet *s, const struct drawn *d)
{
    sheet_count(s, "flops_per_output", 2.0 * d->channels * taps(d), 0, "");
    sheet_count(s, "direct_requests", 2.0 * d->channels * taps(d), 0.06, ": an x and a w a tap");
    sheet_count(s, "tile_cells", tile_cells(d), 0, "");
    sheet_count(s, "shared_bytes", 4.0 * (tile_cells(d) + FILTERS * taps(d)), 0.02, "");
    sheet_count(s, "tiled_words", tiled_words(d), 0.05, "");
    sheet_count(s, "tiled_shared_requests", tiled_shared(d), 0.1,
                ": an x, shared by all filters, and a w a tap");
    sheet_factor(s, "speedup_3x3", direct_3x3 / tiled_3x3, "");
    sheet_factor(s, "speedup_1x1", direct_1x1 / tiled_1x1, "");
}

static void mark_unit(struct sheet *s)
{
    const char *text = sheet_text(s, "unit");
    sheet_mark(s, "unit", strcasestr(text, "warp") != NULL || strcasestr(text, "32") != NULL,
               "who executes one instruction together?");
}

static void mark_skipping(struct sheet *s, const struct drawn *d)
{
    sheet_count(s, "entries", taps(d) * (1 - d->sparsity), 0.1, "");
    sheet_count(s, "launches", (double)d->channels * d->filters, 0, "");
    sheet_count(s, "warp_entries", warp_entries(d->size, d->sparsity), 0.2,
                ": the most that any of 32 windows holds");
    sheet_near(s, "warp_skips", pow(d->sparsity, WARP), 0.02, ": all 32 are zero");
    sheet_near(s, "break_even_thread", break_even_thread(d), 0.03, "");
    sheet_near(s, "break_even_warp", break_even_warp(d), 0.008, "");
    mark_unit(s);
    sheet_factor(s, "speedup_90", cudnn_90 / blocked_90, "");
    sheet_factor(s, "speedup_60", cudnn_60 / blocked_60, "");
}

/* Traffic of one kernel of the catalogue on the drawn layer (one map and filter where `one`); false
 * with *err. */
static bool count(const struct marking *m, const struct drawn *d, const char *variant, bool one,
                  struct task_traffic *traffic, struct hpc_error *err)
{
    struct build_result built;
    struct lab_case c = {.op = &conv2d_op};
    char words[6][40], reason[400];
    snprintf(c.name, sizeof c.name, "prediction");
    snprintf(words[0], sizeof words[0], "c=%d", one ? 1 : d->channels);
    snprintf(words[1], sizeof words[1], "k=%d", one ? 1 : d->filters);
    snprintf(words[2], sizeof words[2], "r=%d", d->size);
    snprintf(words[3], sizeof words[3], "pad=%d", d->size / 2);
    snprintf(words[4], sizeof words[4], "h=%d", MAP);
    snprintf(words[5], sizeof words[5], "sparsity=%.2f", d->sparsity);
    for (int i = 0; i < 6; i++)
        if (!hpc_params_set_word(&c.params, words[i], "prediction", err))
            return false;
    return build_catalogue(m->root, variant, BUILD_CHECK, &built, err) &&
           (grade_count_traffic(m->task, &c, &built, m->seed, traffic, reason, sizeof reason) ||
            hpc_fail_env(err, "%s: %s", variant, reason));
}

/* Requests of a warp for its 32 outputs. */
static double per_warp(const struct task_traffic *t, enum traffic_counter counter)
{
    struct traffic_bound bound = {.counter = counter, .per = TRAFFIC_PER_OUTPUT};
    return WARP * traffic_quantity(&t->counted, &bound, t->outputs);
}

static bool write_tiling(const struct marking *m, const struct drawn *d, FILE *f,
                         struct hpc_error *err)
{
    struct task_traffic direct, tiled;
    if (!count(m, d, "conv2d/direct", false, &direct, err) ||
        !count(m, d, "conv2d/tiled2d", false, &tiled, err))
        return false;
    fprintf(f,
            "flops_per_output = %d\ndirect_requests = %.4f\ntile_cells = %d\nshared_bytes = %d\n"
            "tiled_words = %.5f\ntiled_shared_requests = %.4f\n"
            "speedup_3x3 = 6.3\nspeedup_1x1 = 0.67\n",
            2 * d->channels * taps(d), per_warp(&direct, TRAFFIC_GLOBAL_LOAD_REQUESTS),
            tile_cells(d), 4 * (tile_cells(d) + FILTERS * taps(d)), tiled_words(d),
            per_warp(&tiled, TRAFFIC_SHARED_LOAD_REQUESTS));
    return true;
}

/* A warp's loads from shared memory in sparse_window: ptr, then two in each round. */
static bool write_skipping(const struct marking *m, const struct drawn *d, FILE *f,
                           struct hpc_error *err)
{
    struct task_traffic t;
    if (!count(m, d, "conv2d/sparse_window", true, &t, err))
        return false;
    fprintf(f,
            "entries = %.4f\nlaunches = %d\nwarp_entries = %.4f\nwarp_skips = %.6f\n"
            "break_even_thread = %.4f\nbreak_even_warp = %.4f\nunit = warp\n"
            "speedup_90 = 2.4\nspeedup_60 = 0.52\n",
            taps(d) * (1 - d->sparsity), d->channels * d->filters,
            (per_warp(&t, TRAFFIC_SHARED_LOAD_REQUESTS) - 1) / 2, pow(d->sparsity, WARP),
            break_even_thread(d), break_even_warp(d));
    return true;
}

static bool is_tiling(const struct marking *m)
{
    return strcmp(m->task->name, "tiling") == 0;
}

static bool write_answers(const struct marking *m, const char *path, struct hpc_error *err)
{
    const struct drawn drawn = draw("reference"), *d = &drawn;
    FILE *f = fopen(path, "w");
    if (!f)
        return hpc_fail_env(err, "cannot write %s", path);
    fprintf(f, "[answers]\nstudent = reference\n");
    bool good = is_tiling(m) ? write_tiling(m, d, f, err) : write_skipping(m, d, f, err);
    if (fclose(f) != 0 && good)
        return hpc_fail_env(err, "cannot write %s", path);
    return good;
}

static void mark_sheet(struct sheet *s, const struct marking *m)
{
    const struct drawn drawn = draw(sheet_text(s, "student")), *d = &drawn;
    char problem[160];
    snprintf(problem, sizeof problem,
             "%d channels of %d x %d, %d filters of %d x %d, stride 1, pad %d, sparsity %.2f",
             d->channels, MAP, MAP, d->filters, d->size, d->size, d->size / 2, d->sparsity);
    if (!sheet_begun(s, m, problem))
        return;
    if (is_tiling(m))
        mark_tiling(s, d);
    else
        mark_skipping(s, d);
    sheet_close(s, m->task);
}

void mark_conv2d(const struct marking *m, struct task_result *result)
{
    sheet_of_task(m, result, write_answers, mark_sheet);
}
