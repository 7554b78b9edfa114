/* The activations of mlp.h and their derivatives, in double, on one layer of n units.
 * Both work in place; the order of all operations is fixed, so that variants which differ only in
 * where they keep their weights agree bit for bit. */
#ifndef HPC_MLP_ACTIVATION_H
#define HPC_MLP_ACTIVATION_H

#include <math.h>

#include "mlp/mlp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* o[k] = exp(o[k] - max o) / sum: the largest exponent is 0, so nothing overflows. */
static inline void mlp_softmax(int n, double *o)
{
    double max = o[0], sum = 0;
    for (int k = 1; k < n; k++)
        max = o[k] > max ? o[k] : max;
    for (int k = 0; k < n; k++) {
        o[k] = exp(o[k] - max);
        sum += o[k];
    }
    for (int k = 0; k < n; k++)
        o[k] /= sum;
}

/* o[0..n) holds z and becomes activation(z). n >= 1. */
static inline void mlp_activate(int activation, int n, double *o)
{
    switch (activation) {
    case MLP_SIGMOID:
        for (int k = 0; k < n; k++)
            o[k] = 1 / (1 + exp(-o[k]));
        break;
    case MLP_TANH:
        for (int k = 0; k < n; k++)
            o[k] = tanh(o[k]);
        break;
    case MLP_RELU:
        for (int k = 0; k < n; k++)
            o[k] = o[k] > 0 ? o[k] : 0;
        break;
    case MLP_SOFTMAX:
        mlp_softmax(n, o);
        break;
    default: /* MLP_IDENTITY */
        break;
    }
}

/* d[0..n) holds e = -dE/do and becomes D = -dE/dz, where o = activation(z). */
static inline void mlp_derivative(int activation, int n, const double *o, double *d)
{
    double sum = 0;
    switch (activation) {
    case MLP_SIGMOID:
        for (int k = 0; k < n; k++)
            d[k] = d[k] * o[k] * (1 - o[k]);
        break;
    case MLP_TANH:
        for (int k = 0; k < n; k++)
            d[k] = d[k] * (1 - o[k] * o[k]);
        break;
    case MLP_RELU:
        for (int k = 0; k < n; k++)
            d[k] = o[k] > 0 ? d[k] : 0;
        break;
    case MLP_SOFTMAX: /* every output depends on every z */
        for (int k = 0; k < n; k++)
            sum += d[k] * o[k];
        for (int k = 0; k < n; k++)
            d[k] = o[k] * (d[k] - sum);
        break;
    default: /* MLP_IDENTITY */
        break;
    }
}

#ifdef __cplusplus
}
#endif
#endif
