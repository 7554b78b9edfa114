/* mlp_minibatch in fp32 as the formulas stand, a value at a time, sums from first to last: the
 * yardstick on which mlp_minibatch_op.admit tries the bounds of check(). With fewer bits it is what
 * a tensor core would do: operands of products are rounded, sums are kept in fp32. */
#include <stdlib.h>
#include <string.h>

#include "common/size.h"
#include "mlp/activation.h"
#include "mlp/op/op.h"
#include "mlp/op/minibatch.h"

struct plain {
    const struct mlp_problem *p;
    int bits;
    size_t units;
    float *w, *o, *d; /* o, d: all layers' units of each sample of the batch */
};

/* v rounded to `bits` bits after the leading one. */
static float rounded(float v, int bits)
{
    uint32_t word, half = bits < 23 ? 1u << (22 - bits) : 0;
    memcpy(&word, &v, sizeof word);
    word = (word + half) & ~(half ? 2 * half - 1 : 0);
    memcpy(&v, &word, sizeof v);
    return v;
}

/* activation or derivative of one sample's layer, through double: mlp/activation.h. */
static void pointwise(int activation, int n, const float *o, float *z)
{
    double *a = hpc_malloc(2 * (size_t)n * sizeof *a), *b = a + n;
    for (int k = 0; k < n; k++) {
        a[k] = (double)z[k];
        b[k] = o ? (double)o[k] : 0;
    }
    if (o)
        mlp_derivative(activation, n, b, a);
    else
        mlp_activate(activation, n, a);
    for (int k = 0; k < n; k++)
        z[k] = (float)a[k];
    free(a);
}

static void forward(const struct plain *s, const float *x, float *o)
{
    const struct mlp_problem *p = s->p;
    memcpy(o, x, (size_t)p->size[0] * sizeof *o);
    for (int l = 1; l < p->n_layers; l++) {
        const size_t n = (size_t)p->size[l];
        const float *w = s->w + mlp_offset(p, l - 1);
        const float *in = o + mlp_unit(p, l - 1);
        float *z = o + mlp_unit(p, l);
        for (size_t k = 0; k < n; k++) {
            z[k] = w[k];
            for (size_t i = 0; i < (size_t)p->size[l - 1]; i++)
                z[k] += rounded(in[i], s->bits) * rounded(w[(1 + i) * n + k], s->bits);
        }
        pointwise(p->activation[l], p->size[l], NULL, z);
    }
}

/* One sample's D of all layers. */
static void backward(const struct plain *s, const float *y, const float *o, float *d)
{
    const struct mlp_problem *p = s->p;
    const int last = p->n_layers - 1;
    for (int k = 0; k < p->size[last]; k++)
        d[mlp_unit(p, last) + k] = y[k] - o[mlp_unit(p, last) + k];
    for (int l = last; l >= 1; l--) {
        const size_t n = (size_t)p->size[l];
        const float *w = s->w + mlp_offset(p, l - 1) + n, *above = d + mlp_unit(p, l);
        pointwise(p->activation[l], p->size[l], o + mlp_unit(p, l), d + mlp_unit(p, l));
        for (size_t i = 0; i < (size_t)p->size[l - 1]; i++) {
            float sum = 0;
            for (size_t k = 0; k < n; k++)
                sum += rounded(above[k], s->bits) * rounded(w[i * n + k], s->bits);
            d[(size_t)mlp_unit(p, l - 1) + i] = sum;
        }
    }
}

/* The gradient of one weight, from unit `from` (of all; below 0: the bias) to unit `to`. */
static float gradient(const struct plain *s, size_t samples, int from, int to)
{
    float sum = 0;
    for (size_t i = 0; i < samples; i++) {
        const float d = s->d[i * s->units + (size_t)to];
        sum += from < 0 ? d
                        : rounded(s->o[i * s->units + (size_t)from], s->bits) * rounded(d, s->bits);
    }
    return sum;
}

static void batch(const struct plain *s, size_t samples, const float *x, const float *y, float rate)
{
    const struct mlp_problem *p = s->p;
    const size_t n_x = (size_t)p->size[0], n_y = (size_t)p->size[p->n_layers - 1];
    float *w = s->w;
    for (size_t i = 0; i < samples; i++) {
        forward(s, x + i * n_x, s->o + i * s->units);
        backward(s, y + i * n_y, s->o + i * s->units, s->d + i * s->units);
    }
    for (int l = 0; l < p->n_layers - 1; l++)
        for (int i = -1; i < p->size[l]; i++)
            for (int k = 0; k < p->size[l + 1]; k++)
                *w++ +=
                    rate / (float)samples *
                    gradient(s, samples, i < 0 ? -1 : mlp_unit(p, l) + i, mlp_unit(p, l + 1) + k);
}

void mlp_minibatch_plain(const struct mlp_problem *p, const float *x, const float *y, float rate,
                         int bits, float *w)
{
    const size_t units = (size_t)mlp_unit(p, p->n_layers);
    const size_t most = (size_t)(p->batch < p->samples ? p->batch : p->samples);
    const size_t bytes = hpc_mul(hpc_mul(most, units), sizeof(float)) + 1;
    struct plain s = {p, bits, units, w, hpc_malloc(bytes), hpc_malloc(bytes)};
    for (int epoch = 0; epoch < p->epochs; epoch++)
        for (size_t first = 0; first < (size_t)p->samples; first += most) {
            const size_t left = (size_t)p->samples - first;
            batch(&s, left < most ? left : most, x + first * (size_t)p->size[0],
                  y + first * (size_t)p->size[p->n_layers - 1], rate);
        }
    free(s.o);
    free(s.d);
}
