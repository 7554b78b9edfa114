/* mlp_sgd/serial: the program that [Dong] starts from, with its structure and its habits, mended.
 *
 * The first variant. Weights are pointers to pointers, param->weight[l][i][k]: the row of unit
 * i - 1 of layer l, and row 0 the bias. back_propagation allocates its arrays afresh for each
 * update and frees them again, calculate_local_gradient likewise for each layer: on the paper's net
 * 69 calloc and 69 free for one update. That, not arithmetic, is where the time goes. (So run()
 * allocates, which a variant should not: it is the flaw that this one is here to show.)
 * Mended: the learning rate is read as a number, the step goes down the gradient (+= of -dE/dw),
 * and the error of a hidden unit uses that unit's row of weights, not the row before it.
 * Replicas and networks are trained one after another. Source: [Dong], sections 1.2 and 2.1.
 * With -DMLP_SECTION_TIMERS the eight sections of back_propagation are timed one by one.
 * What limits it: the allocator, then loads through three levels of pointers. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mlp/mlp.h"

#define MLP_SECTION_TIMERS_HERE
#include "mlp/section_timers.h"

struct parameters {
    struct mlp_problem p;
    double learning_rate;
    const double *x, *y;
    double ***weight;   /* [layer][1 + unit][unit of the next layer], of the replica at work */
    double ****replica; /* the same of each replica; the rows point into `rows` */
    double *rows;
};

/* output[0 .. n] from input[0 .. n-1]: output[0] is the bias's constant 1 and stays. */
static void identity(int n, const double *input, double *output)
{
    for (int i = 0; i < n; i++)
        output[i + 1] = input[i];
}

static void sigmoid(int n, const double *input, double *output)
{
    for (int i = 0; i < n; i++)
        output[i + 1] = 1.0 / (1.0 + exp(-input[i]));
}

static void tan_h(int n, const double *input, double *output)
{
    for (int i = 0; i < n; i++)
        output[i + 1] = tanh(input[i]);
}

static void relu(int n, const double *input, double *output)
{
    for (int i = 0; i < n; i++)
        output[i + 1] = input[i] > 0.0 ? input[i] : 0.0;
}

static void softmax(int n, const double *input, double *output)
{
    double max = input[0], sum = 0.0;
    for (int i = 1; i < n; i++)
        if (input[i] > max)
            max = input[i];
    for (int i = 0; i < n; i++) {
        output[i + 1] = exp(input[i] - max);
        sum += output[i + 1];
    }
    for (int i = 0; i < n; i++)
        output[i + 1] /= sum;
}

/* gradient = J(activation)^T error, with o = output[1 ..]. */
static void d_identity(int n, const double *output, const double *error, double *gradient)
{
    (void)output;
    for (int i = 0; i < n; i++)
        gradient[i] = error[i];
}

static void d_sigmoid(int n, const double *output, const double *error, double *gradient)
{
    for (int i = 0; i < n; i++)
        gradient[i] = error[i] * output[i + 1] * (1.0 - output[i + 1]);
}

static void d_tanh(int n, const double *output, const double *error, double *gradient)
{
    for (int i = 0; i < n; i++)
        gradient[i] = error[i] * (1.0 - output[i + 1] * output[i + 1]);
}

static void d_relu(int n, const double *output, const double *error, double *gradient)
{
    for (int i = 0; i < n; i++)
        gradient[i] = output[i + 1] > 0.0 ? error[i] : 0.0;
}

static void d_softmax(int n, const double *output, const double *error, double *gradient)
{
    double sum = 0.0;
    for (int i = 0; i < n; i++)
        sum += error[i] * output[i + 1];
    for (int i = 0; i < n; i++)
        gradient[i] = output[i + 1] * (error[i] - sum);
}

static void (*const activate[])(int, const double *, double *) = {
    [MLP_IDENTITY] = identity, [MLP_SIGMOID] = sigmoid, [MLP_TANH] = tan_h,
    [MLP_RELU] = relu,         [MLP_SOFTMAX] = softmax,
};
static void (*const derive[])(int, const double *, const double *, double *) = {
    [MLP_IDENTITY] = d_identity, [MLP_SIGMOID] = d_sigmoid, [MLP_TANH] = d_tanh,
    [MLP_RELU] = d_relu,         [MLP_SOFTMAX] = d_softmax,
};

/* result[k] = a[0] * b[0][k] + a[1] * b[1][k] + .., rows of b. */
static void mat_mul(const double *a, double **b, double *result, int rows, int columns)
{
    for (int k = 0; k < columns; k++) {
        result[k] = a[0] * b[0][k];
        for (int i = 1; i < rows; i++)
            result[k] += a[i] * b[i][k];
    }
}

