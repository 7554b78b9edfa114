/* conv1d, trusted side: is a convolution in fp32 right?
 *
 * check: an output of k products, u = 2^-24, must obey
 *     |got - want| <= gamma(k) sum |w| |x| + u |want| + k 2^-150,  gamma(k) = k u / (1 - k u),
 *   for any order of additions (Higham, "Accuracy and Stability of Numerical Algorithms", 3.1); the
 *   last term is what products below the least normal number lose. And since those bounds are
 *   wide, rms((got - want) / sigma) < 4 over all outputs, sigma = u sqrt(k sum w^2 x^2): fp32 errs
 *   by about 0.4, as its errors are random, TF32 and half by over 40.
 *   Every element is checked up to MOST_WORK products, a second or two; beyond that both ends of
 *   the signal, and pieces at places that nobody can foretell; check_quick covers the rest.
 * check_quick: quick.c. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/defence.h"
#include "common/random.h"
#include "common/size.h"
#include "conv1d/op/op.h"

static const double u = 0x1p-24, tiny = 0x1p-150, rms_bound = 4, suspect = 16;
static const double most_work = 0x1p34;
#define SAMPLED_PIECE 256

struct checking {
    struct conv1d_oracle oracle;
    const struct conv1d_problem *p;
    const float *got;
    double k; /* products an output */
    double squares, checked;
    int64_t first; /* the output to report, what it should be, and within what */
    double first_want, first_bound;
    struct conv1d_wrong *wrong;
};

/* Output i is beyond its bound, or far beyond what fp32 errs by, which alone does not make it wrong
 * but says where to look when the rms does. */
static void list(struct checking *c, int64_t i, double want, double bound, bool beyond)
{
    struct conv1d_wrong *w = c->wrong;
    if ((beyond && w->wrong == 0) || w->listed == 0) {
        c->first = i;
        c->first_want = want;
        c->first_bound = bound;
    }
    w->wrong += beyond;
    if (w->listed == CONV1D_LISTED)
        return;
    w->index[w->listed] = i;
    w->want[w->listed++] = want;
}

static double distance(float got, double want)
{
    if (conv1d_finite(got))
        return fabs((double)got - want);
    if (DEFENCE(finite))
        return INFINITY;
    return 0;
}

static bool is_beyond(double off, double bound)
{
    if (DEFENCE(bound))
        return !(off <= bound);
    return off > 1e6 * bound;
}

/* Many small errors of one kind: what is near everywhere, and still not what fp32 errs by. */
static bool rms_right(const struct checking *c)
{
    if (DEFENCE(bound))
        return sqrt(c->squares / c->checked) < rms_bound;
    return true;
}

/* How far output i may be off. */
static double bound_of(const struct checking *c, int64_t i, double want)
{
    return c->k * u / (1 - c->k * u) * conv1d_oracle_magnitude(&c->oracle, i) + u * fabs(want) +
           c->k * tiny;
}

static void check_piece(struct checking *c, int64_t first, int count)
{
    double want[CONV1D_PIECE], squares[CONV1D_PIECE];
    conv1d_oracle_piece(&c->oracle, first, count, want, squares);
    c->checked += count;
    for (int i = 0; i < count; i++) {
        const float got = c->got[first + i];
        const double norm = sqrt(squares[i]), sigma = sqrt(c->k) * (u * norm + tiny);
        const double off = distance(got, want[i]);
        c->squares += off / sigma * (off / sigma);
        if (off <= suspect * sigma && off <= c->k * u * norm) /* norm <= sum |w| |x| */
            continue;
        const double bound = bound_of(c, first + i, want[i]);
        const bool beyond = is_beyond(off, bound);
        if (beyond || off > suspect * sigma)
            list(c, first + i, want[i], beyond ? bound : suspect * sigma, beyond);
    }
}

static void check_range(struct checking *c, int64_t first, int64_t end)
{
    for (int64_t i = first; i < end; i += CONV1D_PIECE)
        check_piece(c, i, (int)(end - i < CONV1D_PIECE ? end - i : CONV1D_PIECE));
}

/* Both ends and pieces in between, at places drawn from the kernel's entropy, in rising order. */
static void check_samples(struct checking *c)
{
    const int64_t n = (int64_t)c->p->n, edge = 2 * (int64_t)c->p->radius + 8 * CONV1D_PIECE;
    const int64_t inner = n - 2 * edge; /* positive, as n is over most_work / CONV1D_MAX_MASK */
    const int64_t pieces = (int64_t)(most_work / 4 / c->k / SAMPLED_PIECE), step = inner / pieces;
    struct hpc_random random;
    hpc_random_init(&random, hpc_random_seed(), 0);
    check_range(c, 0, edge);
    for (int64_t i = 0; i < pieces; i++) {
        const double spare = (double)(step - SAMPLED_PIECE);
        check_piece(c, edge + i * step + (int64_t)(hpc_random_double(&random) * spare),
                    SAMPLED_PIECE);
    }
    check_range(c, n - edge, n);
}

