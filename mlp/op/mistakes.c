/* Training with one usual mistake in it: where a wrong result equals what such a mistake gives,
 * the student is told which. And what a merge of ranks has made of their weights. */
#include <float.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/size.h"
#include "common/text.h"
#include "mlp/op/emulate.h"
#include "mlp/op/op.h"
#include "mlp/op/part.h"

static const char *const hints[MLP_MISTAKES] = {
#define MISTAKE(name, words) [MLP_##name] = words,
#include "mlp/op/mistakes.def"
#undef MISTAKE
};

/* To what has no end nothing is near. */
static bool near(double a, double b)
{
    return fabs(b) <= DBL_MAX && fabs(a - b) <= 1e-9 * fmax(1, fabs(b));
}

static bool all_near(size_t n, const double *got, const double *w)
{
    size_t close = 0;
    for (size_t i = 0; i < n; i++)
        close += near(got[i], w[i]);
    return close == n;
}

/* Right training of another problem: an epoch more, or from a part of the start weights. */
static const char *other_run(const struct mlp_problem *p, const double *const in[],
                             const int32_t *order, const double *got)
{
    const size_t n = mlp_weights(p);
    const struct {
        size_t bytes;
        const char *words;
    } copies[] = {
        {n * sizeof(float),
         "equals training from the first half of w0, and 0 in place of the rest: does a copy "
         "count its bytes by sizeof(float), where w0 has doubles?"},
        {n, "equals training from the first eighth of w0, and 0 in place of the rest: is a copy's "
            "size the number of weights, where it counts bytes?"},
        {sizeof(double *),
         "equals training from the first weight of w0, and 0 in place of the rest: is a copy's "
         "size that of a pointer, where it should be all weights' bytes?"},
        {0, "equals training from weights that are all 0: is in[MLP_W0] copied to where the "
            "training begins?"},
    };
    double *w = hpc_malloc(2 * n * sizeof *w), *w0 = w + n;
    struct mlp_problem more = *p;
    const char *hint = NULL;
    more.epochs++;
    mlp_emulate(&more, in[MLP_X], in[MLP_Y], order, in[MLP_W0], in[MLP_RATES], w);
    if (all_near(n, got, w))
        hint = "equals one epoch more than there are: a loop from 0 ends with epoch < epochs";
    for (size_t i = 0; !hint && i < sizeof copies / sizeof *copies; i++) {
        memset(w0, 0, n * sizeof *w0);
        memcpy(w0, in[MLP_W0], copies[i].bytes);
        mlp_emulate(p, in[MLP_X], in[MLP_Y], order, w0, in[MLP_RATES], w);
        hint = all_near(n, got, w) ? copies[i].words : NULL;
    }
    free(w);
    return hint;
}

#define MOST_WORK 5e7 /* weights that all mistakes' updates visit: seconds */

const char *mlp_sgd_mistake(const struct mlp_problem *p, const double *const in[],
                            const int32_t *order, const double *got)
{
    const size_t n = mlp_weights(p);
    if ((double)n * p->epochs * p->samples * MLP_MISTAKES > MOST_WORK) /* another case tells it */
        return NULL;
    double *w = hpc_malloc(n * sizeof *w);
    const char *hint = NULL;
    const int end = p->replicas > 1 ? MLP_MISTAKES : MLP_OVER_TWO;
    for (int m = MLP_RIGHT + 1; p->networks == 1 && !hint && m < end; m++) {
        mlp_emulate_mistake(p, (enum mlp_mistake)m, in[MLP_X], in[MLP_Y], order, in[MLP_W0],
                            in[MLP_RATES], w);
        hint = all_near(n, got, w) ? hints[m] : NULL;
    }
    free(w);
    return hint || p->networks > 1 ? hint : other_run(p, in, order, got);
}

/* ---- ranks: what a merge has made of their weights ------------------------------------------- */

#define COUNTS 3   /* a rank's weight is left out of a sum, or is in it once or twice */
#define SUMS   162 /* COUNTS to the power of MLP_MAX_RANKS, divided by the ranks or not */

