/* The training step of "mlp_minibatch", all of it but three matrix products, which the file that
 * includes this one writes. Nearly all FLOPs of a step are in the products; the rest is here.
 *
 * A variant is then three functions and a run() of one line:
 *
 *   static int run(void *state, const void *const in[], void *const out[])
 *   {
 *       static const struct minibatch_products products = {matmul_nn, matmul_nt, matmul_tn};
 *       return minibatch_run(state, &products, in, out);
 *   }
 *   const struct hpc_variant hpc_variant = {
 *       HPC_ABI, "mlp_minibatch", "blocked", minibatch_open, run, minibatch_close};
 *
 * A step of one batch, with scale = rate / samples of the batch, for all layers l (mlp/mlp.h):
 *   forward  O[l+1] = activation(bias + O[l] W_l)         product nn
 *   backward E[l] = D[l+1] W_l^T, with W_l as it was      product nt
 *   update   W_l += scale O[l]^T D[l+1]                   product tn
 * Cost of layer l: 2 m n k FLOP for each product. Source: [Dong], sections 2 and 3. */
#ifndef HPC_MLP_MINIBATCH_STEP_H
#define HPC_MLP_MINIBATCH_STEP_H

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mlp/mlp.h"

/* m samples of the batch, n units of the next layer, k units of this layer. */
struct matmul_size {
    int m, n, k;
};

/* The three products of a layer. All matrices are row-major and contiguous, do not overlap, and
 * are aligned to 4 bytes only: a (m x k) this layer's outputs, b (k x n) the weights without their
 * bias row, c (m x n) the next layer's sums, d (m x n) the next layer's deltas, e (m x k) this
 * layer's errors. Nothing behind a matrix's last element may be read. m, n, k >= 1. */
struct minibatch_products {
    /* c[i][j] += sum_p a[i][p] * b[p][j]; c comes with the bias in every row. */
    void (*nn)(struct matmul_size s, const float *a, const float *b, float *c);
    /* e[i][p] = sum_j d[i][j] * b[p][j] */
    void (*nt)(struct matmul_size s, const float *d, const float *b, float *e);
    /* b[p][j] += scale * sum_i a[i][p] * d[i][j] */
    void (*tn)(struct matmul_size s, float scale, const float *a, const float *d, float *b);
};

struct minibatch {
    const struct mlp_problem *problem;
    float *o[MLP_MAX_LAYERS]; /* outputs, batch x size[l]; o[0] is NULL: rows of x are used */
    float *d[MLP_MAX_LAYERS]; /* errors e, then deltas, batch x size[l]; d[0] is NULL */
};

/* z becomes activation(z), n units of one sample. */
static inline void minibatch_activate(int activation, int n, float *z)
{
    float highest = z[0], sum = 0;
    switch (activation) {
    case MLP_SIGMOID:
        for (int i = 0; i < n; i++)
            z[i] = 1 / (1 + expf(-z[i]));
        break;
    case MLP_TANH:
        for (int i = 0; i < n; i++)
            z[i] = tanhf(z[i]);
        break;
    case MLP_RELU:
        for (int i = 0; i < n; i++)
            z[i] = z[i] > 0 ? z[i] : 0;
        break;
    case MLP_SOFTMAX:
        for (int i = 1; i < n; i++)
            highest = z[i] > highest ? z[i] : highest;
        for (int i = 0; i < n; i++)
            sum += z[i] = expf(z[i] - highest);
        for (int i = 0; i < n; i++)
            z[i] /= sum;
        break;
    default: /* MLP_IDENTITY */
        break;
    }
}

/* e becomes the delta J^T e, from the outputs o of the n units of one sample. */
static inline void minibatch_delta(int activation, int n, const float *o, float *e)
{
    float dot = 0;
    switch (activation) {
    case MLP_SIGMOID:
        for (int i = 0; i < n; i++)
            e[i] *= o[i] * (1 - o[i]);
        break;
    case MLP_TANH:
        for (int i = 0; i < n; i++)
            e[i] *= 1 - o[i] * o[i];
        break;
    case MLP_RELU:
        for (int i = 0; i < n; i++)
            e[i] = o[i] > 0 ? e[i] : 0;
        break;
    case MLP_SOFTMAX:
        for (int i = 0; i < n; i++)
            dot += e[i] * o[i];
        for (int i = 0; i < n; i++)
            e[i] = o[i] * (e[i] - dot);
        break;
    default: /* MLP_IDENTITY */
        break;
    }
}

