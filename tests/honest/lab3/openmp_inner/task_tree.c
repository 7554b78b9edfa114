/* Tasks that halve a layer's rows until they are few, a taskgroup a layer, priorities and final();
 * a declared reduction over what threads have of the error. */
#include <omp.h>

#include "mlp/replicas.h"

struct span {
    double first, last;
};
#pragma omp declare reduction(widest                                                               \
                              : struct span                                                        \
                              : omp_out.last =                                                     \
                                    omp_in.last > omp_out.last ? omp_in.last : omp_out.last)       \
    initializer(omp_priv = (struct span){0, -1e300})

enum { FEW = 16 };

static void rows(int first, int last, int n, double *w, const double *in, const double *d,
                 double *e, double rate)
{
    if (last - first > FEW) {
        const int middle = first + (last - first) / 2;
#pragma omp task default(shared) firstprivate(first, middle) final(middle - first <= FEW)          \
    priority(1)
        rows(first, middle, n, w, in, d, e, rate);
        rows(middle, last, n, w, in, d, e, rate);
#pragma omp taskwait
        return;
    }
    for (int i = first; i < last; i++) {
        double sum = 0;
        for (int k = 0; k < n; k++) {
            sum += d[k] * w[(1 + i) * n + k];
            w[(1 + i) * n + k] += rate * d[k] * in[i];
        }
        if (e)
            e[i] = sum;
    }
}

static void columns(int first, int last, int n_in, int n, const double *w, const double *in,
                    double *z)
{
    if (last - first > FEW) {
        const int middle = first + (last - first) / 2;
#pragma omp task untied
        columns(first, middle, n_in, n, w, in, z);
        columns(middle, last, n_in, n, w, in, z);
#pragma omp taskwait
        return;
    }
    for (int k = first; k < last; k++)
        z[k] = w[k];
    for (int i = 0; i < n_in; i++)
        for (int k = first; k < last; k++)
            z[k] += in[i] * w[(1 + i) * n + k];
}

static void sample(const struct replicas *s, double *w, const double *x, const double *y,
                   double rate)
{
    const struct mlp_problem *p = s->p;
    const int last = p->n_layers - 1;
    double *o = w + s->weights, *d = o + mlp_unit(p, p->n_layers);
    memcpy(o, x, (size_t)p->size[0] * sizeof *o);
    for (int l = 1; l <= last; l++) {
#pragma omp taskgroup
        columns(0, p->size[l], p->size[l - 1], p->size[l], w + mlp_offset(p, l - 1),
                o + mlp_unit(p, l - 1), o + mlp_unit(p, l));
        mlp_activate(p->activation[l], p->size[l], o + mlp_unit(p, l));
    }
    for (int l = last; l >= 1; l--) {
        double *delta = d + mlp_unit(p, l), *m = w + mlp_offset(p, l - 1);
        const double *out = o + mlp_unit(p, l);
        for (int k = 0; l == last && k < p->size[l]; k++)
            delta[k] = y[k] - out[k];
        mlp_derivative(p->activation[l], p->size[l], out, delta);
        for (int k = 0; k < p->size[l]; k++)
            m[k] += rate * delta[k];
        rows(0, p->size[l - 1], p->size[l], m, o + mlp_unit(p, l - 1), delta,
             l > 1 ? d + mlp_unit(p, l - 1) : NULL, rate);
    }
}

static int run(void *state, const void *const in[], void *const out[])
{
    struct replicas *s = state;
    const struct mlp_problem *p = s->p;
    const double rate = *(const double *)in[MLP_RATES];
    struct span seen = {0, -1e300};
    start_from(s, 0, in);
#pragma omp parallel num_threads(s->threads)
#pragma omp single
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        const int32_t *row =
            (const int32_t *)in[MLP_ORDER] + (size_t)(epoch % p->permutations) * (size_t)p->samples;
        for (int i = 0; i < p->samples; i++)
            sample(s, s->replica, (const double *)in[MLP_X] + (size_t)row[i] * (size_t)p->size[0],
                   (const double *)in[MLP_Y] + (size_t)row[i] * (size_t)p->size[p->n_layers - 1],
                   rate);
    }
#pragma omp parallel for num_threads(s->threads) reduction(widest : seen)
    for (size_t i = 0; i < s->weights; i++)
        seen.last = s->replica[i] > seen.last ? s->replica[i] : seen.last;
    memcpy(out[MLP_W], s->replica, s->weights * sizeof(double));
    return !(seen.last < 1e300);
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
