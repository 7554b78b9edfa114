/* Outputs that are no numbers: whether nobody wrote them, or what they were computed from. */
#include <stdio.h>

#include "common/noise.h"
#include "common/text.h"
#include "conv1d/op/op.h"

/* Whose noise all of the listed outputs are; NONE where they differ. */
static enum hpc_noise noise_of(const float *got, const struct conv1d_wrong *w)
{
    const enum hpc_noise first = hpc_noise_of(got[w->index[0]]);
    for (int i = 1; i < w->listed; i++)
        if (hpc_noise_of(got[w->index[i]]) != first)
            return HPC_NOISE_NONE;
    return first;
}

/* "505 of 1009 outputs HOW: y[1], y[3], y[5], y[7] .." */
static void list(const struct conv1d_problem *p, const struct conv1d_wrong *w, const char *how,
                 char *hint, size_t size)
{
    char places[100] = "";
    for (int i = 0; i < w->listed && i < 4; i++)
        text_fit(places, sizeof places, "%s%sy[%lld]", places, i ? ", " : "",
                 (long long)w->index[i]);
    snprintf(hint, size, "%llu of %llu outputs %s: %s%s", (unsigned long long)w->wrong,
             (unsigned long long)p->n, how, places, w->wrong > 4 ? " .." : "");
}

/* Of all outputs, or of those at whose end something else is wrong: cases say the same of it. */
#define OUTSIDE "outputs are computed from what lies outside of x, or of the mask"

/* Only an index beyond [0, n) reaches what lies outside of x from the ends, and none from
 * elsewhere: then it may be the mask. */
static void outside(const struct conv1d_problem *p, const struct conv1d_wrong *w, char *hint,
                    size_t size)
{
    const int64_t n = (int64_t)p->n, r = p->radius;
    bool ends = w->wrong == (uint64_t)w->listed && n > 2 * r;
    for (int i = 0; i < w->listed && ends; i++)
        ends = w->index[i] < r || w->index[i] >= n - r;
    if (!ends) {
        const bool all = w->index[w->listed - 1] == w->listed - 1;
        if (all)
            snprintf(hint, size, "%s", OUTSIDE);
        else
            list(p, w, "are computed from what lies outside of x, or of the mask", hint, size);
        return;
    }
    const bool left = w->index[0] < r, right = w->index[w->listed - 1] >= n - r;
    snprintf(hint, size,
             "the %s outputs are computed from what lies outside of x: x[i + j] counts as 0 where "
             "%s",
             left && right ? "first and last"
             : left        ? "first"
                           : "last",
             left && right ? "i + j < 0, and where i + j >= n"
             : left        ? "i + j < 0"
                           : "i + j >= n");
}

/* How many outputs of each `block`, from its first on, were written, where that is all that were;
 * else 0. */
static int64_t first_of_each(const struct conv1d_wrong *w, int64_t block)
{
    const int64_t first = w->index[0];
    int64_t next = first;
    if (first == 0 || first >= block || w->index[w->listed - 1] < block)
        return 0;
    for (int i = 0; i < w->listed; i++, next += next % block == 0 ? first : 0)
        if (w->index[i] != next++)
            return 0;
    return first;
}

/* The period of the outputs that were written, where a block writes the first of it: how many there
 * are in one; else 0. */
static int64_t period(const struct conv1d_problem *p, const struct conv1d_wrong *w)
{
    int run = 1;
    while (run < w->listed && w->index[run] == w->index[0] + run)
        run++;
    const int64_t all = w->index[0] + run;
    return w->index[0] == p->block && first_of_each(w, all) > 0 ? all : 0;
}

/* Where blocks of `each` outputs a thread, as many as cover n, begin so far apart that the first
 * `written` outputs are theirs: how far, where they overlap; else 0. */
static int64_t step_of_blocks(const struct conv1d_problem *p, int64_t written, int each)
{
    const int64_t all = (int64_t)p->block * each;
    const int64_t blocks = all > 0 ? ((int64_t)p->n + all - 1) / all : 0;
    return blocks > 1 && written > all && (written - all) % (blocks - 1) == 0
               ? (written - all) / (blocks - 1)
               : 0;
}

