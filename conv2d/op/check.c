/* Is an output of conv2d or convpool right?
 *
 * Every element: |got - y| <= gamma(m) A + u |y|, with A the sum of the products' absolute values,
 * gamma(m) = m u / (1 - m u), u = 2^-24 and m = C (R + pool - 1)(S + pool - 1) + pool^2 + 2, the
 * longest chain of additions of any of the methods. TF32 adds 2^-9 A: two factors cut to 11 bits.
 * Half adds 2^-11 |y| + 2^-25 for the output, and with pooling 2^-11 A for one rounded
 * intermediate.
 *
 * The whole, for fp32 from filters of mean 0: rms of (got - y) / (u sqrt(m) N) below 4, with N^2
 * the sum of the squares of the products. Honest sums of floats stay near 0.4, whatever their
 * order; products in TF32 give 4700 / sqrt(m) and half more.
 *
 * Normwise, for FFT and Winograd, whose errors spread over a tile: |got - y| <= 64 |unit| in the
 * Euclidean norm, with unit = u sqrt(m) N, or 2^-11 N where TF32 or half is allowed; 64 is what
 * the transforms of F(4x4, 3x3) and 5x5 amplify at the most.
 *
 * Quick: every element finite, and with random signs a[k], sum_k a[k] y[n][k] is the convolution
 * with the one filter sum_k a[k] w[k], within the sum of the bounds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "common/size.h"
#include "conv2d/op/op.h"

static const double rms_bound = 4, transforms = 64;
static const size_t rms_least = 64;

static bool is_finite(double v) /* by its bits: a compiler may delete isfinite */
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return (bits >> 52 & 0x7ff) != 0x7ff;
}

/* The output as doubles; freed by the caller. */
static double *doubles(const struct convpool_problem *p, const void *y)
{
    const size_t n = convpool_y_count(p);
    double *copy = hpc_malloc(hpc_mul(n, sizeof *copy));
    for (size_t i = 0; i < n; i++)
        copy[i] = conv_element(y, p->conv.type, i);
    return copy;
}

/* "y: image 0, filter 3, row 2, column 1" */
static void name_element(const struct convpool_problem *p, size_t index, char *text, size_t size)
{
    const size_t plane = (size_t)convpool_rows(p) * (size_t)convpool_columns(p);
    const size_t filters = (size_t)p->conv.k, columns = (size_t)convpool_columns(p);
    const bool nchw = p->conv.layout == CONV_NCHW;
    const size_t n = index / (filters * plane), rest = index % (filters * plane);
    const size_t k = nchw ? rest / plane : rest % filters;
    const size_t at = nchw ? rest % plane : rest / filters;
    snprintf(text, size, "y: image %zu, filter %zu, row %zu, column %zu", n, k, at / columns,
             at % columns);
}

/* Every element within its bound. */
static bool check_each(const struct convpool_problem *p, const double *got,
                       const struct conv_sums *want, struct hpc_mismatch *m)
{
    for (size_t i = 0; i < want->count; i++) {
        const double bound = conv_bound(p, want->y[i], want->absolute[i]);
        const double off = is_finite(got[i]) ? fabs(got[i] - want->y[i]) : INFINITY;
        if (off <= bound || m->wrong++ > 0)
            continue;
        m->index = i;
        m->got = got[i];
        m->want = want->y[i];
        m->bound = bound;
        name_element(p, i, m->what, sizeof m->what);
    }
    return m->wrong == 0;
}

static bool check_rms(const struct convpool_problem *p, const double *got,
                      const struct conv_sums *want, struct hpc_mismatch *m)
{
    double squares = 0;
    size_t counted = 0;
    for (size_t i = 0; i < want->count; i++) {
        const double one = conv_unit(p, want->squares[i]);
        if (one > 1e-37) { /* below that a float is denormal */
            squares += (got[i] - want->y[i]) / one * ((got[i] - want->y[i]) / one);
            counted++;
        }
    }
    const double rms = sqrt(squares / (double)(counted ? counted : 1));
    if (counted < rms_least || rms < rms_bound)
        return true;
    m->got = rms;
    m->bound = rms_bound;
    snprintf(m->what, sizeof m->what, "y: rms of (got - want) / (u sqrt(m) norm(products))");
    snprintf(m->hint, sizeof m->hint,
             "every element is near, but the errors are larger than those of fp32: TF32 or half "
             "products?");
    return false;
}

static bool check_norm(const struct convpool_problem *p, const double *got,
                       const struct conv_sums *want, struct hpc_mismatch *m)
{
    double off = 0, units = 0;
    for (size_t i = 0; i < want->count; i++) {
        const double e = is_finite(got[i]) ? got[i] - want->y[i] : INFINITY;
        const double one = conv_unit(p, want->squares[i]);
        off += e * e;
        units += one * one;
    }
    if (sqrt(off) <= transforms * sqrt(units))
        return true;
    m->got = sqrt(off);
    m->bound = transforms * sqrt(units);
    snprintf(m->what, sizeof m->what, "y: norm of got - want");
    return false;
}