static inline struct matmul_size minibatch_size(const struct mlp_problem *p, int l, int m)
{
    struct matmul_size s = {m, p->size[l + 1], p->size[l]};
    return s;
}

/* O[1], .., O[last] for the m samples in the rows of x. */
static inline void minibatch_forward(struct minibatch *b, const struct minibatch_products *products,
                                     int m, const float *x, const float *w)
{
    const struct mlp_problem *p = b->problem;
    for (int l = 0; l < p->n_layers - 1; l++) {
        const struct matmul_size s = minibatch_size(p, l, m);
        const float *bias = w + mlp_offset(p, l);
        const float *in = l ? b->o[l] : x;
        float *out = b->o[l + 1];
        for (int i = 0; i < m; i++)
            memcpy(out + (size_t)i * s.n, bias, (size_t)s.n * sizeof *out);
        products->nn(s, in, bias + s.n, out);
        for (int i = 0; i < m; i++)
            minibatch_activate(p->activation[l + 1], s.n, out + (size_t)i * s.n);
    }
}

/* From the outputs and the targets y to the new weights, layer by layer from the last. */
static inline void minibatch_backward(struct minibatch *b,
                                      const struct minibatch_products *products, int m, float rate,
                                      const float *x, const float *y, float *w)
{
    const struct mlp_problem *p = b->problem;
    const int last = p->n_layers - 1;
    const float scale = rate / (float)m;
    for (size_t i = 0; i < (size_t)m * p->size[last]; i++)
        b->d[last][i] = y[i] - b->o[last][i];
    for (int l = last; l > 0; l--) {
        const struct matmul_size s = minibatch_size(p, l - 1, m);
        float *bias = w + mlp_offset(p, l - 1), *d = b->d[l];
        for (int i = 0; i < m; i++)
            minibatch_delta(p->activation[l], s.n, b->o[l] + (size_t)i * s.n, d + (size_t)i * s.n);
        if (l > 1) /* before the update: the errors come from the old weights */
            products->nt(s, d, bias + s.n, b->d[l - 1]);
        products->tn(s, scale, l > 1 ? b->o[l - 1] : x, d, bias + s.n);
        for (int i = 0; i < m; i++)
            for (int j = 0; j < s.n; j++)
                bias[j] += scale * d[(size_t)i * s.n + j];
    }
}

static inline void minibatch_close(void *state)
{
    struct minibatch *b = (struct minibatch *)state;
    for (int l = 0; b && l < MLP_MAX_LAYERS; l++) {
        free(b->o[l]);
        free(b->d[l]);
    }
    free(b);
}

/* open() of a variant: all the scratch that a step needs. */
static inline int minibatch_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct mlp_problem *p = (const struct mlp_problem *)problem;
    (void)env;
    if (p->n_layers < 2 || p->networks != 1 || p->type != HPC_F32 || p->batch < 1)
        return 1;
    struct minibatch *b = (struct minibatch *)calloc(1, sizeof *b);
    if (!b)
        return 1;
    b->problem = p;
    const size_t rows = (size_t)(p->batch < p->samples ? p->batch : p->samples);
    for (int l = 1; l < p->n_layers; l++) {
        b->o[l] = (float *)calloc(rows * (size_t)p->size[l] + 1, sizeof(float));
        b->d[l] = (float *)calloc(rows * (size_t)p->size[l] + 1, sizeof(float));
        if (!b->o[l] || !b->d[l]) {
            minibatch_close(b);
            return 1;
        }
    }
    *state = b;
    return 0;
}

/* run() of a variant: all epochs. */
static inline int minibatch_run(void *state, const struct minibatch_products *products,
                                const void *const in[], void *const out[])
{
    struct minibatch *b = (struct minibatch *)state;
    const struct mlp_problem *p = b->problem;
    const float *x = (const float *)in[MLP_X], *y = (const float *)in[MLP_Y];
    const float rate = *(const float *)in[MLP_RATES];
    float *w = (float *)out[MLP_W];
    memcpy(w, in[MLP_W0], mlp_weights(p) * sizeof *w);
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        for (int first = 0; first < p->samples;) {
            const int left = p->samples - first, m = left < p->batch ? left : p->batch;
            const float *rows = x + (size_t)first * p->size[0];
            minibatch_forward(b, products, m, rows, w);
            minibatch_backward(b, products, m, rate, rows,
                               y + (size_t)first * p->size[p->n_layers - 1], w);
            first += m;
        }
    }
    return 0;
}

#endif
