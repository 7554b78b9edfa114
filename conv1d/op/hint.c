/* What usually makes outputs of a convolution wrong: the value that a usual mistake gives in their
 * place, or a pattern in where they lie. */
#include <math.h>
#include <stdio.h>

#include "conv1d/op/op.h"

#define SAMPLES 200 /* outputs that are looked at beside the wrong ones, at most */

struct evidence {
    const struct conv1d_problem *p;
    const float *x, *w, *got;
    const struct conv1d_wrong *wrong;
    int64_t n, r;
};

/* x[i] as some mistake sees it. WHOLE_TILE: without its fraction where it is of the output's own
 * block. OWN: x[at] in its place, where that is inside of the signal. */
enum ends { ZERO, CLAMPED, CIRCULAR, NO_FIRST, NO_LAST, WHOLE, WHOLE_TILE, OWN, OWN_ALWAYS };

/* Whether x[i] is of the block of output `at`. */
static bool in_tile(const struct evidence *e, int64_t at, int64_t i)
{
    const int64_t block = e->p->block;
    return block > 0 && i >= 0 && i / block == at / block;
}

static double element(const struct evidence *e, int64_t at, int64_t i, enum ends ends)
{
    if (ends == CLAMPED)
        i = i < 0 ? 0 : i >= e->n ? e->n - 1 : i;
    if (ends == CIRCULAR)
        i = (i % e->n + e->n) % e->n;
    if (ends == NO_FIRST && i == 0)
        return 0;
    if (ends == NO_LAST && i == e->n - 1)
        return 0;
    const bool inside = i >= 0 && i < e->n;
    if ((ends == OWN && inside) || ends == OWN_ALWAYS)
        i = at;
    const double v = i >= 0 && i < e->n ? (double)e->x[i] : 0;
    return ends == WHOLE || (ends == WHOLE_TILE && in_tile(e, at, i)) ? trunc(v) : v;
}

/* A formula that a mistake turns the right one into. */
struct formula {
    int shift;       /* x[i + j + shift] */
    bool flip;       /* w[r - j] */
    int first, last; /* taps left out at the mask's begin and end */
    enum ends ends;
    const char *hint;
};

static double evaluate(const struct evidence *e, const struct formula *f, int64_t i, double *sum)
{
    double y = 0;
    *sum = 0;
    for (int64_t j = -e->r + f->first; j <= e->r - f->last; j++) {
        const double product =
            (double)e->w[f->flip ? e->r - j : e->r + j] * element(e, i, i + j + f->shift, f->ends);
        y += product;
        *sum += fabs(product);
    }
    return y;
}

/* Whether output `at` is what the formula gives. */
static bool gives(const struct evidence *e, const struct formula *f, int64_t at)
{
    const double k = 2 * (double)e->r + 1;
    double sum;
    const double y = evaluate(e, f, at, &sum);
    return fabs((double)e->got[at] - y) <= (k + 1) * 0x1p-24 * sum + k * 0x1p-150;
}

/* Whether all wrong outputs that are listed are what the formula gives, and of all outputs most: a
 * formula that few outputs follow is not what the kernel computes. */
static bool explains(const struct evidence *e, const struct formula *f)
{
    const int64_t step = e->n / SAMPLES + 1;
    int64_t n = 0, given = 0;
    for (int i = 0; i < e->wrong->listed; i++)
        if (!gives(e, f, e->wrong->index[i]))
            return false;
    for (int64_t at = 0; at < e->n; at += step, n++)
        given += gives(e, f, at);
    return 2 * given >= n;
}