/* Blocks that begin too near to each other, so that all outputs from `first` on are nobody's. */
static bool too_near(const struct conv1d_problem *p, int64_t first, char *hint, size_t size)
{
    static const int each[] = {2, 4, 8, 16, 3, 5, 6, 7, 9, 10, 12}; /* outputs of a thread */
    const int64_t n = (int64_t)p->n, block = p->block, step = step_of_blocks(p, first, 1);
    const int64_t blocks = block > 0 ? (n + block - 1) / block : 0;
    char how[160] = "";
    for (int i = sizeof each / sizeof *each - 1; i >= 0 && block > 0; i--)
        if (step_of_blocks(p, first, each[i]) == block)
            snprintf(how, sizeof how,
                     "blocks of %lld threads, %d outputs a thread, began %lld apart: is the %d "
                     "missing in a block's first output?",
                     (long long)block, each[i], (long long)block, each[i]);
    if (step > 0 && step == blocks - 1)
        snprintf(how, sizeof how,
                 "block b began at b * b: blockIdx.x * blockIdx.x for blockIdx.x * blockDim.x?");
    else if (step > 0 && (step == blocks || !*how))
        snprintf(how, sizeof how, "blocks began %lld apart, not %lld, as many as their threads%s",
                 (long long)step, (long long)block,
                 step == blocks ? ": gridDim.x for blockDim.x?" : "");
    if (*how)
        snprintf(hint, size, "only the first %lld of %lld outputs were written, as if %s",
                 (long long)first, (long long)n, how);
    return *how;
}

static void unwritten(const struct conv1d_problem *p, const struct conv1d_wrong *w, char *hint,
                      size_t size)
{
    const int64_t n = (int64_t)p->n, r = p->radius, first = w->index[0];
    const int64_t last = w->index[w->listed - 1], block = p->block;
    const bool rest = w->wrong == (uint64_t)(n - first); /* all from the first one on */
    bool ends = n > 2 * r && first < r && last >= n - r;
    for (int i = 0; i < w->listed && ends; i++)
        ends = w->index[i] < r || w->index[i] >= n - r;
    if (w->wrong == p->n)
        snprintf(
            hint, size,
            "no output was written, or each is added to what y held: was the kernel launched?");
    else if (rest && n - first >= block && too_near(p, first, hint, size))
        return;
    else if (rest && n - first >= (block > 0 ? block : first))
        snprintf(
            hint, size,
            "only the first %lld of %lld outputs%s were written: the others are those of other "
            "blocks, or of a thread's next rounds",
            (long long)first, (long long)n, first == block ? ", one block's," : "");
    else if (ends)
        snprintf(hint, size,
                 "the outputs within mask/2 of the ends were not written: zero padding gives them "
                 "a value too");
    else if (rest)
        snprintf(hint, size,
                 "the last outputs were not written: n need not be a multiple of a block");
    else if (period(p, w) > 0)
        snprintf(hint, size,
                 "of each %lld outputs only the first %lld were written, as many as a block has "
                 "threads: does %lld stand where blockDim.x belongs?",
                 (long long)period(p, w), (long long)first, (long long)period(p, w));
    else if (first_of_each(w, block) > 0)
        snprintf(hint, size, "of each block's %lld outputs only the first %lld were written%s",
                 (long long)block, (long long)first,
                 first == (n + block - 1) / block ? ", as many as there are blocks: is i = "
                                                    "blockIdx.x * blockDim.x + threadIdx.x?"
                                                  : ": do all its threads write?");
    else
        list(p, w, "were not written, or are added to what y held", hint, size);
}

bool conv1d_blank(const float *got, const struct conv1d_wrong *wrong)
{
    for (int i = 0; i < wrong->listed; i++)
        if (conv1d_finite(got[wrong->index[i]]))
            return false;
    return true;
}

bool conv1d_blank_hint(const struct conv1d_problem *p, const float *got,
                       const struct conv1d_wrong *wrong, char *hint, size_t size)
{
    const enum hpc_noise noise = noise_of(got, wrong);
    if (noise == HPC_NOISE_OUTPUT)
        unwritten(p, wrong, hint, size);
    else if (noise == HPC_NOISE_INPUT)
        outside(p, wrong, hint, size);
    return noise != HPC_NOISE_NONE;
}

const char *conv1d_outside(const float *got, const struct conv1d_wrong *wrong)
{
    for (int i = 0; i < wrong->listed; i++)
        if (!conv1d_finite(got[wrong->index[i]]) &&
            hpc_noise_of(got[wrong->index[i]]) == HPC_NOISE_INPUT)
            return OUTSIDE;
    return NULL;
}

void conv1d_no_numbers(const struct conv1d_problem *p, const struct conv1d_wrong *wrong, char *hint,
                       size_t size)
{
    list(p, wrong, "are no numbers", hint, size);
}
