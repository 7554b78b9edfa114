/* lab3, openmp_inner: mlp/variants/flat.c with parallel loops inside forward and back-propagation.
 *
 * Contract (mlp/mlp.h): out[MLP_W] holds the weights after p->epochs epochs over the samples in the
 * order of in[MLP_ORDER], equal to flat's within 1e-12: let one thread compute a sum that belongs
 * to one unit, best in flat's order, whose result is then flat's bit for bit.
 *
 * TODO 1: copy flat's functions forward_propagation, back_propagation and their helpers to here.
 * TODO 2: open ONE parallel region a call, in inner_run, and share the loops over units inside it
 *         (`#pragma omp for`). Each loop ends with a barrier: which ones are needed? What must only
 *         one thread do (`#pragma omp single`)?
 * TODO 3: before you measure, write into prediction.ini from which width on it will pay. */
#include <omp.h>
#include <stdlib.h>
#include <string.h>

#include "mlp/activation.h"
#include "mlp/mlp.h"

struct inner {
    const struct mlp_problem *p;
    int threads;
    double *output;  /* o of all layers, one after another: mlp_unit(p, n_layers) */
    double *delta;   /* D likewise */
    double *weights; /* mlp_weights(p) */
};

static void inner_close(void *state)
{
    struct inner *s = state;
    free(s->output);
    free(s->delta);
    free(s->weights);
    free(s);
}

/* Everything is allocated here; returns non-zero for problems that this variant leaves to others.
 */
static int inner_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct mlp_problem *p = problem;
    struct inner *s = calloc(1, sizeof *s);
    if (!s || p->type != HPC_F64 || p->networks != 1 || p->replicas != 1) {
        free(s);
        return 1;
    }
    size_t units = (size_t)mlp_unit(p, p->n_layers);
    s->p = p;
    s->threads = env->threads;
    s->output = calloc(units, sizeof(double));
    s->delta = calloc(units, sizeof(double));
    s->weights = calloc(mlp_weights(p), sizeof(double));
    *state = s;
    if (s->output && s->delta && s->weights)
        return 0;
    inner_close(s);
    return 1;
}

static int inner_run(void *state, const void *const in[], void *const out[])
{
    struct inner *s = state;
    const struct mlp_problem *p = s->p;
    memcpy(s->weights, in[MLP_W0], mlp_weights(p) * sizeof(double));
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        const int32_t *order = in[MLP_ORDER];
        const int32_t *row = order + (size_t)(epoch % p->permutations) * (size_t)p->samples;
        for (int i = 0; i < p->samples; i++) {
            (void)row; /* TODO: one update with sample row[i] */
        }
    }
    memcpy(out[MLP_W], s->weights, mlp_weights(p) * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,    "mlp_sgd", "openmp_inner",
                                        inner_open, inner_run, inner_close};