static const char *formula_hint(const struct evidence *e)
{
    const int r = (int)e->r;
    const struct formula formulas[] = {
        {0, true, 0, 0, ZERO,
         "equals the mask read backwards, or x[i - j] for x[i + j]: y[i] = sum w[j + r] x[i + j], "
         "the "
         "mask is not flipped"},
        {-r, false, 0, 0, ZERO,
         "equals the outputs mask/2 places before: is y[i] written at i + r, or x read from i - "
         "2r?"},
        {r, false, 0, 0, ZERO,
         "equals the outputs mask/2 places behind: is y[i] written at i - r, or x read from i, not "
         "from i - r?"},
        {-1, false, 0, 0, ZERO, "equals the outputs one place before: an index is off by one"},
        {1, false, 0, 0, ZERO, "equals the outputs one place behind: an index is off by one"},
        {0, false, 0, 1, ZERO,
         "equals the sum without the mask's last tap: j goes to r, inclusive"},
        {0, false, 1, 0, ZERO, "equals the sum without the mask's first tap: j starts at -r"},
        {0, false, 0, 0, CLAMPED,
         "equals a signal that goes on with its last value: x is 0 outside [0, n)"},
        {0, false, 0, 0, CIRCULAR, "equals a signal that is circular: x is 0 outside [0, n)"},
        {0, false, 0, 0, OWN,
         "equals x[i] times the sum of the taps: x is read at i, where i + j belongs"},
        {0, false, 0, 0, OWN_ALWAYS,
         "equals x[i] times the sum of the taps: x is read at i, where i + j belongs"},
        {0, false, 0, 0, NO_FIRST,
         "equals a signal without x[0]: i + j >= 0 is inside, i + j > 0 leaves one out"},
        {0, false, 0, 0, NO_LAST,
         "equals a signal without x[n - 1]: i + j < n is inside, i + j < n - 1 leaves one out"},
        {0, false, 0, 0, WHOLE,
         "equals the sum over x without its fractions: is the tile an array of int?"},
        {0, false, 0, 0, WHOLE_TILE,
         "equals the sum over x without its fractions: is the tile an array of int?"},
    };
    const int first = r > 0 ? 0 : 13; /* one tap: most mistakes change nothing */
    for (size_t i = (size_t)first; i < sizeof formulas / sizeof *formulas; i++)
        if (explains(e, &formulas[i]))
            return formulas[i].hint;
    return NULL;
}

/* Where in blocks of `block` outputs the wrong ones lie. */
struct places {
    bool left, right, inside; /* some in the first r, in the last r, elsewhere */
    bool two;                 /* borders between blocks have wrong ones about them */
};

static struct places look(const struct evidence *e, int64_t block)
{
    struct places p = {false, false, false, e->n <= 2 * block};
    const struct conv1d_wrong *w = e->wrong;
    for (int i = 0; i < w->listed; i++) {
        const int64_t at = w->index[i] % block, border = (w->index[i] + e->r) / block;
        p.left |= at < e->r;
        p.right |= at >= block - e->r;
        p.inside |= at >= e->r && at < block - e->r;
        p.two |= border != (w->index[0] + e->r) / block;
    }
    return p;
}

static bool place_hint(const struct evidence *e, char *hint, size_t size)
{
    int64_t blocks[24];
    int n = 0;
    for (int64_t k = 16; k >= 1 && e->p->block > 0; k /= 2)
        blocks[n++] = k * e->p->block;
    for (int64_t b = 16384; b >= 32; b /= 2)
        blocks[n++] = b;
    for (int i = 0; i < n; i++) {
        if (blocks[i] <= 2 * e->r || blocks[i] >= e->n)
            continue;
        const struct places p = look(e, blocks[i]);
        if (p.inside || !p.two || !(p.left || p.right))
            continue;
        snprintf(hint, size, "only the %s mask/2 outputs of blocks of %lld are wrong: %s",
                 p.left && p.right ? "first and last"
                 : p.left          ? "first"
                                   : "last",
                 (long long)blocks[i],
                 p.left && p.right ? "are both halos loaded, and waited for?"
                 : p.left          ? "the left halo is not loaded, or not waited for"
                                   : "the right halo is not loaded, or not waited for");
        return true;
    }
    return false;
}

static const char *denormal_hint(const struct evidence *e)
{
    for (int i = 0; i < e->wrong->listed; i++)
        if (e->got[e->wrong->index[i]] != 0 || fabs(e->wrong->want[i]) > 0x1p-100)
            return NULL;
    return "denormals became zero: -ffast-math, -Ofast, -ftz=true or --use_fast_math?";
}

/* What operands of 7 to 10 bits make of right outputs. */
static const char *precision_hint(const struct evidence *e)
{
    for (int i = 0; i < e->wrong->listed; i++) {
        const int64_t at = e->wrong->index[i];
        double squares = 0;
        for (int64_t j = -e->r; j <= e->r; j++) {
            const double product = (double)e->w[e->r + j] * element(e, at, at + j, ZERO);
            squares += product * product;
        }
        if (!(fabs((double)e->got[at] - e->wrong->want[i]) <= 0x1p-6 * sqrt(squares)))
            return NULL;
    }
    return "every output is near, but errs more than fp32 does: half, bf16 or TF32 products?";
}

