/* Trains in the output array itself; static scratch of fixed size, sizes known to the compiler for
 * the net of the paper by always_inline, all others by the same code. */
#include <stdlib.h>
#include <string.h>

#include "mlp/activation.h"
#include "mlp/mlp.h"

#define MOST 4096

static _Alignas(64) double scratch[2][MOST];

__attribute__((always_inline)) static inline void forward(int n_in, int n, const double *w,
                                                          const double *in, double *z)
{
    for (int k = 0; k < n; k++)
        z[k] = w[k];
    for (int i = 0; i < n_in; i++)
        for (int k = 0; k < n; k++)
            z[k] += in[i] * w[(1 + i) * n + k];
}

__attribute__((always_inline)) static inline void
backward(int n_in, int n, double *w, const double *in, const double *d, double *e, double rate)
{
    for (int k = 0; k < n; k++)
        w[k] += rate * d[k];
    for (int i = 0; i < n_in; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum += d[k] * w[(1 + i) * n + k];
        e[i] = sum;
        for (int k = 0; k < n; k++)
            w[(1 + i) * n + k] += rate * d[k] * in[i];
    }
}

#define KNOWN(a, b, f, ...)                                                                        \
    if (n_in == a && n == b)                                                                       \
        f(a, b, __VA_ARGS__);                                                                      \
    else

static void up(int n_in, int n, const double *w, const double *in, double *z)
{
    KNOWN(4, 4, forward, w, in, z)
    KNOWN(4, 5, forward, w, in, z)
    KNOWN(5, 5, forward, w, in, z)
    KNOWN(5, 1, forward, w, in, z) forward(n_in, n, w, in, z);
}

static void down(int n_in, int n, double *w, const double *in, const double *d, double *e,
                 double rate)
{
    KNOWN(4, 4, backward, w, in, d, e, rate)
    KNOWN(4, 5, backward, w, in, d, e, rate)
    KNOWN(5, 5, backward, w, in, d, e, rate)
    KNOWN(5, 1, backward, w, in, d, e, rate) backward(n_in, n, w, in, d, e, rate);
}

static void learn(const struct mlp_problem *p, double *w, const double *x, const double *y,
                  double rate)
{
    double *const o = scratch[0], *const d = scratch[1];
    const int last = p->n_layers - 1;
    memmove(o, x, (size_t)p->size[0] * sizeof *o);
    for (int l = 1; l <= last; l++) {
        double *z = o + mlp_unit(p, l);
        up(p->size[l - 1], p->size[l], w + mlp_offset(p, l - 1), o + mlp_unit(p, l - 1), z);
        mlp_activate(p->activation[l], p->size[l], z);
    }
    for (int k = 0; k < p->size[last]; k++)
        d[mlp_unit(p, last) + k] = y[k] - o[mlp_unit(p, last) + k];
    for (int l = last; l >= 1; l--) {
        double *delta = d + mlp_unit(p, l);
        mlp_derivative(p->activation[l], p->size[l], o + mlp_unit(p, l), delta);
        down(p->size[l - 1], p->size[l], w + mlp_offset(p, l - 1), o + mlp_unit(p, l - 1), delta,
             d + mlp_unit(p, l - 1), rate);
    }
}

static int open_it(const struct hpc_env *env, const void *problem, void **state)
{
    const struct mlp_problem *p = problem;
    (void)env;
    *(const void **)state = problem;
    return p->type != HPC_F64 || p->networks != 1 || p->replicas != 1 ||
           mlp_unit(p, p->n_layers) > MOST;
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct mlp_problem *p = state;
    double *w = out[MLP_W];
    memcpy(w, in[MLP_W0], mlp_weights(p) * sizeof *w);
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        const int32_t *row =
            (const int32_t *)in[MLP_ORDER] + (size_t)(epoch % p->permutations) * (size_t)p->samples;
        for (const int32_t *at = row; at != row + p->samples; at++)
            learn(p, w, (const double *)in[MLP_X] + (size_t)*at * (size_t)p->size[0],
                  (const double *)in[MLP_Y] + (size_t)*at * (size_t)p->size[p->n_layers - 1],
                  *(const double *)in[MLP_RATES]);
    }
    return 0;
}

static void close_it(void *state)
{
    (void)state;
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_sgd", "flat", open_it, run, close_it};
