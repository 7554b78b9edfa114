/* The oracle of mlp_sgd: mlp.h in double, one loop a formula, nothing clever. */
#include <stdlib.h>
#include <string.h>

#include "common/size.h"
#include "mlp/activation.h"
#include "mlp/op/op.h"

void mlp_forward(const struct mlp_problem *p, const double *w, const double *x, double *o)
{
    memcpy(o, x, (size_t)p->size[0] * sizeof *o);
    for (int l = 1; l < p->n_layers; l++) {
        const double *in = o + mlp_unit(p, l - 1), *matrix = w + mlp_offset(p, l - 1);
        double *out = o + mlp_unit(p, l);
        size_t n_out = (size_t)p->size[l];
        memcpy(out, matrix, n_out * sizeof *out);
        for (size_t i = 0; i < (size_t)p->size[l - 1]; i++)
            for (size_t k = 0; k < n_out; k++)
                out[k] += in[i] * matrix[(1 + i) * n_out + k];
        mlp_activate(p->activation[l], p->size[l], out);
    }
}

/* D of all layers but the input into d, by the outputs o of the forward pass. */
static void deltas(const struct mlp_problem *p, const double *w, const double *o, const double *y,
                   double *d)
{
    int last = p->n_layers - 1;
    for (int l = last; l >= 1; l--) {
        const double *out = o + mlp_unit(p, l);
        double *e = d + mlp_unit(p, l);
        for (int i = 0; i < p->size[l]; i++) {
            double sum = 0;
            if (l == last) {
                sum = y[i] - out[i];
            } else {
                const double *row = w + mlp_offset(p, l) + (size_t)(1 + i) * (size_t)p->size[l + 1];
                for (int k = 0; k < p->size[l + 1]; k++)
                    sum += e[p->size[l] + k] * row[k]; /* the next layer's D follow e */
            }
            e[i] = sum;
        }
        mlp_derivative(p->activation[l], p->size[l], out, e);
    }
}

/* w += (rate D) o. */
static void update(const struct mlp_problem *p, double *w, const double *o, const double *d,
                   double rate)
{
    for (int l = 0; l < p->n_layers - 1; l++) {
        const double *in = o + mlp_unit(p, l), *delta = d + mlp_unit(p, l + 1);
        for (int i = 0; i < 1 + p->size[l]; i++)
            for (int k = 0; k < p->size[l + 1]; k++, w++)
                *w += i == 0 ? rate * delta[k] : rate * delta[k] * in[i - 1];
    }
}

void mlp_gradient(const struct mlp_problem *p, const double *w, const double *x, const double *y,
                  double *o, double *d, double *g)
{
    mlp_forward(p, w, x, o);
    deltas(p, w, o, y, d);
    update(p, g, o, d, 1);
}

double mlp_error(const struct mlp_problem *p, const double *w, const double *x, const double *y)
{
    int outputs = p->size[p->n_layers - 1];
    double *o = hpc_malloc((size_t)mlp_unit(p, p->n_layers) * sizeof *o), sum = 0;
    const double *out = o + mlp_unit(p, p->n_layers - 1);
    for (int s = 0; s < p->samples; s++, x += p->size[0], y += outputs) {
        mlp_forward(p, w, x, o);
        for (int k = 0; k < outputs; k++)
            sum += 0.5 * (y[k] - out[k]) * (y[k] - out[k]);
    }
    free(o);
    return p->samples > 0 ? sum / p->samples : 0;
}

bool mlp_at_rest(const struct mlp_problem *p, const double *w, const double *x, const double *y)
{
    size_t n = mlp_weights(p), units = (size_t)mlp_unit(p, p->n_layers);
    double *g = hpc_calloc(n, sizeof *g), *o = hpc_malloc(2 * units * sizeof *o);
    bool rest = true;
    for (size_t s = 0; rest && s < (size_t)p->samples; s++) {
        mlp_gradient(p, w, x + s * (size_t)p->size[0], y + s * (size_t)p->size[p->n_layers - 1], o,
                     o + units, g);
        for (size_t i = 0; rest && i < n; i++)
            rest = g[i] == 0;
    }
    free(g);
    free(o);
    return rest;
}

/* All replicas get (w_0 + w_1 + ..) / R. */
static void merge(size_t n, int replicas, double *w)
{
    for (size_t i = 0; i < n; i++) {
        double sum = w[i];
        for (int r = 1; r < replicas; r++)
            sum += w[(size_t)r * n + i];
        for (int r = 0; r < replicas; r++)
            w[(size_t)r * n + i] = sum / replicas;
    }
}

/* One network. w: [replicas][mlp_weights], o, d: all units. */
static void train(const struct mlp_problem *p, const double *x, const double *y,
                  const int32_t *order, double rate, double *w, double *o, double *d)
{
    size_t n = mlp_weights(p);
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        const int32_t *row = order + (size_t)(epoch % p->permutations) * (size_t)p->samples;
        for (int r = 0; r < p->replicas; r++) {
            double *mine = w + (size_t)r * n;
            int first, last;
            mlp_shard(p, r, &first, &last);
            for (int i = first; i < last; i++) {
                size_t sample = (size_t)row[i];
                mlp_forward(p, mine, x + sample * (size_t)p->size[0], o);
                deltas(p, mine, o, y + sample * (size_t)p->size[p->n_layers - 1], d);
                update(p, mine, o, d, rate);
            }
        }
        if ((epoch + 1) % p->merge_every == 0 || epoch + 1 == p->epochs)
            merge(n, p->replicas, w);
    }
}

void mlp_emulate(const struct mlp_problem *p, const double *x, const double *y,
                 const int32_t *order, const double *w0, const double *rates, double *w)
{
    size_t n = mlp_weights(p), units = (size_t)mlp_unit(p, p->n_layers);
    double *all = hpc_malloc(hpc_mul(hpc_mul(n, (size_t)p->replicas), sizeof *all));
    double *o = hpc_malloc(units * sizeof *o), *d = hpc_malloc(units * sizeof *d);
    for (size_t net = 0; net < (size_t)p->networks; net++) {
        for (size_t r = 0; r < (size_t)p->replicas; r++)
            memcpy(all + r * n, w0 + net * n, n * sizeof *all);
        train(p, x, y, order, rates[net], all, o, d);
        memcpy(w + net * n, all, n * sizeof *all);
    }
    free(all);
    free(o);
    free(d);
}