struct merged {
    int ranks, sums;
    size_t n;
    const double *w; /* [ranks][n]: before the merge */
    const double *const *got;
};

/* How often sum number `sum` has rank r's weight. */
static int times(int sum, int r)
{
    sum /= 2;
    for (; r > 0; r--)
        sum /= COUNTS;
    return sum % COUNTS;
}

static bool divided(int sum)
{
    return sum % 2;
}

static double value(const struct merged *m, int sum, size_t i)
{
    double v = 0;
    for (int r = 0; r < m->ranks; r++)
        v += times(sum, r) * m->w[(size_t)r * m->n + i];
    return divided(sum) ? v / m->ranks : v;
}

/* The sum that has the weights of one rank, or of all where that is -1. */
static int sum_of(const struct merged *m, int rank, bool over)
{
    int sum = 0;
    for (int r = m->ranks - 1; r >= 0; r--)
        sum = sum * COUNTS + (rank < 0 || rank == r);
    return 2 * sum + over;
}

/* Weights of a rank from `first` on that are the same sum, the longest run: how many, and which. */
static size_t run_of(const struct merged *m, int rank, size_t first, int *sum)
{
    const int all = sum_of(m, -1, true), own = sum_of(m, rank, false);
    bool fits[SUMS] = {false};
    size_t end = first;
    for (int s = 0; s < m->sums; s++)
        fits[s] = s > 1; /* 0 is no sum */
    for (; end < m->n; end++) {
        bool next[SUMS] = {false}, any = false;
        for (int s = 0; s < m->sums; s++) {
            next[s] = fits[s] && near(m->got[rank][end], value(m, s, end));
            any |= next[s];
        }
        if (!any)
            break;
        memcpy(fits, next, sizeof fits);
    }
    *sum = fits[all] ? all : own;
    for (int s = 2; s < m->sums && !fits[*sum]; s++)
        *sum = s;
    return end - first;
}

/* "(w0 + 2 w1) / 4" */
static const char *formula(const struct merged *m, int sum, char *text, size_t size)
{
    int terms = 0;
    text[0] = '\0';
    for (int r = 0; r < m->ranks; r++) {
        const int often = times(sum, r);
        if (often > 0)
            text_fit(text, size, "%s%s%sw%d", text, terms++ ? " + " : "", often > 1 ? "2 " : "", r);
    }
    if (divided(sum) && terms > 1)
        text_fit(text, size, "(%s) / %d", text, m->ranks);
    else if (divided(sum))
        text_fit(text, size, "%s / %d", text, m->ranks);
    return text;
}

/* What all the sums that are wrong have in common. */
enum fault { NO_FAULT, ALONE, NOT_DIVIDED, LEFT_OUT, TWICE, SEVERAL };

static enum fault fault_of(const struct merged *m, int rank, int sum)
{
    int out = 0, twice = 0;
    for (int r = 0; r < m->ranks; r++) {
        out += times(sum, r) == 0;
        twice += times(sum, r) > 1;
    }
    return twice                                     ? TWICE
           : out == m->ranks - 1 && times(sum, rank) ? ALONE
           : out                                     ? LEFT_OUT
           : divided(sum)                            ? NO_FAULT
                                                     : NOT_DIVIDED;
}

/* "divides by 13", or "by 1, 2, 3", where one number a rank explains all. */
static bool say_divisor(const struct mlp_problem *p, const struct merged *m, char *text,
                        size_t size)
{
    const int sum = sum_of(m, -1, false);
    double by = 0, first = value(m, sum, 0) / m->got[0][0];
    bool same = true;
    char list[100] = "";
    for (int r = 0; r < m->ranks; r++) {
        by = value(m, sum, 0) / m->got[r][0];
        same &= near(by, first);
        text_fit(list, sizeof list, "%s%s%.6g on rank %d", list, r ? ", " : "", by, r);
        for (size_t i = 0; i < m->n; i++)
            if (!(fabs(by) <= DBL_MAX) || !near(m->got[r][i], value(m, sum, i) / by))
                return false;
    }
    if (same)
        text_fit(list, sizeof list, "%.6g", by);
    text_fit(text, size,
             "equals a merge that divides the sum of all ranks' weights by %s%s: it is divided by "
             "%d, their number",
             list, same && near(by, p->samples) ? ", which is the number of samples" : "",
             m->ranks);
    return true;
}

