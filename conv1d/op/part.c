/* Which taps a wrong convolution took: the mask that its outputs are made with, by least squares
 * over those whose window lies within the signal. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "common/stats.h"
#include "common/text.h"
#include "conv1d/op/places.h"
#include "common/size.h"
#include "conv1d/op/op.h"

#define REACH 2 /* places beyond the mask's ends that are looked at too */

/* Whether taps[i] = factor * w[i - shift], 0 where that is no tap, for all n places. */
static bool same(int n, const double *taps, int n_w, const float *w, int shift, int step,
                 double factor)
{
    for (int i = 0; i < n; i++) {
        const int at = step > 0 ? i - shift : n_w - 1 - (i - shift);
        const double want = i - shift >= 0 && i - shift < n_w ? factor * (double)w[at] : 0;
        if (!(fabs(taps[i] - want) <= 1e-4 * fmax(1, fabs(factor))))
            return false;
    }
    return true;
}

/* Whether tap i has w[i - shift], those without one 0: a mask that was moved, and cut at its end.
 */
static bool cut(int n, const double *taps, int n_w, const float *w, int shift)
{
    for (int i = 0; i < n; i++) {
        const int at = i - REACH - shift;
        const bool tap = i >= REACH && i < REACH + n_w && at >= 0 && at < n_w;
        if (!(fabs(taps[i] - (tap ? (double)w[at] : 0)) <= 1e-4))
            return false;
    }
    return true;
}

/* The factor by which all taps are off; 0: none. */
static double factor(int n, const double *taps, int n_w, const float *w)
{
    int best = 0;
    for (int i = 1; i < n_w; i++)
        if (fabsf(w[i]) > fabsf(w[best]))
            best = i;
    const double f = taps[REACH + best] / (double)w[best];
    return same(n, taps, n_w, w, REACH, 1, f) ? f : 0;
}

/* "tap j = -3 takes w[3] for w[0], .." where each wrong tap has another one's weight. */
static bool say_others(int n, const double *taps, int n_w, const float *w, char *text, size_t size)
{
    char all[120] = "";
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        const int own = i - REACH;
        const bool tap = own >= 0 && own < n_w;
        int other = 0;
        if (fabs(taps[i] - (tap ? (double)w[own] : 0)) <= 1e-4)
            continue;
        while (tap && other < n_w && !(fabs(taps[i] - (double)w[other]) <= 1e-4))
            other++;
        if (!tap || other == n_w)
            return false;
        if (wrong < 3)
            text_fit(all, sizeof all, "%s%s j = %d takes w[%d] for w[%d]", all, wrong ? "," : "",
                     own - n_w / 2, other, own);
        wrong++;
    }
    if (wrong < 2)
        return false;
    snprintf(text, size, "taps take the weights of others: tap%s%s (%d of %d taps)", all,
             wrong > 3 ? " .." : "", wrong, n_w);
    return true;
}

/* "tap j = -1 is left out", "counts 2 times", "is 0.3, should be 0.5". */
static void say_taps(int n, const double *taps, int n_w, const float *w, char *text, size_t size)
{
    const int r = n_w / 2;
    int wrong = 0, first = -1;
    for (int i = 0; i < n; i++) {
        const double want = i >= REACH && i < REACH + n_w ? (double)w[i - REACH] : 0;
        if (fabs(taps[i] - want) <= 1e-4)
            continue;
        first = first < 0 ? i : first;
        wrong++;
    }
    const int j = first - REACH - r;
    const double want = first >= REACH && first < REACH + n_w ? (double)w[first - REACH] : 0;
    const double ratio = want != 0 ? taps[first] / want : 0;
    char how[128], both[TEXT_DIFFER];
    if (want == 0)
        snprintf(how, sizeof how, "x[i + %d], which is no tap's, is taken %.4g times", j,
                 taps[first]);
    else if (fabs(taps[first]) <= 1e-4)
        snprintf(how, sizeof how, "tap j = %d is left out", j);
    else if (fabs(ratio - round(ratio)) < 1e-3)
        snprintf(how, sizeof how, "tap j = %d counts %.0f times", j, ratio);
    else
        snprintf(how, sizeof how, "tap j = %d is %s", j, text_differ(both, taps[first], want, 4));
    snprintf(text, size,
             "the outputs away from the ends are those of another mask: %s (%d of %d taps "
             "are wrong)",
             how, wrong, n_w);
}

