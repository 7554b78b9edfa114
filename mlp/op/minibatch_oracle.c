/* The oracle of mlp_minibatch: mlp.h in double, and beside every value the variance of the error
 * that honest fp32 arithmetic makes in it. All variances are in units of u^2, u = 2^-24.
 *
 * Errors are taken as independent. A sum s of n products a_i b_i, in any order, gets
 *   V(s) = sum (a_i^2 V(b_i) + V(a_i) b_i^2)              what the operands carry
 *        + g(n) (sum a_i^2 b_i^2 + s^2),  g(n) = n/4 + 2  what its own roundings add.
 * The second line: an addition errs by at most u times the partial sum, by u / sqrt(3) rms. n
 * partial sums whose terms are independent have a mean square of half of sum a^2 b^2, n of them
 * that grow evenly to s a third of s^2; n/4 is above both thirds. 2 pays for the products'
 * roundings, a scale and a stored result. Blocked, paired and fused sums err less. Activations and
 * their derivatives pass variances on by their first derivatives, plus what a good expf or tanhf
 * errs (4 u). Where two operands come from the same value their errors are not independent: (a +
 * b)^2 <= 2 a^2 + 2 b^2 then. relu: a unit with |z| <= 8 sigma may be on or off: its D gets the
 * whole e^2 as variance; before another update size[l - 1] e^2, for what its weights then carry
 * into a later z is e times a sum over them, whose terms are not independent. An update adds
 * scale^2 V(gradient) + g(batch) W^2: the sum may be built up in W itself. mlp_minibatch_op.admit
 * proves on each case that this holds: plain fp32 stays within the bounds that check() makes of it,
 * and products of TF32 precision do not. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "common/size.h"
#include "mlp/activation.h"
#include "mlp/op/op.h"
#include "mlp/op/minibatch.h"

static const double unit_roundoff = 0x1p-24, uncertain_sigmas = 8, libm = 16;

struct oracle {
    const struct mlp_problem *p;
    double *w;                                      /* weights */
    float *vw;                                      /* their variances */
    double *o[MLP_MAX_LAYERS], *d[MLP_MAX_LAYERS];  /* [rows][size[l]] outputs; e, then D */
    float *vo[MLP_MAX_LAYERS], *vd[MLP_MAX_LAYERS]; /* their variances */
    char *unsure[MLP_MAX_LAYERS];                   /* relu units that may be on or off */
};

static double growth(size_t n)
{
    return (double)n / 4 + 2;
}

/* rows x columns values and their variances, as they lie in memory or turned over; no variances:
 * the values are exact. */
struct matrix {
    size_t rows, columns;
    bool turned;
    const double *value;
    const float *variance;
};

static size_t place(const struct matrix *m, size_t i, size_t j)
{
    return m->turned ? j * m->rows + i : i * m->columns + j;
}

/* s += a b, and vs = its variance by the formula above, without the term g s^2: an element after
 * another, as each is defined. Nobody's solution of lab2, which holds this file: a column of b is
 * walked down for each element. */
static void product(const struct matrix *a, const struct matrix *b, double *s, float *vs)
{
    const double g = growth(a->columns);
    for (size_t i = 0; i < a->rows; i++)
        for (size_t j = 0; j < b->columns; j++) {
            double sum = 0, variance = 0;
            for (size_t p = 0; p < a->columns; p++) {
                const size_t at = place(a, i, p), bt = place(b, p, j);
                const double a2 = a->value[at] * a->value[at], b2 = b->value[bt] * b->value[bt];
                sum += a->value[at] * b->value[bt];
                variance += a2 * (g * b2 + (double)b->variance[bt]);
                if (a->variance)
                    variance += (double)a->variance[at] * b2;
            }
            s[i * b->columns + j] += sum;
            vs[i * b->columns + j] = (float)variance;
        }
}

/* o holds z and becomes activation(z), for the n units of one sample; vo likewise. */
static void activate(int activation, int n, double *o, float *vo, char *unsure)
{
    double shared = 0;
    for (int k = 0; k < n; k++)
        unsure[k] = activation == MLP_RELU &&
                    fabs(o[k]) <= uncertain_sigmas * unit_roundoff * sqrt((double)vo[k]);
    mlp_activate(activation, n, o);
    for (int k = 0; k < n; k++)
        shared += o[k] * o[k] * (double)vo[k];
    for (int k = 0; k < n; k++) {
        double v = (double)vo[k], slope;
        switch (activation) {
        case MLP_SIGMOID:
            slope = o[k] * (1 - o[k]);
            v = slope * slope * v + libm * o[k] * o[k];
            break;
        case MLP_TANH: /* 1 - 2 / (1 + exp(2z)) errs by u near 0 */
            slope = 1 - o[k] * o[k];
            v = slope * slope * v + libm;
            break;
        case MLP_RELU:
            v = o[k] > 0 || unsure[k] ? v : 0;
            break;
        case MLP_SOFTMAX: /* do_k = o_k (dz_k - sum_j o_j dz_j) */
            v = o[k] * o[k] * (2 * (v + shared) + growth((size_t)n) + libm);
            break;
        default:
            break;
        }
        vo[k] = (float)v;
    }
}

