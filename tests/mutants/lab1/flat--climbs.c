/* expect: wrong; hint: climb */
/* The step goes up the gradient, as in the program that [Dong] starts from once its rate is mended.
 */
#include <stdlib.h>
#include <string.h>

#include "mlp/activation.h"
#include "mlp/mlp.h"

struct flat {
    const struct mlp_problem *p;
    double *output;  /* o of all layers, one after another: mlp_unit(p, n_layers) */
    double *delta;   /* D likewise */
    double *weights; /* [replicas][mlp_weights(p)] */
};

/* Fill o[0 .. all units) from the inputs x[0 .. size[0]). */
static void forward_propagation(const struct mlp_problem *p, const double *w, const double *x,
                                double *o)
{
    memcpy(o, x, (size_t)p->size[0] * sizeof *o);
    for (int l = 1; l < p->n_layers; l++) {
        int n_in = p->size[l - 1], n_out = p->size[l];
        double *z = o + n_in;
        memcpy(z, w, (size_t)n_out * sizeof *z);
        w += n_out;
        for (int i = 0; i < n_in; i++, w += n_out)
            for (int k = 0; k < n_out; k++)
                z[k] += o[i] * w[k];
        mlp_activate(p->activation[l], n_out, z);
        o = z;
    }
}

/* One update of the matrix w between n_in units with outputs o and n_out units with deltas d.
 * e, unless NULL, gets the errors of the n_in units, by the weights as they were. */
static void update(int n_in, int n_out, double *w, const double *o, const double *d, double *e,
                   double rate)
{
    for (int k = 0; k < n_out; k++)
        w[k] -= rate * d[k];
    w += n_out;
    for (int i = 0; i < n_in; i++, w += n_out) {
        if (e) {
            double sum = 0;
            for (int k = 0; k < n_out; k++)
                sum += d[k] * w[k];
            e[i] = sum;
        }
        for (int k = 0; k < n_out; k++)
            w[k] -= rate * d[k] * o[i];
    }
}

static void back_propagation(const struct mlp_problem *p, double *w, const double *o,
                             const double *y, double *d, double rate)
{
    int last = p->n_layers - 1;
    o += mlp_unit(p, last);
    d += mlp_unit(p, last);
    w += mlp_weights(p);
    for (int k = 0; k < p->size[last]; k++)
        d[k] = y[k] - o[k];
    mlp_derivative(p->activation[last], p->size[last], o, d);
    for (int l = last - 1; l >= 0; l--) {
        const double *d_next = d;
        o -= p->size[l];
        d -= p->size[l];
        w -= mlp_matrix(p, l);
        update(p->size[l], p->size[l + 1], w, o, d_next, l > 0 ? d : NULL, rate);
        if (l > 0)
            mlp_derivative(p->activation[l], p->size[l], o, d);
    }
}

/* Every replica gets the mean of all. */
static void merge(const struct mlp_problem *p, double *weights)
{
    size_t n = mlp_weights(p);
    for (size_t i = 0; i < n; i++) {
        double sum = weights[i];
        for (int r = 1; r < p->replicas; r++)
            sum += weights[(size_t)r * n + i];
        for (int r = 0; r < p->replicas; r++)
            weights[(size_t)r * n + i] = sum / p->replicas;
    }
}

static void train(const struct flat *s, const double *x, const double *y, const int32_t *order,
                  double rate)
{
    const struct mlp_problem *p = s->p;
    size_t n_x = (size_t)p->size[0], n_y = (size_t)p->size[p->n_layers - 1];
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        const int32_t *row = order + (size_t)(epoch % p->permutations) * (size_t)p->samples;
        for (int r = 0; r < p->replicas; r++) {
            double *w = s->weights + (size_t)r * mlp_weights(p);
            int first, last;
            mlp_shard(p, r, &first, &last);
            for (int i = first; i < last; i++) {
                size_t sample = (size_t)row[i];
                forward_propagation(p, w, x + sample * n_x, s->output);
                back_propagation(p, w, s->output, y + sample * n_y, s->delta, rate);
            }
        }
        if (p->replicas > 1 && ((epoch + 1) % p->merge_every == 0 || epoch + 1 == p->epochs))
            merge(p, s->weights);
    }
}

static void flat_close(void *state)
{
    struct flat *s = state;
    free(s->output);
    free(s->delta);
    free(s->weights);
    free(s);
}

static int flat_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    const struct mlp_problem *p = problem;
    struct flat *s = calloc(1, sizeof *s);
    if (p->type != HPC_F64 || !s) {
        free(s);
        return 1;
    }
    size_t units = (size_t)mlp_unit(p, p->n_layers);
    s->p = p;
    s->output = calloc(units, sizeof(double));
    s->delta = calloc(units, sizeof(double));
    s->weights = calloc((size_t)p->replicas * mlp_weights(p), sizeof(double));
    if (!s->output || !s->delta || !s->weights) {
        flat_close(s);
        return 1;
    }
    *state = s;
    return 0;
}

static int flat_run(void *state, const void *const in[], void *const out[])
{
    const struct flat *s = state;
    size_t n = mlp_weights(s->p);
    for (int net = 0; net < s->p->networks; net++) {
        const double *w0 = (const double *)in[MLP_W0] + (size_t)net * n;
        for (int r = 0; r < s->p->replicas; r++)
            memcpy(s->weights + (size_t)r * n, w0, n * sizeof *w0);
        train(s, in[MLP_X], in[MLP_Y], in[MLP_ORDER], ((const double *)in[MLP_RATES])[net]);
        memcpy((double *)out[MLP_W] + (size_t)net * n, s->weights, n * sizeof *w0);
    }
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,   "mlp_sgd", "flat",
                                        flat_open, flat_run,  flat_close};
