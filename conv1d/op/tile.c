/* Outputs that are right but for what they take in place of x outside their own block, as where a
 * tile is loaded without its halo; or for a block's first or last element. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/text.h"
#include "conv1d/op/op.h"

#define TILE_NEAR 1e-5 /* of the size of an output's products */
#define FEW_WRONG 3    /* fewer outputs fit by chance */

/* What stands for x[at] in the sum of y[i] where `at` lies in another block; or which elements are
 * left out, by the outputs of their own block or by all. */
enum beyond {
    NO_FIRST,
    NO_LAST,
    NO_FIRST_AT_ALL,
    NO_LAST_AT_ALL,
    OWN,
    EDGE,
    WRAPPED,
    BEFORE_ZERO,
    BEHIND_ZERO,
    BOTH_ZERO,
    OWN_TWICE,
    BEYONDS
};

static double taken(const struct conv1d_problem *p, const float *x, enum beyond how, int64_t block,
                    int64_t i, int64_t at)
{
    const int64_t n = (int64_t)p->n, begin = i / block * block, end = begin + block;
    const int64_t k = ((at - begin) % block + block) % block;
    const bool first = at % block == 0, last = at % block == block - 1,
               own = at / block == i / block;
    if ((how == NO_FIRST && first && own) || (how == NO_FIRST_AT_ALL && first) ||
        (how == NO_LAST && last && own) || (how == NO_LAST_AT_ALL && last))
        return 0;
    if (how == OWN_TWICE && at >= 0 && at < n)
        return (own ? 2 : 1) * (double)x[at];
    if (how < OWN || at < 0 || at >= n || (at >= begin && at < end))
        return at < 0 || at >= n ? 0 : (double)x[at];
    switch (how) {
    case OWN:
        return (double)x[i];
    case EDGE:
        return (double)x[at < begin ? begin : end - 1 < n ? end - 1 : n - 1];
    case WRAPPED:
        return begin + k < n ? (double)x[begin + k] : 0;
    case BEFORE_ZERO:
        return at < begin ? 0 : (double)x[at];
    case BEHIND_ZERO:
        return at < begin ? (double)x[at] : 0;
    default:
        return 0;
    }
}

static bool explains(const struct conv1d_problem *p, const void *const in[], const float *got,
                     const struct conv1d_wrong *wrong, enum beyond how, int64_t block)
{
    const float *x = in[CONV1D_X], *w = in[CONV1D_W];
    for (int k = 0; k < wrong->listed; k++) {
        const int64_t i = wrong->index[k];
        double sum = 0, size = 0;
        for (int64_t j = -p->radius; j <= p->radius; j++) {
            const double term = (double)w[j + p->radius] * taken(p, x, how, block, i, i + j);
            sum += term;
            size += fabs(term);
        }
        if (!(fabs((double)got[i] - sum) <= TILE_NEAR * size))
            return false;
    }
    return true;
}

static bool beyond_hint(const struct conv1d_problem *p, const void *const in[], const float *got,
                        const struct conv1d_wrong *wrong, int64_t block, char *hint, size_t size)
{
    static const char *const words[BEYONDS] = {
        [NO_FIRST] = "first",
        [NO_LAST] = "last",
        [NO_FIRST_AT_ALL] = "first",
        [NO_LAST_AT_ALL] = "last",
        [OWN] = "x[i] where x[i + j] lies in another block: what is read beside the tile?",
        [EDGE] = "the block's own first or last element for what lies in another block: its halo "
                 "is x's",
        [WRAPPED] = "the block's own elements from its other end for what lies in another block: "
                    "its halo is x's",
        [BOTH_ZERO] = "0 for what lies in another block: both halos are x's",
        [BEFORE_ZERO] = "0 for what lies in the block before: the left halo is x's",
        [BEHIND_ZERO] = "0 for what lies in the block behind: the right halo is x's",
        [OWN_TWICE] = "the block's own elements twice: what the tile has is added from x, too"};
    for (int how = NO_FIRST; how < BEYONDS; how++)
        if (explains(p, in, got, wrong, (enum beyond)how, block)) {
            if (how < OWN)
                snprintf(
                    hint, size,
                    "equals sums without the %s element of each block of %lld: an index of the "
                    "tile is inside from 0 to %lld, both of them too",
                    words[how], (long long)block, (long long)block - 1);
            else
                snprintf(hint, size, "equals sums with, in blocks of %lld, %s", (long long)block,
                         words[how]);
            return true;
        }
    return false;
}

#define MOST_OUTPUTS 16 /* of a thread */

/* Whether of each so many outputs the first is right and all others are wrong, as of a thread that
 * computes several beside each other: how many. */
static bool first_right(const struct conv1d_problem *p, const struct conv1d_wrong *wrong,
                        char *hint, size_t size)
{
    const int64_t n = (int64_t)p->n;
    for (int64_t each = 2; each <= MOST_OUTPUTS; each++) {
        const int64_t others = n - (n + each - 1) / each;
        int first = 0;
        for (int k = 0; k < wrong->listed; k++)
            first += wrong->index[k] % each == 0;
        /* some are 0 whatever is computed, where x is */
        if (first > 0 || (double)wrong->wrong < 0.8 * (double)others || n < 4 * each)
            continue;
        snprintf(hint, size,
                 "y[i] is right where i %% %lld is 0 and nowhere else: of the %lld outputs that a "
                 "thread has the first is right, the others take x or the mask from elsewhere",
                 (long long)each, (long long)each);
        return true;
    }
    return false;
}

bool conv1d_tile_hint(const struct conv1d_problem *p, const void *const in[], const float *got,
                      const struct conv1d_wrong *wrong, char *hint, size_t size)
{
    const int64_t n = (int64_t)p->n;
    int64_t block = p->block > 0 ? 16 * (int64_t)p->block : 16384;
    const int64_t least = p->block > 0 ? p->block : 32;
    if (wrong->listed < FEW_WRONG || (double)wrong->listed * p->radius > 1e6)
        return false;
    for (; block >= least; block /= 2) /* blocks of less explain what those of more do */
        if (block < n && (beyond_hint(p, in, got, wrong, block, hint, size) ||
                          conv1d_border_hint(p, in, got, wrong, block, hint, size)))
            return true;
    return first_right(p, wrong, hint, size);
}