/* The outputs of all layers for one example, in fresh arrays that back_propagation frees. */
static double **forward_propagation(struct parameters *param, int example)
{
    int n_layers = param->p.n_layers;
    const int *layer_sizes = param->p.size;
    double **layer_inputs = calloc((size_t)n_layers, sizeof *layer_inputs);
    double **layer_outputs = calloc((size_t)n_layers, sizeof *layer_outputs);
    for (int i = 0; i < n_layers; i++) {
        layer_inputs[i] = calloc((size_t)layer_sizes[i], sizeof **layer_inputs);
        layer_outputs[i] = calloc((size_t)layer_sizes[i] + 1, sizeof **layer_outputs);
        layer_outputs[i][0] = 1.0; /* the bias's input */
    }

    for (int i = 0; i < layer_sizes[0]; i++)
        layer_outputs[0][i + 1] = param->x[(size_t)example * (size_t)layer_sizes[0] + (size_t)i];
    for (int i = 1; i < n_layers; i++) {
        mat_mul(layer_outputs[i - 1], param->weight[i - 1], layer_inputs[i], layer_sizes[i - 1] + 1,
                layer_sizes[i]);
        activate[param->p.activation[i]](layer_sizes[i], layer_inputs[i], layer_outputs[i]);
    }

    for (int i = 0; i < n_layers; i++)
        free(layer_inputs[i]);
    free(layer_inputs);
    return layer_outputs;
}

/* local_gradient[l] = -dE/dz[l], from local_gradient[l + 1] or, at the end, from the target. */
static void calculate_local_gradient(struct parameters *param, int l, double **layer_outputs,
                                     const double *expected, double **local_gradient)
{
    int n_layers = param->p.n_layers, n = param->p.size[l];
    const int *layer_sizes = param->p.size;

    double **layer_errors = calloc((size_t)n_layers, sizeof *layer_errors);
    for (int i = 0; i < n_layers; i++)
        layer_errors[i] = calloc((size_t)layer_sizes[i], sizeof **layer_errors);

    if (l == n_layers - 1)
        for (int i = 0; i < n; i++)
            layer_errors[l][i] = expected[i] - layer_outputs[l][i + 1];
    else
        for (int i = 0; i < n; i++)
            for (int j = 0; j < layer_sizes[l + 1]; j++)
                layer_errors[l][i] += local_gradient[l + 1][j] * param->weight[l][i + 1][j];
    derive[param->p.activation[l]](n, layer_outputs[l], layer_errors[l], local_gradient[l]);

    for (int i = 0; i < n_layers; i++)
        free(layer_errors[i]);
    free(layer_errors);
}

static void back_propagation(struct parameters *param, int example, double **layer_outputs)
{
    int n_layers = param->p.n_layers;
    const int *layer_sizes = param->p.size;
    const double *expected = param->y + (size_t)example * (size_t)layer_sizes[n_layers - 1];

    SECTION(-1);
    double ***weight_correction = calloc((size_t)n_layers, sizeof *weight_correction);
    for (int i = 0; i < n_layers - 1; i++)
        weight_correction[i] = calloc((size_t)layer_sizes[i] + 1, sizeof **weight_correction);
    SECTION(0); /* func0: the arrays of rows */
    for (int i = 0; i < n_layers - 1; i++)
        for (int j = 0; j < layer_sizes[i] + 1; j++)
            weight_correction[i][j] = calloc((size_t)layer_sizes[i + 1], sizeof(double));
    SECTION(1); /* func1: the rows */
    double **local_gradient = calloc((size_t)n_layers, sizeof *local_gradient);
    for (int i = 0; i < n_layers; i++)
        local_gradient[i] = calloc((size_t)layer_sizes[i], sizeof **local_gradient);
    SECTION(2); /* func2: the arrays of gradients */

    calculate_local_gradient(param, n_layers - 1, layer_outputs, expected, local_gradient);
    SECTION(3); /* func3: the gradients, those of the hidden layers too */
    for (int i = 0; i < layer_sizes[n_layers - 1]; i++) {
        double step = param->learning_rate * local_gradient[n_layers - 1][i];
        for (int j = 0; j < layer_sizes[n_layers - 2] + 1; j++)
            weight_correction[n_layers - 2][j][i] = step * layer_outputs[n_layers - 2][j];
    }
    SECTION(4); /* func4: the corrections of the output layer */
    for (int i = n_layers - 2; i >= 1; i--) {
        calculate_local_gradient(param, i, layer_outputs, expected, local_gradient);
        SECTION(3);
        for (int j = 0; j < layer_sizes[i]; j++) {
            double step = param->learning_rate * local_gradient[i][j];
            for (int k = 0; k < layer_sizes[i - 1] + 1; k++)
                weight_correction[i - 1][k][j] = step * layer_outputs[i - 1][k];
        }
        SECTION(5); /* func5: the corrections of the hidden layers */
    }

    for (int i = 0; i < n_layers - 1; i++)
        for (int j = 0; j < layer_sizes[i] + 1; j++)
            for (int k = 0; k < layer_sizes[i + 1]; k++)
                param->weight[i][j][k] += weight_correction[i][j][k];
    SECTION(6); /* func6: the update */

    for (int i = 0; i < n_layers - 1; i++) {
        for (int j = 0; j < layer_sizes[i] + 1; j++)
            free(weight_correction[i][j]);
        free(weight_correction[i]);
    }
    free(weight_correction);
    for (int i = 0; i < n_layers; i++) {
        free(local_gradient[i]);
        free(layer_outputs[i]);
    }
    free(local_gradient);
    free(layer_outputs);
    SECTION(7); /* func7: free it all */
}