/* d holds e and becomes D, for the n units of one sample; vd likewise. together: how many errors of
 * one origin a unit that is unsure passes on. */
static void derivative(int activation, int n, double together, const double *o, const float *vo,
                       const char *unsure, double *d, float *vd)
{
    double dot = 0, vdot = 0;
    for (int k = 0; k < n; k++) {
        double vo_k = (double)vo[k], vd_k = (double)vd[k];
        dot += d[k] * o[k];
        vdot += 2 * (d[k] * d[k] * vo_k + o[k] * o[k] * vd_k) +
                growth((size_t)n) * d[k] * d[k] * o[k] * o[k];
    }
    vdot += growth((size_t)n) * dot * dot;
    for (int k = 0; k < n; k++) {
        double e = d[k], v = (double)vd[k], vo_k = (double)vo[k], slope, bend;
        switch (activation) {
        case MLP_SIGMOID: /* D = e o (1 - o) */
            slope = o[k] * (1 - o[k]);
            bend = e * (1 - 2 * o[k]);
            v = 2 * (slope * slope * v + bend * bend * vo_k) + 2 * e * e * o[k] * o[k];
            break;
        case MLP_TANH: /* D = e (1 - o o) */
            slope = 1 - o[k] * o[k];
            bend = 2 * e * o[k];
            v = 2 * (slope * slope * v + bend * bend * vo_k) + 2 * e * e;
            break;
        case MLP_RELU:
            v = unsure[k]  ? v + together * e * e / (unit_roundoff * unit_roundoff)
                : o[k] > 0 ? v
                           : 0;
            break;
        case MLP_SOFTMAX: /* D = o (e - dot) */
            v = 3 * (o[k] * o[k] * (v + vdot) + (e - dot) * (e - dot) * vo_k) +
                2 * o[k] * o[k] * (e * e + dot * dot);
            break;
        default:
            break;
        }
        vd[k] = (float)v;
    }
    mlp_derivative(activation, n, o, d);
}

/* The weights of matrix l without its row of biases. */
static struct matrix weights(const struct oracle *s, int l, bool turned)
{
    const size_t n_in = (size_t)s->p->size[l], n = (size_t)s->p->size[l + 1];
    const size_t first = mlp_offset(s->p, l) + n;
    return (struct matrix){turned ? n : n_in, turned ? n_in : n, turned, s->w + first,
                           s->vw + first};
}

/* O[l] of `rows` samples from O[l-1]. */
static void forward(const struct oracle *s, int l, size_t rows)
{
    size_t n_in = (size_t)s->p->size[l - 1], n = (size_t)s->p->size[l];
    const double *w = s->w + mlp_offset(s->p, l - 1);
    const float *vw = s->vw + mlp_offset(s->p, l - 1);
    const struct matrix in = {rows, n_in, false, s->o[l - 1], s->vo[l - 1]};
    const struct matrix matrix = weights(s, l - 1, false);
    double g = growth(n_in);
    for (size_t i = 0; i < rows; i++)
        memcpy(s->o[l] + i * n, w, n * sizeof *w);
    product(&in, &matrix, s->o[l], s->vo[l]);
    for (size_t i = 0; i < rows; i++) {
        double *z = s->o[l] + i * n;
        float *vz = s->vo[l] + i * n;
        for (size_t k = 0; k < n; k++)
            vz[k] += (float)((double)vw[k] + g * (w[k] * w[k] + z[k] * z[k]));
        activate(s->p->activation[l], (int)n, z, vz, s->unsure[l] + i * n);
    }
}

