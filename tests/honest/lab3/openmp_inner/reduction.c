/* Parallel loops a layer, each a region of its own: collapse, simd, reductions for softmax and
 * errors. */
#include <omp.h>

#include "mlp/replicas.h"

static void forward(const struct replicas *s, int l, const double *w, const double *in, double *z)
{
    const int n_in = s->p->size[l - 1], n = s->p->size[l];
#pragma omp parallel for simd num_threads(s->threads) schedule(static)
    for (int k = 0; k < n; k++) {
        z[k] = w[k];
        for (int i = 0; i < n_in; i++)
            z[k] += in[i] * w[(1 + i) * n + k];
    }
    mlp_activate(s->p->activation[l], n, z);
}

static void backward(const struct replicas *s, int l, double *w, const double *in, const double *d,
                     double *e, double rate)
{
    const int n_in = s->p->size[l - 1], n = s->p->size[l];
#pragma omp parallel num_threads(s->threads)
    {
#pragma omp for nowait
        for (int k = 0; k < n; k++)
            w[k] += rate * d[k];
#pragma omp for schedule(guided)
        for (int i = 0; i < n_in; i++) {
            double sum = 0;
            for (int k = 0; k < n; k++) {
                sum += d[k] * w[(1 + i) * n + k];
                w[(1 + i) * n + k] += rate * d[k] * in[i];
            }
            if (e)
                e[i] = sum;
        }
    }
}

static void sample(const struct replicas *s, double *w, const double *x, const double *y,
                   double rate)
{
    const struct mlp_problem *p = s->p;
    const int last = p->n_layers - 1;
    double *o = w + s->weights, *d = o + mlp_unit(p, p->n_layers);
    memcpy(o, x, (size_t)p->size[0] * sizeof *o);
    for (int l = 1; l <= last; l++)
        forward(s, l, w + mlp_offset(p, l - 1), o + mlp_unit(p, l - 1), o + mlp_unit(p, l));
    for (int l = last; l >= 1; l--) {
        double *delta = d + mlp_unit(p, l);
        const double *out = o + mlp_unit(p, l);
        for (int k = 0; l == last && k < p->size[l]; k++)
            delta[k] = y[k] - out[k];
        mlp_derivative(p->activation[l], p->size[l], out, delta);
        backward(s, l, w + mlp_offset(p, l - 1), o + mlp_unit(p, l - 1), delta,
                 l > 1 ? d + mlp_unit(p, l - 1) : NULL, rate);
    }
}

static int run(void *state, const void *const in[], void *const out[])
{
    struct replicas *s = state;
    const struct mlp_problem *p = s->p;
    double rate = *(const double *)in[MLP_RATES], total = 0;
    start_from(s, 0, in);
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        const int32_t *row =
            (const int32_t *)in[MLP_ORDER] + (size_t)(epoch % p->permutations) * (size_t)p->samples;
        for (int i = 0; i < p->samples; i++)
            sample(s, s->replica, (const double *)in[MLP_X] + (size_t)row[i] * (size_t)p->size[0],
                   (const double *)in[MLP_Y] + (size_t)row[i] * (size_t)p->size[p->n_layers - 1],
                   rate);
    }
#pragma omp parallel for num_threads(s->threads) reduction(max : total)
    for (size_t i = 0; i < s->weights; i++)
        total = s->replica[i] > total ? s->replica[i] : total;
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return !(total < 1e300);
}

static int open_inner(const struct hpc_env *env, const void *problem, void **state)
{
    if (replicas_open(env, problem, state))
        return 1;
    ((struct replicas *)*state)->threads = env->threads;
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,    "mlp_sgd", "openmp_inner",
                                        open_inner, run,       replicas_close};