/* All replicas get (w_0 + w_1 + ..) / R. */
static void merge(const struct mlp_problem *p, double *rows)
{
    size_t n = mlp_weights(p);
    for (size_t i = 0; i < n; i++) {
        double sum = rows[i];
        for (int r = 1; r < p->replicas; r++)
            sum += rows[(size_t)r * n + i];
        for (int r = 0; r < p->replicas; r++)
            rows[(size_t)r * n + i] = sum / p->replicas;
    }
}

static void mlp_trainer(struct parameters *param, const int32_t *order)
{
    const struct mlp_problem *p = &param->p;
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        const int32_t *indices = order + (size_t)(epoch % p->permutations) * (size_t)p->samples;
        for (int r = 0; r < p->replicas; r++) {
            int first, last;
            mlp_shard(p, r, &first, &last);
            param->weight = param->replica[r];
            for (int k = first; k < last; k++) {
                double **layer_outputs = forward_propagation(param, indices[k]);
                back_propagation(param, indices[k], layer_outputs);
            }
        }
        if (p->replicas > 1 && ((epoch + 1) % p->merge_every == 0 || epoch + 1 == p->epochs))
            merge(p, param->rows);
    }
}

static int serial_run(void *state, const void *const in[], void *const out[])
{
    struct parameters *param = state;
    const struct mlp_problem *p = &param->p;
    size_t n = mlp_weights(p);
    param->x = in[MLP_X];
    param->y = in[MLP_Y];
    for (int net = 0; net < p->networks; net++) {
        const double *w0 = (const double *)in[MLP_W0] + (size_t)net * n;
        for (int r = 0; r < p->replicas; r++)
            memcpy(param->rows + (size_t)r * n, w0, n * sizeof *w0);
        param->learning_rate = ((const double *)in[MLP_RATES])[net];
        mlp_trainer(param, in[MLP_ORDER]);
        memcpy((double *)out[MLP_W] + (size_t)net * n, param->rows, n * sizeof *w0);
    }
    return 0;
}

static void serial_close(void *state)
{
    struct parameters *param = state;
    for (int r = 0; r < param->p.replicas; r++) {
        for (int l = 0; l < param->p.n_layers - 1; l++)
            free(param->replica[r][l]);
        free(param->replica[r]);
    }
    free(param->replica);
    free(param->rows);
    free(param);
}

static int serial_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    const struct mlp_problem *p = problem;
    if (p->type != HPC_F64)
        return 1;
    struct parameters *param = calloc(1, sizeof *param);
    param->p = *p;
    param->rows = calloc((size_t)p->replicas * mlp_weights(p), sizeof(double));
    param->replica = calloc((size_t)p->replicas, sizeof *param->replica);
    double *row = param->rows;
    for (int r = 0; r < p->replicas; r++) {
        param->replica[r] = calloc((size_t)p->n_layers, sizeof **param->replica);
        for (int l = 0; l < p->n_layers - 1; l++) {
            param->replica[r][l] = calloc((size_t)p->size[l] + 1, sizeof ***param->replica);
            for (int i = 0; i < p->size[l] + 1; i++, row += p->size[l + 1])
                param->replica[r][l][i] = row;
        }
    }
    *state = param;
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,     "mlp_sgd",  "serial",
                                        serial_open, serial_run, serial_close};
