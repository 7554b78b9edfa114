/* lab5's and lab6's predictions: what the kernels of conv1d/ ask of the memory on a problem that
 * the student's name draws. Counts are marked against the model worked out below for a block in the
 * middle of the signal; speeds against one GPU's measurements, kindly.
 *
 * The reference's counts are not worked out but counted, by the device checker, on its own kernels:
 * full marks mean that pencil and checker agree. */
#define _GNU_SOURCE
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "conv1d/op/op.h"
#include "harness/answers/sheet.h"
#include "common/command.h"
#include "harness/trial/checker.h"

#define WARP         32
#define SECTOR       8  /* floats */
#define BLOCKS       96 /* of the problem: the two at the ends count little */
#define COUNTED      0.15
#define COUNTED_EDGE 0.25 /* tiled_cached: whoever reads the neighbour's cells how */

struct drawn {
    int mask, radius, threads;
    uint64_t n;
};

/* The same name draws the same problem. Radii are multiples of a sector, so that a tile begins
 * where a sector does and there is one right answer. */
static struct drawn draw(const char *student)
{
    static const int masks[] = {17, 33, 49}, threads[] = {64, 128, 256, 512};
    struct hpc_random r;
    hpc_random_init(&r, answers_seed(student), 0x636f6e76); /* "conv" */
    struct drawn d = {.mask = masks[hpc_random_below(&r, 3)],
                      .threads = threads[hpc_random_below(&r, 4)]};
    d.radius = d.mask / 2;
    d.n = (uint64_t)d.threads * BLOCKS;
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

/* The cells of a tile and its halo, a warp's 32 at a time. */
static double tiled_halo_sectors(const struct drawn *d)
{
    int cells = d->threads + 2 * d->radius, sum = 0;
    for (int k = 0; k < cells; k += WARP)
        sum += sectors(k - d->radius, cells - k < WARP ? cells - k : WARP);
    return (double)sum / d->threads;
}

/* The tile, and for every tap what lies outside of it, on both sides. */
static double tiled_cached_sectors(const struct drawn *d)
{
    int sum = sectors(0, WARP) * d->threads / WARP;
    for (int o = 1; o <= d->radius; o++)
        for (int k = 0; k < o; k += WARP) {
            int count = o - k < WARP ? o - k : WARP;
            sum += sectors(k - o, count) + sectors(d->threads + k, count);
        }
    return (double)sum / d->threads;
}

/* Microseconds for n = 1e8 on one H200 (benchmarks/results/h200-conv1d-guards.md). */
static const struct measured {
    int mask;
    double multi_block, constant, tiled_halo;
} measured[] = {{17, 877.2, 839.1, 623.6}, {33, 1383, 1303, 743.5}, {49, 1905, 1792, 864.2}};

static double speedup(int mask, bool tiled)
{
    const struct measured *m = measured;
    while (m->mask != mask) /* one of those that draw() knows */
        m++;
    return tiled ? m->constant / m->tiled_halo : m->multi_block / m->constant;
}

static void mark_lab5(struct sheet *s, const struct drawn *d)
{
    sheet_count(s, "flops_per_output", 2 * d->mask, 0, "");
    sheet_count(s, "least_bytes_per_output", 8, 0, "");
    sheet_count(s, "least_intensity", d->mask / 4.0, 0.01, "");
    sheet_count(s, "multi_block_requests", 2 * d->mask, 0.03, ": a load of x and one of w a tap");
    sheet_count(s, "constant_requests", d->mask, 0.03, ": a load of x a tap");
    sheet_count(s, "multi_block_sectors", multi_block_sectors(d), COUNTED, "");
    sheet_count(s, "constant_sectors", constant_sectors(d), COUNTED, "");
    sheet_factor(s, "speedup_constant", speedup(d->mask, false), "");
}

static void mark_who(struct sheet *s)
{
    const char *text = sheet_text(s, "who");
    bool right = strcasestr(text, "cache") || strcasestr(text, "l1");
    sheet_mark(s, "who", right, "where are the floats that the next tap needs?");
}

static void mark_lab6(struct sheet *s, const struct drawn *d)
{
    sheet_count(s, "halo_cells", 2 * d->radius, 0, "");
    sheet_count(s, "shared_bytes", 4 * (d->threads + 2 * d->radius), 0.03, "");
    sheet_count(s, "constant_sectors", constant_sectors(d), COUNTED, "");
    sheet_count(s, "tiled_halo_sectors", tiled_halo_sectors(d), COUNTED, "");
    sheet_count(s, "tiled_cached_sectors", tiled_cached_sectors(d), COUNTED_EDGE, "");
    sheet_count(s, "bank_conflicts", 0, 0, "");
    sheet_factor(s, "speedup_tiled", speedup(d->mask, true), "");
    mark_who(s);
}

static bool of_lab6(const struct sheet *s)
{
    return ini_find(s->section, "halo_cells") || !ini_find(s->section, "flops_per_output");
}

/* Traffic of one kernel of the catalogue on the drawn problem; false with *err. */
static bool count(const struct marking *m, const struct drawn *d, const char *variant,
                  struct task_traffic *traffic, struct hpc_error *err)
{
    struct build_result built;
    struct lab_case c = {.op = &conv1d_op};
    char words[3][40], reason[400];
    snprintf(c.name, sizeof c.name, "prediction");
    snprintf(words[0], sizeof words[0], "n=%llu", (unsigned long long)d->n);
    snprintf(words[1], sizeof words[1], "mask=%d", d->mask);
    snprintf(words[2], sizeof words[2], "threads=%d", d->threads);
    for (int i = 0; i < 3; i++)
        if (!hpc_params_set_word(&c.params, words[i], "prediction", err))
            return false;
    return build_catalogue(m->root, variant, BUILD_CHECK, &built, err) &&
           (grade_count_traffic(m->task, &c, &built, m->seed, traffic, reason, sizeof reason) ||
            hpc_fail_env(err, "%s: %s", variant, reason));
}

static double per_output(const struct task_traffic *t, enum traffic_counter counter)
{
    struct traffic_bound bound = {.counter = counter, .per = TRAFFIC_PER_OUTPUT};
    return traffic_quantity(&t->counted, &bound, t->outputs);
}

/* The reference's answers: counts by the checker, the rest by the formulas. */
static bool write_answers(const struct marking *m, const char *path, struct hpc_error *err)
{
    const struct drawn drawn = draw("reference"), *d = &drawn;
    static const char *const variants[] = {"conv1d/multi_block", "conv1d/constant",
                                           "conv1d/tiled_halo", "conv1d/tiled_cached"};
    bool lab5 = strcmp(m->lab->name, "lab5") == 0;
    double sectors_of[4] = {0}, requests_of[4] = {0}, conflicts = 0;
    for (int i = lab5 ? 0 : 1; i < (lab5 ? 2 : 4); i++) {
        struct task_traffic t;
        if (!count(m, d, variants[i], &t, err))
            return false;
        sectors_of[i] = per_output(&t, TRAFFIC_GLOBAL_LOAD_SECTORS);
        requests_of[i] = WARP * per_output(&t, TRAFFIC_GLOBAL_LOAD_REQUESTS);
        conflicts += per_output(&t, TRAFFIC_SHARED_LOAD_CONFLICTS);
    }
    FILE *f = fopen(path, "w");
    if (!f)
        return hpc_fail_env(err, "cannot write %s", path);
    fprintf(f, "[answers]\nstudent = reference\nconstant_sectors = %.5f\n", sectors_of[1]);
    if (lab5)
        fprintf(f,
                "flops_per_output = %d\nleast_bytes_per_output = 8\nleast_intensity = %.4f\n"
                "multi_block_requests = %.4f\nconstant_requests = %.4f\n"
                "multi_block_sectors = %.5f\nspeedup_constant = %.3f\n",
                2 * d->mask, d->mask / 4.0, requests_of[0], requests_of[1], sectors_of[0],
                speedup(d->mask, false));
    else
        fprintf(f,
                "halo_cells = %d\nshared_bytes = %d\ntiled_halo_sectors = %.5f\n"
                "tiled_cached_sectors = %.5f\nbank_conflicts = %g\nspeedup_tiled = %.3f\n"
                "who = cache\n",
                2 * d->radius, 4 * (d->threads + 2 * d->radius), sectors_of[2], sectors_of[3],
                conflicts, speedup(d->mask, true));
    return fclose(f) == 0 || hpc_fail_env(err, "cannot write %s", path);
}

static void mark_sheet(struct sheet *s, const struct marking *m)
{
    const struct drawn drawn = draw(sheet_text(s, "student")), *d = &drawn;
    char problem[120];
    snprintf(problem, sizeof problem, "n = %llu, mask = %d, threads = %d", (unsigned long long)d->n,
             d->mask, d->threads);
    if (!sheet_begun(s, m, problem))
        return;
    if (of_lab6(s))
        mark_lab6(s, d);
    else
        mark_lab5(s, d);
    sheet_close(s, m->task);
}

void mark_conv1d(const struct marking *m, struct task_result *result)
{
    sheet_of_task(m, result, write_answers, mark_sheet);
}