/* e[l] = D[l+1] W_l^T, with W_l as it is now. */
static void hand_back(const struct oracle *s, int l, size_t rows)
{
    size_t n_in = (size_t)s->p->size[l], n = (size_t)s->p->size[l + 1];
    const struct matrix d = {rows, n, false, s->d[l + 1], s->vd[l + 1]}, w = weights(s, l, true);
    memset(s->d[l], 0, rows * n_in * sizeof *s->d[l]);
    product(&d, &w, s->d[l], s->vd[l]);
    for (size_t i = 0; i < rows * n_in; i++)
        s->vd[l][i] += (float)(growth(n) * s->d[l][i] * s->d[l][i]);
}

/* W_l += rate / rows * (1, O[l])^T D[l+1]. */
static void oracle_update(const struct oracle *s, int l, size_t rows, double rate)
{
    size_t n_in = (size_t)s->p->size[l], n = (size_t)s->p->size[l + 1];
    size_t count = mlp_matrix(s->p, l);
    double *w = s->w + mlp_offset(s->p, l), scale = rate / (double)rows, g = growth(rows);
    float *vw = s->vw + mlp_offset(s->p, l);
    const struct matrix o = {n_in, rows, true, s->o[l], s->vo[l]};
    const struct matrix d = {rows, n, false, s->d[l + 1], s->vd[l + 1]};
    double *sum = hpc_calloc(count, sizeof *sum);
    float *vsum = hpc_calloc(count, sizeof *vsum);
    for (size_t i = 0; i < rows; i++)
        for (size_t k = 0; k < n; k++) {
            double delta = s->d[l + 1][i * n + k];
            sum[k] += delta;
            vsum[k] += (float)((double)s->vd[l + 1][i * n + k] + g * delta * delta);
        }
    product(&o, &d, sum + n, vsum + n);
    for (size_t i = 0; i < count; i++) {
        double v = scale * scale * ((double)vsum[i] + g * sum[i] * sum[i]);
        w[i] += scale * sum[i];
        vw[i] += (float)(v + g * w[i] * w[i]);
    }
    free(sum);
    free(vsum);
}

static void batch(struct oracle *s, size_t rows, const float *x, const float *y, double rate,
                  bool another)
{
    const struct mlp_problem *p = s->p;
    int last = p->n_layers - 1;
    for (size_t i = 0; i < rows * (size_t)p->size[0]; i++)
        s->o[0][i] = (double)x[i];
    for (int l = 1; l <= last; l++)
        forward(s, l, rows);
    for (size_t i = 0; i < rows * (size_t)p->size[last]; i++) {
        s->d[last][i] = (double)y[i] - s->o[last][i];
        s->vd[last][i] = s->vo[last][i] + (float)(s->d[last][i] * s->d[last][i]);
    }
    for (int l = last; l >= 1; l--) {
        size_t n = (size_t)p->size[l];
        for (size_t i = 0; i < rows; i++)
            derivative(p->activation[l], (int)n, another ? p->size[l - 1] : 1, s->o[l] + i * n,
                       s->vo[l] + i * n, s->unsure[l] + i * n, s->d[l] + i * n, s->vd[l] + i * n);
        if (l > 1)
            hand_back(s, l - 1, rows);
        oracle_update(s, l - 1, rows, rate);
    }
}

void mlp_minibatch_oracle(const struct mlp_problem *p, const float *x, const float *y, float rate,
                          double *w, float *variance)
{
    struct oracle s = {.p = p, .w = w, .vw = variance};
    size_t most = (size_t)(p->batch < p->samples ? p->batch : p->samples);
    memset(variance, 0, mlp_weights(p) * sizeof *variance);
    for (int l = 0; l < p->n_layers; l++) {
        size_t n = hpc_mul(most, (size_t)p->size[l]) + 1;
        s.o[l] = hpc_malloc(n * sizeof(double));
        s.d[l] = hpc_malloc(n * sizeof(double));
        s.vo[l] = l > 0 ? hpc_malloc(n * sizeof(float)) : NULL; /* inputs are exact */
        s.vd[l] = hpc_malloc(n * sizeof(float));
        s.unsure[l] = hpc_malloc(n);
    }
    for (int epoch = 0; epoch < p->epochs; epoch++)
        for (size_t first = 0; first < (size_t)p->samples; first += (size_t)p->batch) {
            const size_t left = (size_t)p->samples - first;
            batch(&s, left < most ? left : most, x + first * (size_t)p->size[0],
                  y + first * (size_t)p->size[p->n_layers - 1], (double)rate,
                  left > most || epoch + 1 < p->epochs);
        }
    for (int l = 0; l < p->n_layers; l++) {
        free(s.o[l]);
        free(s.d[l]);
        free(s.vo[l]);
        free(s.vd[l]);
        free(s.unsure[l]);
    }
}
