/* A net whose weights, or units, do not lie side by side, for mutants of lab3 and lab4. */
#ifndef HPC_TESTS_STRIDED_H
#define HPC_TESTS_STRIDED_H

#include "mlp/replicas.h"

#define STRIDED_UNITS 64 /* of a layer, at most */

/* Where a net's numbers lie: weight i at w[i * apart], output and delta of unit i at
 * o[i * units_apart] and d[i * units_apart]. */
struct strided {
    double *w, *o, *d;
    int apart, units_apart;
};

UNUSED static void strided_forward(const struct mlp_problem *p, const struct strided *s, int l)
{
    const int n_in = p->size[l - 1], n = p->size[l], a = s->apart, b = s->units_apart;
    const double *m = s->w + mlp_offset(p, l - 1) * a, *in = s->o + mlp_unit(p, l - 1) * b;
    double *z = s->o + mlp_unit(p, l) * b, out[STRIDED_UNITS];
    for (int k = 0; k < n; k++)
        z[k * b] = m[k * a];
    for (int i = 0; i < n_in; i++)
        for (int k = 0; k < n; k++)
            z[k * b] += in[i * b] * m[((1 + i) * n + k) * a];
    for (int k = 0; k < n; k++)
        out[k] = z[k * b];
    mlp_activate(p->activation[l], n, out);
    for (int k = 0; k < n; k++)
        z[k * b] = out[k];
}

UNUSED static void strided_backward(const struct mlp_problem *p, const struct strided *s, int l,
                                    double rate)
{
    const int n_in = p->size[l - 1], n = p->size[l], a = s->apart, b = s->units_apart;
    double *m = s->w + mlp_offset(p, l - 1) * a, *delta = s->d + mlp_unit(p, l) * b;
    const double *in = s->o + mlp_unit(p, l - 1) * b;
    double out[STRIDED_UNITS], own[STRIDED_UNITS];
    for (int k = 0; k < n; k++) {
        out[k] = s->o[(mlp_unit(p, l) + k) * b];
        own[k] = delta[k * b];
    }
    mlp_derivative(p->activation[l], n, out, own);
    for (int k = 0; k < n; k++) {
        delta[k * b] = own[k];
        m[k * a] += rate * own[k];
    }
    for (int i = 0; i < n_in; i++) {
        double *e = s->d + (mlp_unit(p, l - 1) + i) * b;
        *e = 0;
        for (int k = 0; k < n; k++) {
            *e += delta[k * b] * m[((1 + i) * n + k) * a];
            m[((1 + i) * n + k) * a] += rate * delta[k * b] * in[i * b];
        }
    }
}

/* Replica r's part of an epoch. */
UNUSED static void strided_shard(const struct mlp_problem *p, const struct strided *s, int r,
                                 int epoch, const void *const in[])
{
    const int32_t *row =
        (const int32_t *)in[MLP_ORDER] + (size_t)(epoch % p->permutations) * (size_t)p->samples;
    const int last = p->n_layers - 1, n_in = p->size[0], n_out = p->size[last];
    int first, end;
    mlp_shard(p, r, &first, &end);
    for (int i = first; i < end; i++) {
        const double *x = (const double *)in[MLP_X] + (size_t)row[i] * (size_t)n_in,
                     *y = (const double *)in[MLP_Y] + (size_t)row[i] * (size_t)n_out;
        for (int k = 0; k < n_in; k++)
            s->o[k * s->units_apart] = x[k];
        for (int l = 1; l <= last; l++)
            strided_forward(p, s, l);
        for (int k = 0; k < n_out; k++) {
            const size_t at = (size_t)(mlp_unit(p, last) + k) * (size_t)s->units_apart;
            s->d[at] = y[k] - s->o[at];
        }
        for (int l = last; l >= 1; l--)
            strided_backward(p, s, l, *(const double *)in[MLP_RATES]);
    }
}

#endif
