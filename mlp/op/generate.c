/* The inputs of mlp_sgd and mlp_minibatch, drawn from (seed, call). */
#include <math.h>
#include <stdlib.h>

#include "common/random.h"
#include "common/size.h"
#include "mlp/op/op.h"

#define CHUNK 1024 /* weights drawn at once */

/* What is drawn; each has a stream of its own, (call + 1) << 8 | what. */
enum { DRAW_DATA = 1, DRAW_ORDER, DRAW_WEIGHTS };

static struct hpc_random stream(uint64_t seed, uint64_t call, unsigned what)
{
    struct hpc_random random;
    hpc_random_init(&random, seed, (call + 1) << 8 | what);
    return random;
}

static void put(void *array, int type, size_t i, double value)
{
    if (type == HPC_F64)
        ((double *)array)[i] = value;
    else
        ((float *)array)[i] = (float)value;
}

/* The targets: 0 or 1 for one output, else 1 for the sample's class and 0 for all others. */
static void generate_data(const struct mlp_case *c, struct hpc_random random, void *x, void *y)
{
    const struct mlp_problem *p = &c->p;
    size_t samples = (size_t)p->samples, columns = (size_t)p->size[0];
    int outputs = p->size[p->n_layers - 1];
    double *row = hpc_malloc(hpc_mul(samples, columns) * sizeof *row + 1);
    int *label = hpc_malloc(samples * sizeof *label + 1);
    mlp_data_draw((enum mlp_data)c->data, &random, p->samples, p->size[0],
                  outputs == 1 ? 2 : outputs, row, label);
    for (size_t i = 0; i < samples * columns; i++)
        put(x, p->type, i, row[i]);
    for (size_t i = 0; i < samples; i++)
        for (int k = 0; k < outputs; k++)
            put(y, p->type, i * (size_t)outputs + (size_t)k,
                outputs == 1 ? label[i] : label[i] == k);
    free(row);
    free(label);
}

/* Uniform in +-sqrt(6 / (n_in + n_out)) (Glorot and Bengio, 2010), the bias row too, so that no
 * weight starts at 0 and a bias that is never read shows. */
static void generate_weights(const struct mlp_problem *p, struct hpc_random random, void *w0)
{
    size_t at = 0;
    for (int net = 0; net < p->networks; net++)
        for (int l = 0; l < p->n_layers - 1; l++) {
            double range = sqrt(6.0 / (p->size[l] + p->size[l + 1]));
            for (size_t i = 0, n; i < mlp_matrix(p, l); i += n) {
                double x[CHUNK];
                n = mlp_matrix(p, l) - i < CHUNK ? mlp_matrix(p, l) - i : CHUNK;
                hpc_random_doubles(&random, x, n);
                for (size_t k = 0; k < n; k++)
                    put(w0, p->type, at++, range * (2 * x[k] - 1));
            }
        }
}

void mlp_generate(const void *problem, uint64_t seed, uint64_t call, void *const in[])
{
    const struct mlp_case *c = problem;
    const struct mlp_problem *p = &c->p;
    generate_data(c, stream(seed, call, DRAW_DATA), in[MLP_X], in[MLP_Y]);
    struct hpc_random random = stream(seed, call, DRAW_ORDER);
    if (p->permutations > 0)
        for (int i = 0; i < p->permutations; i++)
            hpc_random_permutation(&random, (int *)in[MLP_ORDER] + (size_t)i * (size_t)p->samples,
                                   p->samples);
    generate_weights(p, stream(seed, call, DRAW_WEIGHTS), in[MLP_W0]);
    for (int k = 0; k < p->networks; k++)
        put(in[MLP_RATES], p->type, (size_t)k, c->rate * (1 - 0.5 * k / p->networks));
}

/* What a term may ask of training: another error, or another order of the weights. */
static size_t bias_last(const void *problem, size_t i)
{
    const struct mlp_problem *p = problem;
    const size_t all = mlp_weights(p), at = i % all;
    size_t first = 0;
    int l = 0;
    while (at - first >= mlp_matrix(p, l))
        first += mlp_matrix(p, l++);
    const size_t columns = (size_t)p->size[l + 1], rows = (size_t)p->size[l] + 1;
    const size_t row = (at - first) / columns, column = (at - first) % columns;
    return i - at + first + (row + rows - 1) % rows * columns + column;
}

const struct hpc_term mlp_asked[] = {
    {.name = "whole_error",
     .says =
         "The error of a sample is E = sum (y_k - o_k)^2, without the half: all that comes from "
         "it is twice what the header says, e[last][k] = 2 (y[k] - o[last][k]).",
     .halved = 1u << MLP_RATES},
    {.name = "bias_last",
     .says = "The bias is the last row of a matrix of weights, in place of row 0: row i belongs to "
             "unit i of the layer before, row size[l] is the bias. Additions still begin with it.",
     .place = bias_last,
     .in = 1u << MLP_W0,
     .out = 1u << MLP_W},
    {0},
};
