/* lab1, flat: the same net as mlp/variants/serial.c, without its allocations and its pointers.
 *
 * Contract (mlp/mlp.h): out[MLP_W] holds the weights after p->epochs epochs over the samples, in
 * the order of row `epoch % p->permutations` of in[MLP_ORDER], with serial's operations in serial's
 * order: then the results are equal bit for bit. The grader allows 1e-12.
 * The layout of a net's weights, in in[MLP_W0] and out[MLP_W] alike, is flat already: for each pair
 * of layers l, l + 1 a matrix of size[l] + 1 rows (row 0 is the bias) and size[l + 1] columns, one
 * after another; mlp_offset, mlp_matrix and mlp_unit compute where things start.
 *
 * TODO 1: forward_propagation and back_propagation on s->weights, s->output and s->delta, for
 *         every activation (mlp/activation.h has them and their derivatives).
 * TODO 2: call both in flat_run for each sample. Allocate nothing there: open has done it.
 * TODO 3: e[l] needs the weights as they were in the forward pass: read a row before you update it.
 *
 * As handed out it compiles, and returns the weights untouched: wrong. */
#include <stdlib.h>
#include <string.h>

#include "mlp/activation.h"
#include "mlp/mlp.h"

struct flat {
    const struct mlp_problem *p;
    double *output;  /* o of all layers, one after another: mlp_unit(p, n_layers) */
    double *delta;   /* D likewise */
    double *weights; /* mlp_weights(p) */
};

static void flat_close(void *state)
{
    struct flat *s = state;
    free(s->output);
    free(s->delta);
    free(s->weights);
    free(s);
}

/* Everything is allocated here; returns non-zero for problems that this variant leaves to others.
 */
static int flat_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    const struct mlp_problem *p = problem;
    struct flat *s = calloc(1, sizeof *s);
    if (!s || p->type != HPC_F64 || p->networks != 1 || p->replicas != 1) {
        free(s);
        return 1;
    }
    size_t units = (size_t)mlp_unit(p, p->n_layers);
    s->p = p;
    s->output = calloc(units, sizeof(double));
    s->delta = calloc(units, sizeof(double));
    s->weights = calloc(mlp_weights(p), sizeof(double));
    *state = s;
    if (s->output && s->delta && s->weights)
        return 0;
    flat_close(s);
    return 1;
}

static int flat_run(void *state, const void *const in[], void *const out[])
{
    struct flat *s = state;
    const struct mlp_problem *p = s->p;
    const int32_t *order = in[MLP_ORDER];
    memcpy(s->weights, in[MLP_W0], mlp_weights(p) * sizeof(double));
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        const int32_t *row = order + (size_t)(epoch % p->permutations) * (size_t)p->samples;
        for (int i = 0; i < p->samples; i++) {
            (void)row; /* TODO: one update with sample row[i]; the rate is *in[MLP_RATES] */
        }
    }
    memcpy(out[MLP_W], s->weights, mlp_weights(p) * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,   "mlp_sgd", "flat",
                                        flat_open, flat_run,  flat_close};