/* "y[1030], output 6 of block 4 where a block has 256". */
static void name_output(const struct conv1d_problem *p, int64_t i, char *text, size_t size)
{
    if (p->block > 0)
        snprintf(text, size, "y[%lld] (%lld in block %lld, of %d threads)", (long long)i,
                 (long long)(i % p->block), (long long)(i / p->block), p->block);
    else
        snprintf(text, size, "y[%lld]", (long long)i);
}

static void explain(struct checking *c, const void *const in[], struct hpc_mismatch *m)
{
    const struct conv1d_wrong *w = c->wrong;
    *m = (struct hpc_mismatch){.array = CONV1D_Y, .wrong = w->wrong};
    if (w->listed > 0) {
        m->index = (size_t)c->first;
        m->got = (double)c->got[c->first];
        m->want = c->first_want;
        m->bound = c->first_bound;
        name_output(c->p, c->first, m->what, sizeof m->what);
        conv1d_hint(c->p, in, c->got, w, m->hint, sizeof m->hint);
        return;
    }
    m->got = sqrt(c->squares / c->checked);
    m->bound = rms_bound;
    snprintf(m->what, sizeof m->what, "rms of (got - want) / sigma over y");
    snprintf(m->hint, sizeof m->hint,
             "every output is near, but errs more than fp32 does: half, bf16 or TF32 products?");
}

static bool conv1d_check(const void *problem, const void *const in[], const void *const out[],
                         bool *admitted, struct hpc_mismatch *m)
{
    const struct conv1d_problem *p = problem;
    struct checking c = {.p = p, .got = out[CONV1D_Y], .k = (double)conv1d_terms(p)};
    *admitted = true;
    if (p->n == 0)
        return true;
    c.wrong = hpc_calloc(1, sizeof *c.wrong);
    conv1d_oracle_open(&c.oracle, p, in);
    const bool all = (double)p->n * c.k <= most_work;
    if (all)
        check_range(&c, 0, (int64_t)p->n);
    else
        check_samples(&c);
    const bool right = c.wrong->wrong == 0 && rms_right(&c);
    if (!right)
        explain(&c, in, m);
    conv1d_oracle_close(&c.oracle);
    free(c.wrong);
    return right && (all || conv1d_check_quick(problem, in, out, m));
}

static void conv1d_expected(const void *problem, const void *const in[], double *const want[],
                            double *const bound[])
{
    const struct conv1d_problem *p = problem;
    struct checking c = {.p = p, .k = (double)conv1d_terms(p)};
    double piece[CONV1D_PIECE], squares[CONV1D_PIECE];
    conv1d_oracle_open(&c.oracle, p, in);
    for (int64_t i = 0; i < (int64_t)p->n; i += CONV1D_PIECE) {
        const int64_t rest = (int64_t)p->n - i, n = rest < CONV1D_PIECE ? rest : CONV1D_PIECE;
        conv1d_oracle_piece(&c.oracle, i, (int)n, piece, squares);
        memcpy(want[CONV1D_Y] + i, piece, (size_t)n * sizeof *piece);
    }
    for (int64_t i = 0; i < (int64_t)p->n; i++)
        bound[CONV1D_Y][i] = bound_of(&c, i, want[CONV1D_Y][i]);
    conv1d_oracle_close(&c.oracle);
}

/* No admit: the outputs are linear in x, so one ulp of it moves them by less than the bounds. */
const struct hpc_op conv1d_op = {
    .name = "conv1d",
    .folder = "conv1d",
    .copy = "conv1d/op/copy.cu",
    .example = "n=1e6 mask=9",
    .keys = conv1d_keys,
    .grows = "n",
    .parse = conv1d_parse,
    .layout = conv1d_layout,
    .generate = conv1d_generate,
    .check = conv1d_check,
    .check_quick = conv1d_check_quick,
    .expected = conv1d_expected,
    .cost = conv1d_cost,
    .simpler = conv1d_simpler,
    .part = conv1d_part,
    .part_keys = "n=600",
    .probe = conv1d_probe,
    .ahead = conv1d_ahead,
    .ahead_in = 1u << CONV1D_X,
    .ahead_out = 1u << CONV1D_Y,
    .ahead_keys = "n=16384",
    .terms = conv1d_asked,
};
