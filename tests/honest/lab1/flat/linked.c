/* Layers as a linked list in one block with a flexible array, walked by recursion; the activation
 * and its derivative behind pointers to functions, long double where one is added up. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "mlp/mlp.h"

struct layer {
    struct layer *next;
    int n_in, n, softmax;
    double (*activate)(double), (*slope)(double);
    double *w, *o, *d; /* the weights below it; what it puts out; its deltas */
};

struct net {
    const struct mlp_problem *p;
    double *weights, *d;
    struct layer *first;
    double memory[];
};

static double sigmoid(double z)
{
    return 1 / (1 + exp(-z));
}
static double sigmoid_slope(double o)
{
    return o * (1 - o);
}
static double tanh_slope(double o)
{
    return 1 - o * o;
}
static double relu(double z)
{
    return fmax(0, z);
}
static double relu_slope(double o)
{
    return o > 0;
}
static double same(double z)
{
    return z;
}
static double one(double o)
{
    return 1 + 0 * o;
}

static void softmax(int n, double *o)
{
    double highest = o[0], sum = 0;
    for (int k = 1; k < n; k++)
        highest = fmax(highest, o[k]);
    for (int k = 0; k < n; k++)
        sum += o[k] = exp(o[k] - highest);
    for (int k = 0; k < n; k++)
        o[k] /= sum;
}

/* d becomes J^T d. */
static void through(const struct layer *a)
{
    double dot = 0;
    if (!a->softmax) {
        for (int k = 0; k < a->n; k++)
            a->d[k] *= a->slope(a->o[k]);
        return;
    }
    for (int k = 0; k < a->n; k++)
        dot += a->d[k] * a->o[k];
    for (int k = 0; k < a->n; k++)
        a->d[k] = a->o[k] * (a->d[k] - dot);
}

/* Forward, then, on the way back from the recursion, backward; errors of the layer below into `e`.
 */
static void learn(const struct layer *a, const double *in, double *e, const double *y, double rate)
{
    memcpy(a->o, a->w, (size_t)a->n * sizeof *a->o);
    for (int i = 0; i < a->n_in; i++)
        for (int k = 0; k < a->n; k++)
            a->o[k] += in[i] * a->w[(1 + i) * a->n + k];
    for (int k = 0; k < a->n; k++)
        a->o[k] = a->activate(a->o[k]);
    if (a->softmax)
        softmax(a->n, a->o);
    if (a->next)
        learn(a->next, a->o, a->d, y, rate);
    else
        for (int k = 0; k < a->n; k++)
            a->d[k] = y[k] - a->o[k];
    through(a);
    for (int k = 0; k < a->n; k++)
        a->w[k] += rate * a->d[k];
    for (int i = 0; i < a->n_in; i++) {
        double sum = 0;
        for (int k = 0; k < a->n; k++) {
            double *w = &a->w[(1 + i) * a->n + k];
            sum += a->d[k] * *w;
            *w += rate * a->d[k] * in[i];
        }
        e[i] = sum;
    }
}

static void free_layers(struct layer *a)
{
    if (a)
        free_layers(a->next);
    free(a);
}

static void net_close(void *state)
{
    struct net *net = state;
    free_layers(net->first);
    free(net);
}

static const struct {
    double (*activate)(double), (*slope)(double);
} functions[] = {[MLP_IDENTITY] = {same, one},
                 [MLP_SIGMOID] = {sigmoid, sigmoid_slope},
                 [MLP_TANH] = {tanh, tanh_slope},
                 [MLP_RELU] = {relu, relu_slope},
                 [MLP_SOFTMAX] = {same, one}};

static int net_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct mlp_problem *p = problem;
    const size_t units = (size_t)mlp_unit(p, p->n_layers), weights = mlp_weights(p);
    struct net *net = calloc(1, sizeof *net + (weights + 2 * units) * sizeof(double));
    (void)env;
    if (!net || p->type != HPC_F64 || p->networks != 1 || p->replicas != 1) {
        free(net);
        return 1;
    }
    net->p = p;
    net->weights = net->memory;
    net->d = net->memory + weights + units;
    struct layer **end = &net->first;
    for (int l = 1; l < p->n_layers; l++) {
        struct layer *a = *end = calloc(1, sizeof *a);
        if (!a) {
            net_close(net);
            return 1;
        }
        a->n_in = p->size[l - 1];
        a->n = p->size[l];
        a->softmax = p->activation[l] == MLP_SOFTMAX;
        a->activate = functions[p->activation[l]].activate;
        a->slope = functions[p->activation[l]].slope;
        a->w = net->weights + mlp_offset(p, l - 1);
        a->o = net->memory + weights + mlp_unit(p, l);
        a->d = net->d + mlp_unit(p, l);
        end = &a->next;
    }
    *state = net;
    return 0;
}

static int net_run(void *state, const void *const in[], void *const out[])
{
    struct net *net = state;
    const struct mlp_problem *p = net->p;
    const double(*x)[p->size[0]] = in[MLP_X];
    const double(*y)[p->size[p->n_layers - 1]] = in[MLP_Y];
    const int32_t(*order)[p->samples] = in[MLP_ORDER];
    memcpy(net->weights, in[MLP_W0], mlp_weights(p) * sizeof(double));
    for (int epoch = 0; epoch < p->epochs; epoch++)
        for (int i = 0; i < p->samples; i++) {
            const int32_t row = order[epoch % p->permutations][i];
            learn(net->first, x[row], net->d, y[row], *(const double *)in[MLP_RATES]);
        }
    memcpy(out[MLP_W], net->weights, mlp_weights(p) * sizeof(double));
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI, "mlp_sgd", "flat", net_open, net_run, net_close};
