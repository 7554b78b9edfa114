/* conv1d's cheap check of all outputs: finite by their bits, and one random product.
 *
 * With F(a) = sum_i a[i] e^{i t sqrt(-1)}, over all i, a convolution becomes a product:
 *     F(y) = F(x) * sum_j w[j + r] e^{-j t sqrt(-1)},
 * where y goes on over the signal's ends; those 2r outputs are computed here. So one walk over x
 * and y checks every output against every tap, at an angle t that nobody can foretell. What
 * rounding moves F(y) by is random: by the rule of check, sum (got - want)^2 is at most (4 u)^2 k
 * sum w^2 sum x^2, and 8 standard deviations are allowed. One output that is off by as much as its
 * own size shows up to about 10^7 outputs, a hundred of them up to 10^9. */
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "common/random.h"
#include "conv1d/op/op.h"

#define CHUNK 1024
#define LANES 8

typedef float vec_f __attribute__((vector_size(LANES * sizeof(float)), aligned(4), may_alias));
typedef double vec_d __attribute__((vector_size(LANES * sizeof(double)), aligned(8), may_alias));

struct complex {
    double re, im;
};

static struct complex turn(double angle)
{
    return (struct complex){cos(angle), sin(angle)};
}

static struct complex product(struct complex a, struct complex b)
{
    return (struct complex){a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}

static void add(struct complex *sum, struct complex a)
{
    sum->re += a.re;
    sum->im += a.im;
}

/* e^{i t sqrt(-1)} for i < CHUNK. */
struct table {
    double re[CHUNK], im[CHUNK];
};

static inline double total(const vec_d *v)
{
    double sum = 0;
    for (int l = 0; l < LANES; l++)
        sum += (*v)[l];
    return sum;
}

/* The F of CHUNK elements; *squares gets the sum of their squares too. */
static struct complex chunk_sum(const struct table *t, const float *a, double *squares)
{
    vec_d re = {0}, im = {0}, square = {0};
    for (int i = 0; i < CHUNK; i += LANES) {
        const vec_d v = __builtin_convertvector(*(const vec_f *)(a + i), vec_d);
        re += v * *(const vec_d *)(t->re + i);
        im += v * *(const vec_d *)(t->im + i);
        square += v * v;
    }
    *squares += total(&square);
    return (struct complex){total(&re), total(&im)};
}

/* F over n floats; *squares gets the sum of their squares. */
static struct complex transform(const struct table *t, double angle, const float *a, uint64_t n,
                                double *squares)
{
    struct complex sum = {0, 0};
    *squares = 0;
    for (uint64_t begin = 0; begin < n; begin += CHUNK) {
        float last[CHUNK] = {0};
        const float *chunk = a + begin;
        if (n - begin < CHUNK)
            chunk = memcpy(last, chunk, (n - begin) * sizeof *a);
        /* The angle is small enough that i t keeps 20 bits after the point at i = 2^32. */
        add(&sum,
            product(turn(fmod((double)begin * angle, 2 * M_PI)), chunk_sum(t, chunk, squares)));
    }
    return sum;
}

/* The outputs before 0 and from n on, which the formula has and the signal has not. */
static struct complex outside(const struct conv1d_problem *p, const void *const in[], double angle)
{
    struct conv1d_oracle oracle;
    struct complex sum = {0, 0};
    const int64_t r = p->radius, begin[2] = {-r, (int64_t)p->n};
    double want[CONV1D_PIECE], squares[CONV1D_PIECE];
    conv1d_oracle_open(&oracle, p, in);
    for (int side = 0; side < 2; side++)
        for (int64_t done = 0; done < r; done += CONV1D_PIECE) {
            const int64_t first = begin[side] + done;
            const int count = (int)(r - done < CONV1D_PIECE ? r - done : CONV1D_PIECE);
            conv1d_oracle_piece(&oracle, first, count, want, squares);
            for (int i = 0; i < count; i++) {
                const struct complex c = turn(fmod((double)(first + i) * angle, 2 * M_PI));
                add(&sum, (struct complex){c.re * want[i], c.im * want[i]});
            }
        }
    conv1d_oracle_close(&oracle);
    return sum;
}

static bool all_finite(const float *y, uint64_t n, struct hpc_mismatch *m)
{
    for (uint64_t i = 0; i < n; i++)
        if (!conv1d_finite(y[i])) {
            *m = (struct hpc_mismatch){.array = CONV1D_Y, .index = i, .got = (double)y[i]};
            snprintf(m->what, sizeof m->what, "y[%llu]", (unsigned long long)i);
            snprintf(m->hint, sizeof m->hint,
                     "not finite: never written, or read where the signal does not go");
            return false;
        }
    return true;
}

bool conv1d_check_quick(const void *problem, const void *const in[], const void *const out[],
                        struct hpc_mismatch *m)
{
    const struct conv1d_problem *p = problem;
    const float *w = in[CONV1D_W], *y = out[CONV1D_Y];
    if (!all_finite(y, p->n, m))
        return false;
    struct hpc_random random;
    hpc_random_init(&random, hpc_random_seed(), 0);
    /* A multiple of 2^-20, so that its products with indices are exact. */
    const double angle = (double)(hpc_random_below(&random, 6 << 20) + 1) * 0x1p-20;
    struct table t;
    for (int i = 0; i < CHUNK; i++) {
        const struct complex c = turn(i * angle);
        t.re[i] = c.re;
        t.im[i] = c.im;
    }
    double x_squares, y_squares, w_squares = 0;
    struct complex want = transform(&t, angle, in[CONV1D_X], p->n, &x_squares);
    const struct complex got = transform(&t, angle, y, p->n, &y_squares);
    struct complex mask = {0, 0};
    for (int j = -p->radius; j <= p->radius; j++) {
        const struct complex c = turn(-j * angle);
        const double tap = (double)w[j + p->radius];
        add(&mask, (struct complex){c.re * tap, c.im * tap});
        w_squares += tap * tap;
    }
    want = product(want, mask);
    const struct complex over = outside(p, in, angle);
    add(&want, (struct complex){-over.re, -over.im});
    const double k = (double)conv1d_terms(p), u = 0x1p-24;
    const double bound = 8 * 4 * u * sqrt(k * w_squares * x_squares) + 0x1p-120;
    const double off = hypot(got.re - want.re, got.im - want.im);
    if (off <= bound)
        return true;
    *m = (struct hpc_mismatch){.array = CONV1D_Y, .got = got.re, .want = want.re, .bound = bound};
    snprintf(m->what, sizeof m->what, "the sum of y[i] cos(%.6f i)", angle);
    snprintf(m->hint, sizeof m->hint,
             "a random sum over all outputs: right ones agree within rounding; run shows which "
             "are wrong");
    return false;
}