/* How many taps at the mask's end count for nothing, where all before them are right; else 0. */
static int none_from(int n, const double *taps, int n_w, const float *w)
{
    int first = n_w;
    while (first > 0 && fabs(taps[REACH + first - 1]) <= 1e-4)
        first--;
    for (int i = 0; i < n; i++) {
        const bool tap = i >= REACH && i < REACH + first;
        if (!(fabs(taps[i] - (tap ? (double)w[i - REACH] : 0)) <= 1e-4))
            return 0;
    }
    return n_w - first;
}

/* Some of the mask's weights beside each other, at other places perhaps, and no others: more than
 * one is missing, or all are moved. */
static bool say_some(int n, const double *taps, int n_w, const float *w, char *text, size_t size)
{
    int first = 0, end = n;
    while (first < n && fabs(taps[first]) <= 1e-4)
        first++;
    while (end > first && fabs(taps[end - 1]) <= 1e-4)
        end--;
    const int count = end - first, j = first - REACH - n_w / 2;
    if (count < 2 || count >= n_w)
        return false;
    for (int from = 0; from + count <= n_w; from++) {
        bool alike = count < n_w - 1 || from != first - REACH;
        for (int i = 0; i < count && alike; i++)
            alike = fabs(taps[first + i] - (double)w[from + i]) <= 1e-4;
        if (!alike)
            continue;
        snprintf(text, size,
                 "of %d taps only %d count, w[%d] to w[%d], from x[i %c %d] on: a mask has "
                 "2 radius + 1 taps, w[0] beside x[i - radius]",
                 n_w, count, from, from + count - 1, j < 0 ? '-' : '+', abs(j));
        return true;
    }
    return false;
}

static bool say(int n, const double *taps, int n_w, const float *w, char *text, size_t size)
{
    if (same(n, taps, n_w, w, REACH, 1, 1))
        return false;
    const double f = factor(n, taps, n_w, w);
    if (f != 0 && fabs(f * n_w - 1) < 1e-3)
        snprintf(text, size, "all outputs are divided by the number of taps, %d", n_w);
    else if (f != 0 && n_w > 3 && fabs(f * (n_w - 1) - 1) < 1e-3)
        snprintf(text, size,
                 "all outputs are divided by 2 radius, %d, one less than there are taps", n_w - 1);
    else if (f != 0)
        snprintf(text, size, "all outputs are %.4g times what they should be", f);
    else if (same(n, taps, n_w, w, REACH, -1, 1))
        snprintf(text, size,
                 "the mask is read backwards: w[r - j] for w[r + j], or x[i - j] for x[i + j]");
    else {
        for (int shift = -REACH; shift <= REACH; shift++)
            if (shift != 0 && same(n, taps, n_w, w, REACH + shift, 1, 1)) {
                snprintf(text, size, "the window begins %d place%s too far to the %s", abs(shift),
                         abs(shift) == 1 ? "" : "s", shift < 0 ? "left" : "right");
                return true;
            }
        for (int shift = -REACH; shift <= REACH && n_w > 2; shift++)
            if (shift != 0 && cut(n, taps, n_w, w, shift)) {
                snprintf(text, size,
                         "tap i has the weight of tap i %s %d: the mask is moved by %d, and its "
                         "%s lost",
                         shift > 0 ? "-" : "+", abs(shift), abs(shift),
                         shift > 0 ? "end" : "beginning");
                return true;
            }
        const int none = none_from(n, taps, n_w, w);
        if (none > 1)
            snprintf(
                text, size,
                "the last %d of %d taps count for nothing: is all of the mask where the kernel "
                "reads it? Sizes of copies are bytes",
                none, n_w);
        else if (!say_some(n, taps, n_w, w, text, size) && !say_others(n, taps, n_w, w, text, size))
            say_taps(n, taps, n_w, w, text, size);
    }
    return true;
}