/* Whether no output is wrong but those whose window hangs over an end of the signal. */
static bool only_ends(const struct evidence *e)
{
    for (int i = 0; i < e->wrong->listed; i++)
        if (e->wrong->index[i] >= e->r && e->wrong->index[i] < e->n - e->r)
            return false;
    return true;
}

/* How many outputs from `first` on have none but 0, or next to it, so far before them. */
static uint64_t zeros_before(const struct evidence *e, int64_t first)
{
    uint64_t zeros = 0;
    for (int64_t i = first; i < e->n; i++)
        zeros += fabsf(e->got[i - first]) < 1e-30f;
    return zeros;
}

/* "the first 64 of 1009 outputs ..": what is right where all from `first` on is not. More than a
 * block of them is wrong, so that a last block that is not full is no reason. */
static bool head_hint(const struct evidence *e, char *hint, size_t size)
{
    const struct conv1d_wrong *w = e->wrong;
    const int64_t first = w->index[0], block = (int64_t)e->p->block;
    const bool all = w->wrong == (uint64_t)(e->n - first); /* as many as there are from it on */
    bool kept = all || zeros_before(e, first) == (uint64_t)(e->n - first) - w->wrong;
    if ((!all && !kept) || first == 0 || e->n - first < (block > 0 ? block : first))
        return false;
    for (int i = 0; i < w->listed && kept; i++) {
        const double before = (double)e->got[w->index[i] - first], want = w->want[i] + before;
        kept = fabs((double)e->got[w->index[i]] - want) <= 1e-3 * (fabs(before) + fabs(want));
    }
    if (kept)
        snprintf(hint, size,
                 "equals y[i] with y[i - %lld] in it: a thread's sum goes on from one output to "
                 "its next, and " OP_KEPT,
                 (long long)first);
    else if (all)
        snprintf(hint, size, "only the first %lld of %lld outputs%s are right", (long long)first,
                 (long long)e->n, first == block ? ", one block's," : "");
    return all || kept;
}

/* Hints from the range of the wrong outputs: the signal's ends, a last block that is not full. */
static const char *range_hint(const struct evidence *e)
{
    const struct conv1d_wrong *w = e->wrong;
    const int64_t first = w->index[0], last = w->index[w->listed - 1];
    const bool ends = only_ends(e) && e->n > 2 * e->r;
    bool zero = true;
    for (int i = 0; i < w->listed; i++) /* a part of a float's bytes makes a denormal */
        zero &= fabsf(e->got[w->index[i]]) < 1e-30f;
    if (zero && w->wrong > (uint64_t)e->n / 2)
        return "all outputs are 0: does the loop over the taps run, and is the mask where the "
               "kernel reads it, all of it? Sizes of copies are bytes";
    if (w->wrong > (uint64_t)w->listed || w->wrong == (uint64_t)e->n) /* no place tells more */
        return NULL;
    const bool tail = last == e->n - 1 && (uint64_t)(last - first + 1) == w->wrong;
    if (ends && first >= e->n - e->r)
        return "only the last mask/2 outputs are wrong: what is read there for x[i], i >= n?";
    if (ends && last < e->r)
        return "only the first mask/2 outputs are wrong: what is read there for x[i], i < 0?";
    if (ends)
        return "only the outputs within mask/2 of the ends are wrong: x is 0 outside [0, n)";
    if (tail)
        return "only the last outputs are wrong: n need not be a multiple of a block";
    return NULL;
}

void conv1d_hint(const struct conv1d_problem *p, const void *const in[], const float *got,
                 const struct conv1d_wrong *wrong, char *hint, size_t size)
{
    const struct evidence e = {p, in[CONV1D_X], in[CONV1D_W], got, wrong, (int64_t)p->n, p->radius};
    hint[0] = '\0';
    const bool blank = conv1d_blank(got, wrong);
    if (blank && conv1d_blank_hint(p, got, wrong, hint, size))
        return;
    const char *text = blank ? NULL : conv1d_outside(got, wrong);
    if (!text)
        text = denormal_hint(&e);
    if (!text)
        text = formula_hint(&e);
    if (!text)
        text = precision_hint(&e);
    if (!text && (conv1d_inputs_hint(p, in, got, wrong, hint, size) ||
                  conv1d_tile_hint(p, in, got, wrong, hint, size)))
        return;
    if (!text && (head_hint(&e, hint, size) || (!only_ends(&e) && place_hint(&e, hint, size))))
        return;
    if (!text)
        text = range_hint(&e);
    if (!text && blank)
        conv1d_no_numbers(p, wrong, hint, size);
    if (text)
        snprintf(hint, size, "%s", text);
}
