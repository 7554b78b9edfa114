/* One parallel region a call: threads go through the samples together, each with its share of a
 * layer's units, barriers between; scratch is static and of fixed size, activations by one. */
#include <omp.h>

#include "mlp/replicas.h"

enum { MOST = 8192 };

static double o[MOST], d[MOST];

/* The share [*first, *last) of n that this thread has. */
static inline void share(int n, int *first, int *last)
{
    const int me = omp_get_thread_num(), team = omp_get_num_threads();
    *first = (int)((long)n * me / team);
    *last = (int)((long)n * (me + 1) / team);
}

static void up(const struct mlp_problem *p, int l, const double *w)
{
    const int n_in = p->size[l - 1], n = p->size[l];
    const double *restrict in = o + mlp_unit(p, l - 1);
    double *restrict z = o + mlp_unit(p, l);
    int first, last;
    share(n, &first, &last);
    for (int k = first; k < last; k++)
        z[k] = w[k];
    for (int i = 0; i < n_in; i++)
        for (int k = first; k < last; k++)
            z[k] += in[i] * w[(1 + i) * n + k];
#pragma omp barrier
#pragma omp single
    mlp_activate(p->activation[l], n, z);
}

static void down(const struct mlp_problem *p, int l, double *w, const double *y, double rate)
{
    const int n_in = p->size[l - 1], n = p->size[l], top = p->n_layers - 1;
    const double *in = o + mlp_unit(p, l - 1), *out = o + mlp_unit(p, l);
    double *delta = d + mlp_unit(p, l), *e = d + mlp_unit(p, l - 1);
    int first, last;
#pragma omp single
    {
        for (int k = 0; l == top && k < n; k++)
            delta[k] = y[k] - out[k];
        mlp_derivative(p->activation[l], n, out, delta);
    }
    share(n, &first, &last);
    for (int k = first; k < last; k++)
        w[k] += rate * delta[k];
    share(n_in, &first, &last);
    for (int i = first; i < last; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++) {
            sum += delta[k] * w[(1 + i) * n + k];
            w[(1 + i) * n + k] += rate * delta[k] * in[i];
        }
        e[i] = sum;
    }
#pragma omp barrier
}

static int run(void *state, const void *const in[], void *const out[])
{
    struct replicas *s = state;
    const struct mlp_problem *p = s->p;
    const double rate = *(const double *)in[MLP_RATES];
    double *const w = out[MLP_W];
    omp_set_dynamic(0);
    memcpy(w, in[MLP_W0], s->weights * sizeof *w);
#pragma omp parallel num_threads(s->threads) default(none) shared(p, in, w, rate, o)
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        const int32_t *row =
            (const int32_t *)in[MLP_ORDER] + (size_t)(epoch % p->permutations) * (size_t)p->samples;
        for (int i = 0; i < p->samples; i++) {
            const double *y =
                (const double *)in[MLP_Y] + (size_t)row[i] * (size_t)p->size[p->n_layers - 1];
#pragma omp master
            memcpy(o, (const double *)in[MLP_X] + (size_t)row[i] * (size_t)p->size[0],
                   (size_t)p->size[0] * sizeof *o);
#pragma omp barrier
            for (int l = 1; l < p->n_layers; l++)
                up(p, l, w + mlp_offset(p, l - 1));
            for (int l = p->n_layers - 1; l >= 1; l--)
                down(p, l, w + mlp_offset(p, l - 1), y, rate);
        }
    }
    return 0;
}

static int open_inner(const struct hpc_env *env, const void *problem, void **state)
{
    if (mlp_unit(problem, ((const struct mlp_problem *)problem)->n_layers) > MOST ||
        replicas_open(env, problem, state))
        return 1;
    ((struct replicas *)*state)->threads = env->threads;
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,    "mlp_sgd", "openmp_inner",
                                        open_inner, run,       replicas_close};