/* Blocks whose outputs take something else for what lies outside of them. */
static bool say_tiles(const struct conv1d_problem *p, const void *const in[], const float *y,
                      const double *want, const double *near, char *text, size_t size)
{
    struct conv1d_wrong *wrong = hpc_calloc(1, sizeof *wrong);
    for (size_t i = 0; i < (size_t)p->n && wrong->listed < CONV1D_LISTED; i++)
        if (!(fabs((double)y[i] - want[i]) <= near[i])) {
            wrong->index[wrong->listed] = (int64_t)i;
            wrong->want[wrong->listed++] = want[i];
        }
    const bool said = conv1d_tile_hint(p, in, y, wrong, text, size);
    free(wrong);
    return said;
}

/* The right numbers at other places, in blocks perhaps. */
static bool say_places(const struct conv1d_problem *p, const void *const in[], const float *y,
                       char *text, size_t size)
{
    const size_t n = (size_t)p->n;
    double *got = hpc_malloc(hpc_mul(3 * n, sizeof *got)), *want = got + n, *near = got + 2 * n;
    double squares[CONV1D_PIECE];
    size_t at[3], from[3];
    struct conv1d_oracle oracle;
    conv1d_oracle_open(&oracle, p, in);
    for (size_t i = 0; i < n; i += CONV1D_PIECE)
        conv1d_oracle_piece(&oracle, (int64_t)i, (int)(n - i < CONV1D_PIECE ? n - i : CONV1D_PIECE),
                            want + i, squares);
    for (size_t i = 0; i < n; i++) {
        got[i] = (double)y[i];
        near[i] = 0x1p-22 * conv1d_oracle_magnitude(&oracle, (int64_t)i);
    }
    conv1d_oracle_close(&oracle);
    const bool tiles = say_tiles(p, in, y, want, near, text, size);
    const bool mixed = !tiles && places_mixed(n, got, want, near, at, from);
    free(got);
    if (mixed)
        snprintf(
            text, size,
            "the right numbers stand at wrong places: y[%zu] holds what belongs to y[%zu], y[%zu] "
            "that of y[%zu], y[%zu] that of y[%zu]",
            at[0], from[0], at[1], from[1], at[2], from[2]);
    return tiles || mixed;
}

/* A mask of which no two slips make the same outputs. */
bool conv1d_probe(const void *problem, int number, char *keys, size_t size)
{
    const struct conv1d_problem *p = problem;
    snprintf(keys, size, "n=600 mask=7");
    return number == 0 && p->radius > 0;
}

bool conv1d_part(const void *problem, const void *const in[], const void *const out[], char *text,
                 size_t size)
{
    const struct conv1d_problem *p = problem;
    const int n_w = 2 * p->radius + 1, n = n_w + 2 * REACH, half = n / 2;
    const float *x = in[CONV1D_X], *w = in[CONV1D_W], *y = out[CONV1D_Y];
    if (n > FIT_MAX || p->n < (uint64_t)(4 * n) || p->n > 100000)
        return false;
    struct fit f;
    double row[FIT_MAX], taps[FIT_MAX], left = 1;
    fit_open(&f, n);
    for (int i = half; i < (int)p->n - half; i++) {
        for (int j = 0; j < n; j++)
            row[j] = (double)x[i - half + j];
        if (!conv1d_finite(y[i]))
            break;
        fit_add(&f, row, (double)y[i]);
    }
    const bool known = fit_solve(&f, taps, &left) && left < 1e-5;
    fit_close(&f);
    bool any = false;
    for (int i = 0; known && i < n; i++)
        any |= fabs(taps[i]) > 1e-4;
    if (known && !any) /* zeros are no mask's */
        return false;
    if (!known)
        return say_places(p, in, y, text, size);
    return say(n, taps, n_w, w, text, size);
}
