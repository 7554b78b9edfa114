/* expect: wrong|crash|unsafe; hint: overflow */
/* Room for 64 units: enough for the sizes that were tried. */
#include <stdlib.h>
#include <string.h>

#include "mlp/activation.h"
#include "mlp/mlp.h"

#define BLOCK 16 /* units of a layer that one thread takes at once: two cache lines of a row */

struct inner {
    const struct mlp_problem *p;
    int threads;
    double *output, *delta; /* of all layers' units */
};

/* z[l] and o[l] from the outputs `in` of the layer before. Called by all threads. */
static void forward_layer(int n_in, int n_out, int activation, const double *w, const double *in,
                          double *o)
{
#pragma omp for schedule(static)
    for (int first = 0; first < n_out; first += BLOCK) {
        int last = first + BLOCK < n_out ? first + BLOCK : n_out;
        const double *row = w;
        for (int k = first; k < last; k++)
            o[k] = row[k];
        for (int i = 0; i < n_in; i++) {
            row += n_out;
            for (int k = first; k < last; k++)
                o[k] += in[i] * row[k];
        }
        if (activation != MLP_SOFTMAX)
            mlp_activate(activation, last - first, o + first);
    }
    if (activation == MLP_SOFTMAX) /* which needs the whole layer */
#pragma omp single
        mlp_activate(activation, n_out, o);
}

/* D of the output layer. */
static void output_delta(int n, int activation, const double *o, const double *y, double *d)
{
#pragma omp single
    {
        for (int k = 0; k < n; k++)
            d[k] = y[k] - o[k];
        mlp_derivative(activation, n, o, d);
    }
}

/* Update the matrix w below d_next; d, unless NULL, gets D of the layer with outputs o. */
static void backward_layer(int n_in, int n_out, int activation, double *w, const double *o,
                           const double *d_next, double *d, double rate)
{
#pragma omp for schedule(static)
    for (int i = -1; i < n_in; i++) { /* -1: the bias */
        double *row = w + (size_t)(i + 1) * (size_t)n_out, sum = 0;
        for (int k = 0; d && i >= 0 && k < n_out; k++)
            sum += d_next[k] * row[k];
        for (int k = 0; k < n_out; k++)
            row[k] += i < 0 ? rate * d_next[k] : rate * d_next[k] * o[i];
        if (!d || i < 0)
            continue;
        d[i] = sum;
        if (activation != MLP_SOFTMAX)
            mlp_derivative(activation, 1, o + i, d + i);
    }
    if (d && activation == MLP_SOFTMAX)
#pragma omp single
        mlp_derivative(activation, n_in, o, d);
}

/* One update by all threads together. */
static void learn(const struct inner *s, double *w, const double *x, const double *y, double rate)
{
    const struct mlp_problem *p = s->p;
    int last = p->n_layers - 1;
    for (int l = 1; l <= last; l++)
        forward_layer(p->size[l - 1], p->size[l], p->activation[l], w + mlp_offset(p, l - 1),
                      l == 1 ? x : s->output + mlp_unit(p, l - 1), s->output + mlp_unit(p, l));
    output_delta(p->size[last], p->activation[last], s->output + mlp_unit(p, last), y,
                 s->delta + mlp_unit(p, last));
    for (int l = last - 1; l >= 0; l--)
        backward_layer(p->size[l], p->size[l + 1], p->activation[l], w + mlp_offset(p, l),
                       l == 0 ? x : s->output + mlp_unit(p, l), s->delta + mlp_unit(p, l + 1),
                       l == 0 ? NULL : s->delta + mlp_unit(p, l), rate);
}

static void inner_close(void *state)
{
    struct inner *s = state;
    free(s->output);
    free(s->delta);
    free(s);
}

static int inner_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct mlp_problem *p = problem;
    struct inner *s = calloc(1, sizeof *s);
    if (p->type != HPC_F64 || p->networks != 1 || p->replicas != 1 || !s) {
        free(s);
        return 1;
    }
    s->p = p;
    s->threads = env->threads;
    s->output = calloc(64, sizeof(double));
    s->delta = calloc((size_t)mlp_unit(p, p->n_layers), sizeof(double));
    *state = s;
    if (s->output && s->delta)
        return 0;
    inner_close(s);
    return 1;
}

static int inner_run(void *state, const void *const in[], void *const out[])
{
    const struct inner *s = state;
    const struct mlp_problem *p = s->p;
    const double *x = in[MLP_X], *y = in[MLP_Y], rate = *(const double *)in[MLP_RATES];
    size_t n_x = (size_t)p->size[0], n_y = (size_t)p->size[p->n_layers - 1];
    double *w = out[MLP_W];
    memcpy(w, in[MLP_W0], mlp_weights(p) * sizeof *w);
#pragma omp parallel num_threads(s->threads)
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        const int32_t *order = in[MLP_ORDER];
        const int32_t *row = order + (size_t)(epoch % p->permutations) * (size_t)p->samples;
        for (int i = 0; i < p->samples; i++)
            learn(s, w, x + (size_t)row[i] * n_x, y + (size_t)row[i] * n_y, rate);
    }
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,    "mlp_sgd", "openmp_inner",
                                        inner_open, inner_run, inner_close};
