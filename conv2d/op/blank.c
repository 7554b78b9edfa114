/* Outputs of conv2d or convpool that are no numbers: whether nobody wrote them, or what they were
 * computed from. */
#include <stdio.h>

#include "common/noise.h"
#include "conv2d/op/op.h"

enum { IMAGE, FILTER, ROW, COLUMN, DIMENSIONS };

/* The wrong outputs. */
struct blank {
    size_t wrong, at_edge;
    enum hpc_noise noise;  /* of all of them; NONE where they differ */
    int first[DIMENSIONS]; /* the least index that one of them has */
};

/* Whether the output's element reaches over the map's edge. */
bool conv_at_edge(const struct convpool_problem *p, int u, int v)
{
    const struct conv2d_problem *q = &p->conv;
    const int top = u * p->pool * q->stride - q->pad, left = v * p->pool * q->stride - q->pad;
    const int bottom = top + (p->pool - 1) * q->stride + q->r;
    const int right = left + (p->pool - 1) * q->stride + q->s;
    return top < 0 || left < 0 || bottom > q->h || right > q->w;
}

static void count(struct blank *b, const struct convpool_problem *p, const int at[], double got)
{
    const enum hpc_noise noise = hpc_noise_of((float)got);
    b->noise = b->wrong == 0 || b->noise == noise ? noise : HPC_NOISE_NONE;
    b->at_edge += conv_at_edge(p, at[ROW], at[COLUMN]);
    for (int d = 0; d < DIMENSIONS; d++)
        b->first[d] = b->wrong == 0 || at[d] < b->first[d] ? at[d] : b->first[d];
    b->wrong++;
}

/* False where an output is wrong that is a number. */
static bool look(struct blank *b, const struct convpool_problem *p, const double *got,
                 const struct conv_sums *want)
{
    int at[DIMENSIONS];
    for (at[IMAGE] = 0; at[IMAGE] < p->conv.n; at[IMAGE]++)
        for (at[FILTER] = 0; at[FILTER] < p->conv.k; at[FILTER]++)
            for (at[ROW] = 0; at[ROW] < convpool_rows(p); at[ROW]++)
                for (at[COLUMN] = 0; at[COLUMN] < convpool_columns(p); at[COLUMN]++) {
                    const size_t i = conv_y_index(p, at[IMAGE], at[FILTER], at[ROW], at[COLUMN]);
                    if (got[i] != got[i])
                        count(b, p, at, got[i]);
                    else if (!conv_near(p, got[i], want->y[i], want->absolute[i]))
                        return false;
                }
    return b->wrong > 0;
}

/* ", all from column 16 on,", where that is just the wrong ones. */
static void say_from(const struct blank *b, const struct convpool_problem *p, char *text,
                     size_t size)
{
    static const char *const names[] = {"image", "filter", "row", "column"};
    const int sizes[] = {p->conv.n, p->conv.k, convpool_rows(p), convpool_columns(p)};
    const size_t all = convpool_y_count(p);
    text[0] = '\0';
    for (int d = 0; d < DIMENSIONS; d++) {
        const size_t behind = all / (size_t)sizes[d] * (size_t)(sizes[d] - b->first[d]);
        if (b->first[d] > 0 && behind == b->wrong)
            snprintf(text, size, ", all from %s %d on,", names[d], b->first[d]);
    }
}

bool conv_blank_hint(const struct convpool_problem *p, const double *got,
                     const struct conv_sums *want, char *hint, size_t size)
{
    struct blank b = {.wrong = 0};
    char from[60];
    if (!look(&b, p, got, want) || b.noise == HPC_NOISE_NONE)
        return false;
    say_from(&b, p, from, sizeof from);
    if (b.noise == HPC_NOISE_INPUT && b.wrong == b.at_edge && b.wrong < want->count)
        snprintf(hint, size,
                 "%zu of %zu elements, whose window reaches over the map's edge, are computed from "
                 "what lies outside of x: it counts as 0 there",
                 b.wrong, want->count);
    else if (b.noise == HPC_NOISE_INPUT)
        snprintf(hint, size,
                 "%zu of %zu elements%s are computed from what lies outside of x, or of the "
                 "filters",
                 b.wrong, want->count, from);
    else if (b.wrong == want->count)
        snprintf(hint, size,
                 "no element was written, or each is added to what y held: was a kernel launched? "
                 "Is beta of a library's call 0?");
    else
        snprintf(hint, size,
                 "%zu of %zu elements%s were never written, or are added to what y held, all "
                 "others are right: does the grid cover all of y?",
                 b.wrong, want->count, from);
    return true;
}

bool conv_zeros_hint(const struct convpool_problem *p, const double *got,
                     const struct conv_sums *want, char *hint, size_t size)
{
    const size_t plane = (size_t)convpool_rows(p) * (size_t)convpool_columns(p);
    size_t wrong = 0, from = plane;
    for (size_t i = 0; i < want->count; i++) {
        if (conv_near(p, got[i], want->y[i], want->absolute[i]))
            continue;
        if (got[i] != 0)
            return false;
        from = i % plane < from ? i % plane : from;
        wrong++;
    }
    if (p->conv.layout != CONV_NCHW || wrong == 0 || from == 0 ||
        10 * wrong < 9 * (want->count / plane * (plane - from))) /* some may have to be near 0 */
        return false;
    snprintf(hint, size,
             "of each map only the first %zu of %zu outputs are computed, all from row %zu, column "
             "%zu on are 0: does the grid of each kernel, rounded up, cover all that it has to "
             "write?",
             from, plane, from / (size_t)convpool_columns(p), from % (size_t)convpool_columns(p));
    return true;
}
