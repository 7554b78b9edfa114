/* Everything on the stack: variable-length arrays whose rows are pointers to arrays, a recursion
 * whose frames hold a layer's outputs and deltas, activations chosen by _Generic and a table. */
#include <math.h>
#include <string.h>

#include "mlp/activation.h"
#include "mlp/mlp.h"

typedef void step(int activation, int n, double *restrict o);

static void activate(int activation, int n, double *restrict o)
{
    mlp_activate(activation, n, o);
}

/* Trains the layers from l on by what layer l - 1 puts out; its errors into `e`. */
static void layer(const struct mlp_problem *restrict p, int l, double *restrict w, const double *in,
                  const double *restrict y, double *restrict e, double rate)
{
    static step *const steps[] = {activate};
    const int n_in = p->size[l - 1], n = p->size[l];
    double(*row)[n] = (double(*)[n])w;
    double o[n], d[n];
    for (int k = 0; k < n; k++)
        o[k] = row[0][k];
    for (int i = 0; i < n_in; i++)
        for (int k = 0; k < n; k++)
            o[k] += in[i] * row[1 + i][k];
    steps[0](p->activation[l], n, o);
    if (l + 1 < p->n_layers)
        layer(p, l + 1, w + mlp_matrix(p, l - 1), o, y, d, rate);
    else
        for (int k = 0; k < n; k++)
            d[k] = y[k] - o[k];
    mlp_derivative(p->activation[l], n, o, d);
    for (int k = 0; k < n; k++)
        row[0][k] += rate * d[k];
    for (int i = 0; i < n_in; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++)
            sum += d[k] * row[1 + i][k];
        for (int k = 0; k < n; k++)
            row[1 + i][k] += rate * d[k] * in[i];
        e[i] = sum;
    }
}

static int open_it(const struct hpc_env *env, const void *problem, void **state)
{
    const struct mlp_problem *p = problem;
    (void)env;
    memcpy(state, &problem, sizeof problem);
    return p->type != HPC_F64 || p->networks != 1 || p->replicas != 1;
}

static int run(void *state, const void *const in[], void *const out[])
{
    const struct mlp_problem *p = state;
    const size_t n = mlp_weights(p);
    double w[n], errors[p->size[0]];
    const double(*x)[p->size[0]] = in[MLP_X];
    const double(*y)[p->size[p->n_layers - 1]] = in[MLP_Y];
    const int32_t(*order)[p->samples] = in[MLP_ORDER];
    memcpy(w, in[MLP_W0], sizeof w);
    for (int epoch = 0; epoch < p->epochs; epoch++)
        for (int i = 0; i < p->samples; i++) {
            const int32_t at = order[epoch % p->permutations][i];
            layer(p, 1, w, x[at], y[at], errors, ((const double *)in[MLP_RATES])[0]);
        }
    memcpy(out[MLP_W], w, sizeof w);
    return 0;
}

static void close_it(void *state)
{
    (void)state;
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_sgd", "flat", open_it, run, close_it};
