/* Which elements of x stand for those of other blocks, where outputs are right but for that: the
 * output of a block whose window reaches just one element over its border says what was read there.
 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/text.h"
#include "conv1d/op/op.h"

#define BORDER_NEAR 1e-4
#define BORDERS     4 /* that are looked at; the least number is LEAST */
#define LEAST       3

/* What is read for x[at] in the block that begins at `begin`: x[at + by], or without the block's
 * begin, x[at - begin + by]. */
struct reading {
    bool known, without_begin;
    int64_t by;
};

struct borders {
    const struct conv1d_problem *p;
    const float *x, *w, *got;
    int64_t block;
};

static int64_t place(const struct reading *r, int64_t begin, int64_t at)
{
    return (r->without_begin ? at - begin : at) + r->by;
}

/* What stands for x[at] in y[i], if all else is right; *near: how exactly. */
static double read_for(const struct borders *b, int64_t i, int64_t at, double *near)
{
    const int64_t r = b->p->radius;
    double sum = (double)b->got[i], size = 0;
    for (int64_t j = -r; j <= r; j++) {
        const double term = (double)b->w[j + r] * (double)b->x[i + j];
        size += fabs(term);
        sum -= i + j == at ? 0 : term;
    }
    const double weight = (double)b->w[at - i + r];
    *near = BORDER_NEAR + 1e-6 * size / fabs(weight);
    return sum / weight;
}

/* Whether all borders on this side were read so, and none of them as it should be. */
static bool holds(const struct borders *b, bool behind, const struct reading *how)
{
    const int64_t n = (int64_t)b->p->n, r = b->p->radius;
    int seen = 0;
    for (int64_t k = 1; k <= BORDERS && (k + 2) * b->block <= n; k++) {
        const int64_t begin = k * b->block, at = behind ? begin + b->block : begin - 1;
        const int64_t i = behind ? at - r : at + r, from = place(how, begin, at);
        double near;
        const double value = read_for(b, i, at, &near);
        if (from < 0 || from >= n || !(fabs(value - (double)b->x[from]) <= near))
            return false;
        seen++;
    }
    return seen >= LEAST;
}

static struct reading find(const struct borders *b, bool behind)
{
    const int64_t n = (int64_t)b->p->n;
    struct reading how = {true, false, 0};
    if (holds(b, behind, &how))
        return how;
    for (how.by = -2 * b->block; how.by <= 2 * b->block; how.by++)
        if (holds(b, behind, &how))
            return how;
    how.without_begin = true;
    for (how.by = -b->block; how.by < n - b->block; how.by++)
        if (holds(b, behind, &how))
            return how;
    how.known = false;
    return how;
}

/* Whether every wrong output comes of these readings, as far as they lie in x. */
static bool explains(const struct borders *b, const struct conv1d_wrong *wrong,
                     const struct reading *before, const struct reading *behind)
{
    const int64_t n = (int64_t)b->p->n, r = b->p->radius;
    for (int k = 0; k < wrong->listed; k++) {
        const int64_t i = wrong->index[k], begin = i / b->block * b->block;
        double sum = 0, size = 0;
        bool known = true;
        for (int64_t at = i - r; at <= i + r; at++) {
            const bool own = at >= begin && at < begin + b->block;
            int64_t from = at;
            if (at < 0 || at >= n)
                continue;
            if (!own)
                from = place(at < begin ? before : behind, begin, at);
            known &= from >= 0 && from < n;
            const double term = known ? (double)b->w[at - i + r] * (double)b->x[from] : 0;
            sum += term;
            size += fabs(term);
        }
        if (known && !(fabs((double)b->got[i] - sum) <= 1e-5 * size))
            return false;
    }
    return true;
}

static void name(const struct reading *r, char *text, size_t size)
{
    char by[30] = "";
    if (r->by)
        snprintf(by, sizeof by, " %c %lld", r->by < 0 ? '-' : '+', llabs((long long)r->by));
    snprintf(text, size, "x[i + j%s%s]", r->without_begin ? " - begin" : "", by);
}

bool conv1d_border_hint(const struct conv1d_problem *p, const void *const in[], const float *got,
                        const struct conv1d_wrong *wrong, int64_t block, char *hint, size_t size)
{
    const struct borders b = {p, in[CONV1D_X], in[CONV1D_W], got, block};
    char first[60], second[60];
    if (p->radius < 1 || 2 * (int64_t)p->radius > block)
        return false;
    const struct reading before = find(&b, false), behind = find(&b, true);
    const bool left = before.without_begin || before.by, right = behind.without_begin || behind.by;
    if (!before.known || !behind.known || !(left || right) ||
        !explains(&b, wrong, &before, &behind))
        return false;
    name(&before, first, sizeof first);
    name(&behind, second, sizeof second);
    text_fit(hint, size, "equals sums that take, in blocks of %lld, %s%s%s%s%s for x[i + j]%s",
             (long long)block, left ? first : second, left ? " in the blocks before" : "",
             left && right ? ", and " : "", left && right ? second : "",
             right ? " in those behind," : "",
             before.without_begin || behind.without_begin ? " (begin: the block's first output)"
                                                          : "");
    return true;
}