bool conv_check(const void *problem, const void *const in[], const void *const out[],
                bool *admitted, struct hpc_mismatch *m)
{
    const struct conv_case *c = problem;
    const struct convpool_problem *p = &c->p;
    *admitted = true;
    struct conv_sums want = conv_oracle(p, in[CONV2D_X], in[CONV2D_W]);
    double *got = doubles(p, out[CONV2D_Y]);
    bool right;
    m->array = CONV2D_Y;
    if (c->tolerance == CONV_NORMWISE)
        right = check_norm(p, got, &want, m);
    else
        right =
            check_each(p, got, &want, m) &&
            (p->conv.type != CONV_F32 || c->values == CONV_POSITIVE || check_rms(p, got, &want, m));
    if (!right && !*m->hint)
        conv_hint(p, in, got, &want, m->hint, sizeof m->hint);
    conv_sums_free(&want);
    free(got);
    return right;
}

void conv_expected(const void *problem, const void *const in[], double *const want[],
                   double *const bound[])
{
    const struct conv_case *c = problem;
    struct conv_sums sums = conv_oracle(&c->p, in[CONV2D_X], in[CONV2D_W]);
    for (size_t i = 0; i < sums.count; i++) {
        want[CONV2D_Y][i] = sums.y[i];
        bound[CONV2D_Y][i] = c->tolerance == CONV_NORMWISE
                                 ? INFINITY
                                 : conv_bound(&c->p, sums.y[i], sums.absolute[i]);
    }
    conv_sums_free(&sums);
}

/* w becomes the one filter sum_k sign[k] w[k], or sum_k |w[k]|; sign NULL means the latter. */
static double *fold(const struct conv2d_problem *p, const double *w, const double *sign)
{
    const size_t one = (size_t)p->c * (size_t)p->r * (size_t)p->s;
    double *sum = hpc_calloc(one, sizeof *sum);
    for (size_t k = 0; k < (size_t)p->k; k++)
        for (size_t i = 0; i < one; i++)
            sum[i] += sign ? sign[k] * w[k * one + i] : fabs(w[k * one + i]);
    return sum;
}

/* Image n, row u, column v: the signed sum over the filters within `bound`. */
static bool folded_right(const struct convpool_problem *p, const double *got, const double *sign,
                         double want, double bound, int n, int u_, int v, struct hpc_mismatch *m)
{
    double sum = 0;
    for (int k = 0; k < p->conv.k; k++)
        sum += sign[k] * got[conv_y_index(p, n, k, u_, v)];
    if (fabs(sum - want) <= bound)
        return true;
    m->index = conv_y_index(p, n, 0, u_, v);
    m->got = sum;
    m->want = want;
    m->bound = bound;
    snprintf(m->what, sizeof m->what,
             "y: a signed sum over the filters, image %d, row %d, column %d", n, u_, v);
    return false;
}

static bool check_product(const struct convpool_problem *p, const void *const in[],
                          const double *got, struct hpc_mismatch *m)
{
    struct hpc_random random;
    hpc_random_init(&random, hpc_random_seed(), 0);
    double *sign = hpc_malloc((size_t)p->conv.k * sizeof *sign);
    for (int k = 0; k < p->conv.k; k++)
        sign[k] = hpc_random_u32(&random) & 1 ? 1 : -1;
    double *x = conv_plain_x(&p->conv, in[CONV2D_X]), *w = conv_plain_w(&p->conv, in[CONV2D_W]);
    double *folded = fold(&p->conv, w, sign), *absolute = fold(&p->conv, w, NULL);
    struct convpool_problem one = *p;
    one.conv.k = 1;
    struct conv_sums want = conv_oracle_plain(&one, x, folded);
    struct conv_sums most = conv_oracle_plain(&one, x, absolute);
    bool right = true;
    for (int n = 0; right && n < p->conv.n; n++)
        for (int u_ = 0; right && u_ < convpool_rows(p); u_++)
            for (int v = 0; right && v < convpool_columns(p); v++) {
                const size_t i = conv_y_index(&one, n, 0, u_, v);
                const double bound =
                    conv_bound(p, most.absolute[i], most.absolute[i]) + p->conv.k * CONV_HALF_LEAST;
                right = folded_right(p, got, sign, want.y[i], bound, n, u_, v, m);
            }
    conv_sums_free(&want);
    conv_sums_free(&most);
    free(sign);
    free(x);
    free(w);
    free(folded);
    free(absolute);
    return right;
}

bool conv_check_quick(const void *problem, const void *const in[], const void *const out[],
                      struct hpc_mismatch *m)
{
    const struct conv_case *c = problem;
    const struct convpool_problem *p = &c->p;
    const size_t n = convpool_y_count(p);
    double *got = doubles(p, out[CONV2D_Y]);
    bool right = true;
    m->array = CONV2D_Y;
    for (size_t i = 0; right && i < n; i++)
        if (!is_finite(got[i])) {
            right = false;
            m->index = i;
            m->got = got[i];
            name_element(p, i, m->what, sizeof m->what);
        }
    right = right && (c->tolerance == CONV_NORMWISE || check_product(p, in, got, m));
    free(got);
    return right;
}
