/* The oracle of conv1d: outputs in double, and the sums of squared products that their errors are
 * measured by, a piece at a time.
 *
 * A piece of x and its halo are widened once, and squared; then a tile of TILE outputs stays in
 * registers for the whole walk along the mask. The body is compiled twice, for any processor and
 * for AVX2 with FMA. About 4 products a cycle: 10^8 outputs of 31 taps take a quarter of a second
 * to half a second on one core. */
#include "conv1d/op/op.h"

#include <stdlib.h>
#include <string.h>

#include "common/size.h"

#define LANES 4
#define TILE  16 /* CONV1D_PIECE is a multiple of it */

typedef double vec __attribute__((vector_size(LANES * sizeof(double)), aligned(8), may_alias));
typedef double vec_aligned __attribute__((vector_size(LANES * sizeof(double))));

/* want[i] = sum_j w[j] x[i + j], squares[i] = sum_j ww[j] xx[i + j], for TILE outputs. */
static inline __attribute__((always_inline)) void tile(int taps, const double *w, const double *ww,
                                                       const double *x, const double *xx,
                                                       double *want, double *squares)
{
    vec_aligned sum[TILE / LANES] = {0}, square[TILE / LANES] = {0};
    for (int j = 0; j < taps; j++)
#pragma GCC unroll 4
        for (int v = 0; v < TILE / LANES; v++) {
            sum[v] += w[j] * *(const vec *)(x + j + v * LANES);
            square[v] += ww[j] * *(const vec *)(xx + j + v * LANES);
        }
    memcpy(want, sum, sizeof sum);
    memcpy(squares, square, sizeof square);
}

static inline __attribute__((always_inline)) void tiles(int count, int taps, const double *w,
                                                        const double *ww, const double *x,
                                                        const double *xx, double *want,
                                                        double *squares)
{
    for (int i = 0; i < count; i += TILE)
        tile(taps, w, ww, x + i, xx + i, want + i, squares + i);
}

#ifdef __x86_64__
__attribute__((target("avx2,fma"))) static void tiles_avx2(int count, int taps, const double *w,
                                                           const double *ww, const double *x,
                                                           const double *xx, double *want,
                                                           double *squares)
{
    tiles(count, taps, w, ww, x, xx, want, squares);
}
#define HAVE_AVX2 (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma"))
#else
#define tiles_avx2 tiles
#define HAVE_AVX2  0
#endif

void conv1d_oracle_open(struct conv1d_oracle *o, const struct conv1d_problem *p,
                        const void *const in[])
{
    const size_t mask = 2 * (size_t)p->radius + 1, part = mask + CONV1D_PIECE + TILE;
    const float *w = in[CONV1D_W];
    *o = (struct conv1d_oracle){.p = p, .x = in[CONV1D_X]};
    o->w = hpc_malloc(2 * hpc_mul(mask + part, sizeof *o->w));
    o->ww = o->w + mask;
    o->part = o->ww + mask;
    o->parts = o->part + part;
    for (size_t j = 0; j < mask; j++) {
        o->w[j] = (double)w[j];
        o->ww[j] = o->w[j] * o->w[j];
    }
}

void conv1d_oracle_close(struct conv1d_oracle *o)
{
    free(o->w);
}

static int64_t clamp(int64_t v, int64_t low, int64_t high)
{
    return v < low ? low : v > high ? high : v;
}

void conv1d_oracle_piece(struct conv1d_oracle *o, int64_t first, int count, double *want,
                         double *squares)
{
    const int64_t n = (int64_t)o->p->n, r = o->p->radius;
    /* The taps that meet the signal at some output of the piece. */
    const int64_t low = clamp(-(first + count - 1), -r, r + 1),
                  high = clamp(n - 1 - first, -r - 1, r);
    const int taps = high >= low ? (int)(high - low + 1) : 0;
    const int whole = (count + TILE - 1) / TILE * TILE;
    for (int64_t k = 0; k < whole + taps; k++) {
        const int64_t at = first + low + k;
        const double v = at >= 0 && at < n ? (double)o->x[at] : 0;
        o->part[k] = v;
        o->parts[k] = v * v;
    }
    (HAVE_AVX2 ? tiles_avx2 : tiles)(whole, taps, o->w + (r + low), o->ww + (r + low), o->part,
                                     o->parts, want, squares);
}

double conv1d_oracle_magnitude(const struct conv1d_oracle *o, int64_t i)
{
    const int64_t n = (int64_t)o->p->n, r = o->p->radius;
    double sum = 0;
    for (int64_t j = -r; j <= r; j++)
        if (i + j >= 0 && i + j < n)
            sum += __builtin_fabs(o->w[j + r] * (double)o->x[i + j]);
    return sum;
}