/* Where some weights are the mean on all ranks, and others no sum that is known: which. */
static bool say_right(const struct merged *m, char *text, size_t size)
{
    const int mean = sum_of(m, -1, true);
    size_t first = m->n, last = 0, right = 0;
    for (size_t i = 0; i < m->n; i++) {
        int ranks = 0;
        while (ranks < m->ranks && near(m->got[ranks][i], value(m, mean, i)))
            ranks++;
        if (ranks == m->ranks) {
            first = right++ ? first : i;
            last = i;
        }
    }
    if (right == 0 || right == m->n || last - first + 1 != right)
        return false;
    text_fit(text, size,
             "after one merge weights %zu to %zu of %zu are right on all ranks, and no others: the "
             "index of the other pieces, or of what lies in the buffer that they come in",
             first, last, m->n);
    return true;
}

static enum fault both(enum fault a, enum fault b)
{
    const bool out = (a == ALONE || a == LEFT_OUT) && (b == ALONE || b == LEFT_OUT);
    return a == NO_FAULT || a == b ? b : out ? LEFT_OUT : SEVERAL;
}

static bool say_runs(const struct merged *m, char *text, size_t size)
{
    static const char *const why[] = {
        [ALONE] = ": no other rank's are added",
        [NOT_DIVIDED] = ": the sum is not divided",
        [LEFT_OUT] = ": ranks are left out of the sum, or it does not come to this rank",
        [TWICE] = ": a rank's are added twice",
        [SEVERAL] = "",
    };
    char first[200] = "", is[60], should[60];
    enum fault fault = NO_FAULT;
    size_t wrong = 0, length;
    for (int r = 0; r < m->ranks; r++)
        for (size_t i = 0; i < m->n; i += length) {
            int sum;
            length = run_of(m, r, i, &sum);
            const enum fault one = fault_of(m, r, sum);
            if (length == 0)
                return false;
            if (one == NO_FAULT)
                continue;
            if (wrong == 0)
                text_fit(first, sizeof first, "weights %zu to %zu of %zu on rank %d are %s", i,
                         i + length - 1, m->n, r, formula(m, sum, is, sizeof is));
            fault = both(fault, one);
            wrong += length;
        }
    if (wrong > 0)
        text_fit(
            text, size,
            "after one merge %s, should be %s (wK: rank K's before it)%s; so %zu of %zu on all "
            "ranks are wrong",
            first, formula(m, sum_of(m, -1, true), should, sizeof should), why[fault], wrong,
            m->n * (size_t)m->ranks);
    return wrong > 0;
}

bool part_ranks(const struct mlp_problem *p, const double *const in[], const int32_t *order,
                const double *const got[], char *text, size_t size)
{
    const size_t n = mlp_weights(p);
    if (p->replicas < 1 || p->epochs < 1 || p->epochs > p->merge_every || p->samples < p->replicas)
        return false;
    double *w = hpc_malloc(hpc_mul((size_t)p->replicas * n, sizeof *w));
    struct merged m = {.ranks = p->replicas, .sums = 2, .n = n, .w = w, .got = got};
    for (int r = 0; r < p->replicas; r++) {
        m.sums *= COUNTS;
        part_replica(p, r, in, order, w + (size_t)r * n);
    }
    const bool known = say_runs(&m, text, size) || say_divisor(p, &m, text, size) ||
                       say_right(&m, text, size) || part_shares(m.ranks, n, w, got, text, size);
    free(w);
    return known;
}
