/* Outputs of conv2d or convpool that hold what belongs to others: a result that is stored where
 * another one should be. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/noise.h"
#include "common/size.h"
#include "common/text.h"
#include "conv2d/op/op.h"

enum { LEAST = 6 }; /* so many do not fit by chance */

struct at {
    int n, k, u, v;
};

struct value {
    double y;
    size_t i;
};

static int by_value(const void *a, const void *b)
{
    const struct value *one = a, *two = b;
    return (one->y > two->y) - (one->y < two->y);
}

static struct at at_of(const struct convpool_problem *p, size_t i)
{
    const size_t rows = (size_t)convpool_rows(p), columns = (size_t)convpool_columns(p);
    const size_t filters = (size_t)p->conv.k, plane = rows * columns;
    const bool nchw = p->conv.layout == CONV_NCHW;
    const size_t rest = i % (filters * plane), pixel = nchw ? rest % plane : rest / filters;
    return (struct at){.n = (int)(i / (filters * plane)),
                       .k = (int)(nchw ? rest / plane : rest % filters),
                       .u = (int)(pixel / columns),
                       .v = (int)(pixel % columns)};
}

/* Whose value it is, of those sorted; count: of nobody. */
static size_t owner(const struct convpool_problem *p, const struct conv_sums *want,
                    const struct value *sorted, double got)
{
    size_t low = 0, high = want->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (sorted[middle].y < got)
            low = middle + 1;
        else
            high = middle;
    }
    for (size_t i = low > 0 ? low - 1 : 0; i <= low && i < want->count; i++)
        if (conv_near(p, got, sorted[i].y, want->absolute[sorted[i].i]))
            return sorted[i].i;
    return want->count;
}

/* "image 0, filter 1", with row and column where they differ too. */
static const char *name(struct at a, bool whole, char *text, size_t size)
{
    snprintf(text, size, "image %d, filter %d", a.n, a.k);
    if (whole)
        text_fit(text, size, "%s, row %d, column %d", text, a.u, a.v);
    return text;
}

/* What is stored at another place is missing at its own. What has come to its own, too, was
 * computed twice: the second time from what should not have been read. */
static void moved_words(bool twice, const char *to, const char *of_other, char *hint, size_t size)
{
    if (twice)
        snprintf(hint, size,
                 "%s has what belongs to %s, which has it, too: is it computed from a wrong place "
                 "of the input? Every wrong value is another place's",
                 to, of_other);
    else
        snprintf(hint, size, "equals y stored at other places: %s has what belongs to %s", to,
                 of_other);
}

bool conv_moved_hint(const struct convpool_problem *p, const double *got,
                     const struct conv_sums *want, char *hint, size_t size)
{
    struct value *sorted = hpc_malloc(hpc_mul(want->count + 1, sizeof *sorted));
    size_t moved = 0, blank = 0, lost = 0, first = 0, from = 0, aside = 0, copies = 0, zeros = 0;
    char to[80], of_other[80];
    for (size_t i = 0; i < want->count; i++)
        sorted[i] = (struct value){want->y[i], i};
    qsort(sorted, want->count, sizeof *sorted, by_value);
    for (size_t i = 0; i < want->count && lost == 0; i++) {
        if (conv_near(p, got[i], want->y[i], want->absolute[i]))
            continue;
        const size_t of = got[i] == got[i] ? owner(p, want, sorted, got[i]) : want->count;
        blank += hpc_noise_of((float)got[i]) != HPC_NOISE_NONE;
        if (of == want->count) {
            lost += hpc_noise_of((float)got[i]) == HPC_NOISE_NONE;
            continue;
        }
        const struct at a = at_of(p, i), b = at_of(p, of);
        aside += a.u != b.u || a.v != b.v;
        zeros += got[i] == 0; /* which is many's value, where windows are of zeros or sums cancel */
        copies += conv_near(p, got[of], want->y[of], want->absolute[of]);
        if (moved++ == 0) {
            first = i;
            from = of;
        }
    }
    free(sorted);
    if (lost > 0 || moved < LEAST || zeros == moved)
        return false;
    const struct at here = at_of(p, first), there = at_of(p, from);
    const bool whole = 10 * aside > moved; /* a few have a value that others have too */
    name(here, whole, to, sizeof to);
    name(there, whole, of_other, sizeof of_other);
    if (copies == moved && !whole)
        snprintf(
            hint, size,
            "equals y with copies: %s has what belongs to %s, which has it too: is the index in "
            "an input without the %s's number?",
            to, of_other, here.n != there.n ? "image" : "filter");
    else
        moved_words(4 * copies >= moved, to, of_other, hint, size);
    if (blank > 0)
        text_fit(hint, size, "%s; %zu elements are never written", hint, blank);
    return true;
}
