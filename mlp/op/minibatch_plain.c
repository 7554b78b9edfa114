/* mlp_minibatch in fp32 as a beginner writes it, sums from first to last: the yardstick on which
 * mlp_minibatch_op.admit tries the bounds of check(). With fewer bits it is what a tensor core
 * would do: operands of products are rounded, sums are kept in fp32. */
#include <stdlib.h>
#include <string.h>

#include "common/size.h"
#include "mlp/activation.h"
#include "mlp/op/op.h"
#include "mlp/op/minibatch.h"

struct plain {
    const struct mlp_problem *p;
    int bits;
    float *w, *o, *d; /* o, d: one sample's units in all layers */
    float *gradient;  /* [mlp_weights(p)] */
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

static void forward(const struct plain *s, const float *x)
{
    const struct mlp_problem *p = s->p;
    const float *w = s->w;
    float *in = s->o;
    memcpy(in, x, (size_t)p->size[0] * sizeof *in);
    for (int l = 1; l < p->n_layers; l++) {
        size_t n = (size_t)p->size[l];
        float *z = in + p->size[l - 1];
        memcpy(z, w, n * sizeof *z);
        w += n;
        for (int i = 0; i < p->size[l - 1]; i++, w += n) {
            float a = rounded(in[i], s->bits);
            for (size_t k = 0; k < n; k++)
                z[k] += a * rounded(w[k], s->bits);
        }
        pointwise(p->activation[l], p->size[l], NULL, z);
        in = z;
    }
}

/* Add one sample's gradient. */
static void backward(const struct plain *s, const float *y)
{
    const struct mlp_problem *p = s->p;
    int last = p->n_layers - 1;
    for (int k = 0; k < p->size[last]; k++)
        s->d[mlp_unit(p, last) + k] = y[k] - s->o[mlp_unit(p, last) + k];
    for (int l = last; l >= 1; l--) {
        size_t n = (size_t)p->size[l];
        float *d = s->d + mlp_unit(p, l), *e = s->d + mlp_unit(p, l - 1);
        const float *in = s->o + mlp_unit(p, l - 1);
        const float *w = s->w + mlp_offset(p, l - 1) + n;
        float *g = s->gradient + mlp_offset(p, l - 1);
        pointwise(p->activation[l], p->size[l], s->o + mlp_unit(p, l), d);
        for (size_t k = 0; k < n; k++)
            g[k] += d[k];
        for (int i = 0; i < p->size[l - 1]; i++, w += n) {
            float a = rounded(in[i], s->bits), sum = 0;
            g += n;
            for (size_t k = 0; k < n; k++) {
                sum += rounded(d[k], s->bits) * rounded(w[k], s->bits);
                g[k] += a * rounded(d[k], s->bits);
            }
            e[i] = sum;
        }
    }
}

void mlp_minibatch_plain(const struct mlp_problem *p, const float *x, const float *y, float rate,
                         int bits, float *w)
{
    size_t units = (size_t)mlp_unit(p, p->n_layers), n = mlp_weights(p);
    struct plain s = {p,
                      bits,
                      w,
                      hpc_malloc(units * sizeof *s.o),
                      hpc_malloc(units * sizeof *s.d),
                      hpc_malloc(hpc_mul(n, sizeof *s.gradient))};
    for (int epoch = 0; epoch < p->epochs; epoch++)
        for (size_t first = 0; first < (size_t)p->samples; first += (size_t)p->batch) {
            size_t end = first + (size_t)p->batch;
            end = end < (size_t)p->samples ? end : (size_t)p->samples;
            memset(s.gradient, 0, n * sizeof *s.gradient);
            for (size_t i = first; i < end; i++) {
                forward(&s, x + i * (size_t)p->size[0]);
                backward(&s, y + i * (size_t)p->size[p->n_layers - 1]);
            }
            for (size_t i = 0; i < n; i++)
                w[i] += rate / (float)(end - first) * s.gradient[i];
        }
    free(s.o);
    free(s.d);
    free(s.gradient);
}
