/* The problems of mlp_sgd and mlp_minibatch: their keys, their arrays, their cost. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/size.h"
#include "mlp/op/op.h"

#define MAX_UNITS       65536
#define MAX_ARRAY_BYTES ((size_t)1 << 31)
#define BEHIND          99999 /* units of a layer that is not there: who goes on to it, is seen */

const char mlp_sgd_keys[] = "data, layers, activations, samples, epochs, permutations, replicas, "
                            "merge_every, networks, type, rate";
const char mlp_minibatch_keys[] = "data, layers, activations, samples, epochs, batch, rate";

_Static_assert(sizeof(struct mlp_case) <= HPC_MAX_PROBLEM, "a problem must fit into the exchange");

/* Where a key was written, for messages. */
static const char *place(const struct hpc_params *params, const char *key)
{
    const struct hpc_param *param = hpc_params_find(params, key);
    return param ? param->where : "the case";
}

static bool parse_size(const char *word, int *size)
{
    char *end;
    long value = strtol(word, &end, 10);
    *size = (int)value;
    return *word && !*end && value >= 1 && value <= MAX_UNITS;
}

static bool parse_activation(const char *word, int *activation)
{
    static const char *const names[] = {
        [MLP_IDENTITY] = "identity", [MLP_SIGMOID] = "sigmoid", [MLP_TANH] = "tanh",
        [MLP_RELU] = "relu",         [MLP_SOFTMAX] = "softmax",
    };
    for (int a = MLP_IDENTITY; a <= MLP_SOFTMAX; a++)
        if (strcmp(word, names[a]) == 0) {
            *activation = a;
            return true;
        }
    return false;
}

/* Split the key's value at commas and read each word into values[0..), at most `max` of them.
 * Returns how many, or -1 with a line. */
static int parse_list(struct hpc_params *params, const char *key, int max, int *values,
                      bool (*parse)(const char *, int *), const char *expected,
                      struct hpc_error *err)
{
    char text[200] = "", *rest = text;
    if (!hpc_params_get_text(params, key, text, sizeof text, err))
        return -1;
    if (!*text) {
        hpc_fail(err, "%s: %s is missing, expected %s", place(params, "op"), key, expected);
        return -1;
    }
    int n = 0;
    for (char *word; (word = strsep(&rest, ","));) {
        word += strspn(word, " ");
        word[strcspn(word, " ")] = '\0';
        int value;
        if (n == max || !parse(word, &value)) {
            hpc_fail(err, "%s: %s has \"%s\" at place %d, expected %s", place(params, key), key,
                     word, n + 1, expected);
            return -1;
        }
        values[n++] = value;
    }
    return n;
}

static bool parse_net(struct hpc_params *params, struct mlp_problem *p, struct hpc_error *err)
{
    p->n_layers = parse_list(params, "layers", MLP_MAX_LAYERS, p->size, parse_size,
                             "2 to 10 numbers from 1 to 65536, as in 4,5,1", err);
    if (p->n_layers < 0)
        return false;
    for (int l = p->n_layers; l < MLP_MAX_LAYERS; l++)
        p->size[l] = BEHIND;
    if (p->n_layers < 2)
        return hpc_fail(err, "%s: layers has 1 number, expected 2 to 10, input and output included",
                        place(params, "layers"));
    int n =
        parse_list(params, "activations", MLP_MAX_LAYERS - 1, p->activation + 1, parse_activation,
                   "identity, sigmoid, tanh, relu or softmax, one a layer", err);
    if (n < 0)
        return false;
    if (n != p->n_layers - 1)
        return hpc_fail(err,
                        "%s: activations has %d names, expected %d: one for each layer but the "
                        "input",
                        place(params, "activations"), n, p->n_layers - 1);
    for (int l = 1; l < p->n_layers; l++)
        if (p->activation[l] == MLP_SOFTMAX && p->size[l] == 1)
            return hpc_fail(err, "%s: softmax of 1 unit, expected 2 or more: alone it is always 1",
                            place(params, "activations"));
    return true;
}

static bool parse_data(struct hpc_params *params, struct mlp_case *c, struct hpc_error *err)
{
    char name[40] = "blobs";
    enum mlp_data data;
    int rows, columns, classes;
    struct mlp_problem *p = &c->p;
    if (!hpc_params_get_text(params, "data", name, sizeof name, err))
        return false;
    if (!mlp_data_find(name, &data))
        return hpc_fail(err, "%s: data is \"%s\", expected blobs, breast_cancer or digits",
                        place(params, "data"), name);
    c->data = (int)data;
    mlp_data_shape(data, &rows, &columns, &classes);
    p->samples = data == MLP_BLOBS ? 100 : rows;
    if (!hpc_params_get_int(params, "samples", 0, data == MLP_BLOBS ? 1 << 24 : rows, &p->samples,
                            err))
        return false;
    if (data == MLP_BLOBS)
        return true;
    int outputs = p->size[p->n_layers - 1];
    if (p->size[0] != columns || !(outputs == classes || (outputs == 1 && classes == 2)))
        return hpc_fail(err, "%s: layers go from %d to %d, expected from %d to %d%s, as %s has",
                        place(params, "layers"), p->size[0], outputs, columns, classes,
                        classes == 2 ? " or 1" : "", name);
    return mlp_data_present(data, err);
}

/* Every array must stay below 2 GiB, so that a typing error does not fill the machine. */
static bool check_bytes(const struct hpc_params *params,
                        void (*layout)(const void *, struct hpc_layout *), const struct mlp_case *c,
                        struct hpc_error *err)
{
    struct hpc_layout arrays;
    layout(c, &arrays);
    for (int i = 0; i < arrays.n_in + arrays.n_out; i++) {
        const struct hpc_array *a = i < arrays.n_in ? &arrays.in[i] : &arrays.out[i - arrays.n_in];
        if (a->count >= MAX_ARRAY_BYTES / hpc_type_bytes(a->type))
            return hpc_fail(err, "%s: array %s has %zu elements, expected less than 2 GiB",
                            place(params, "layers"), a->name, a->count);
    }
    return true;
}

static bool parse_replicas(struct hpc_params *params, struct mlp_problem *p, struct hpc_error *err)
{
    const struct hpc_param *param = hpc_params_find(params, "replicas");
    int threads = 1;
    char text[200] = "";
    if (!hpc_params_get_int(params, "threads", 1, 4096, &threads, err))
        return false;
    p->replicas = 1;
    if (param && strcmp(param->value, "threads") == 0) {
        p->replicas = threads;
        return hpc_params_get_text(params, "replicas", text, sizeof text, err);
    }
    return hpc_params_get_int(params, "replicas", 1, 4096, &p->replicas, err);
}

bool mlp_sgd_parse(struct hpc_params *params, void *problem, struct hpc_error *err)
{
    struct mlp_case *c = problem;
    struct mlp_problem *p = &c->p;
    char type[40] = "f64";
    *c = (struct mlp_case){.rate = 0.01};
    p->epochs = p->networks = p->merge_every = 1;
    if (!parse_net(params, p, err) || !parse_data(params, c, err) ||
        !hpc_params_get_int(params, "epochs", 0, 10000000, &p->epochs, err))
        return false;
    p->permutations = p->epochs < 1 ? 1 : p->epochs < 64 ? p->epochs : 64;
    if (!hpc_params_get_int(params, "permutations", 1, 65536, &p->permutations, err) ||
        !parse_replicas(params, p, err) ||
        !hpc_params_get_int(params, "merge_every", 1, 10000000, &p->merge_every, err) ||
        !hpc_params_get_int(params, "networks", 1, 65536, &p->networks, err) ||
        !hpc_params_get_double(params, "rate", 0, 1e6, &c->rate, err) ||
        !hpc_params_get_text(params, "type", type, sizeof type, err))
        return false;
    if (strcmp(type, "f64") != 0 && strcmp(type, "f32") != 0)
        return hpc_fail(err, "%s: type is \"%s\", expected f64 or f32", place(params, "type"),
                        type);
    p->type = strcmp(type, "f64") == 0 ? HPC_F64 : HPC_F32;
    if (p->networks > 1 && p->replicas > 1)
        return hpc_fail(err, "%s: %d networks with %d replicas, expected one of them to be 1",
                        place(params, "networks"), p->networks, p->replicas);
    return hpc_params_all_used(params, mlp_sgd_keys, err) &&
           check_bytes(params, mlp_sgd_layout, c, err);
}

bool mlp_minibatch_parse(struct hpc_params *params, void *problem, struct hpc_error *err)
{
    struct mlp_case *c = problem;
    struct mlp_problem *p = &c->p;
    int threads = 1;
    *c = (struct mlp_case){.rate = 0.01};
    p->epochs = p->networks = p->replicas = p->merge_every = 1;
    p->permutations = 0; /* no schedule: rows in order */
    p->batch = 32;
    p->type = HPC_F32;
    if (!parse_net(params, p, err) || !parse_data(params, c, err) ||
        !hpc_params_get_int(params, "epochs", 0, 10000000, &p->epochs, err) ||
        !hpc_params_get_int(params, "batch", 1, 1 << 24, &p->batch, err) ||
        !hpc_params_get_double(params, "rate", 0, 1e6, &c->rate, err) ||
        !hpc_params_get_int(params, "threads", 1, 4096, &threads, err))
        return false;
    return hpc_params_all_used(params, mlp_minibatch_keys, err) &&
           check_bytes(params, mlp_minibatch_layout, c, err);
}

static void layout_all(const struct mlp_problem *p, size_t order, struct hpc_layout *layout)
{
    enum hpc_type type = (enum hpc_type)p->type;
    size_t samples = (size_t)p->samples, networks = (size_t)p->networks;
    size_t weights = hpc_mul(networks, mlp_weights(p));
    *layout = (struct hpc_layout){.n_in = MLP_N_IN, .n_out = MLP_N_OUT};
    size_t inputs = (size_t)p->size[0], outputs = (size_t)p->size[p->n_layers - 1];
    struct hpc_array *in = layout->in;
    in[MLP_X] = (struct hpc_array){"x", type, hpc_mul(samples, inputs), .shape = {samples, inputs}};
    in[MLP_Y] =
        (struct hpc_array){"y", type, hpc_mul(samples, outputs), .shape = {samples, outputs}};
    in[MLP_ORDER] = (struct hpc_array){.name = "order", .type = HPC_I32, .count = order};
    in[MLP_W0] = (struct hpc_array){"w0", type, weights, .shape = {networks, weights / networks}};
    in[MLP_RATES] = (struct hpc_array){.name = "rates", .type = type, .count = networks};
    layout->out[MLP_W] = in[MLP_W0];
    layout->out[MLP_W].name = "w";
}

void mlp_sgd_layout(const void *problem, struct hpc_layout *layout)
{
    const struct mlp_problem *p = problem;
    layout_all(p, hpc_mul((size_t)p->permutations, (size_t)p->samples), layout);
}

void mlp_minibatch_layout(const void *problem, struct hpc_layout *layout)
{
    layout_all(problem, 0, layout);
}

/* Per sample: 2 for every weight on the way forward, 2 for every weight of the gradient, 2 for
 * every weight of the errors handed back (none into the inputs), 1 for every activation of a unit
 * and 1 for its derivative. An update of a weight: the gradient's 2 in sgd, 2 more in minibatch. */
static double flops_per_sample(const struct mlp_problem *p)
{
    double weights = (double)mlp_weights(p), back = weights - (double)mlp_matrix(p, 0);
    double units = (double)mlp_unit(p, p->n_layers) - p->size[0];
    return 2 * weights + 2 * weights + 2 * back + 2 * units;
}

static double layout_bytes(const struct hpc_layout *layout)
{
    double bytes = 0;
    for (int i = 0; i < layout->n_in; i++)
        bytes += (double)layout->in[i].count * (double)hpc_type_bytes(layout->in[i].type);
    for (int i = 0; i < layout->n_out; i++)
        bytes += (double)layout->out[i].count * (double)hpc_type_bytes(layout->out[i].type);
    return bytes;
}

void mlp_sgd_cost(const void *problem, struct hpc_cost *cost)
{
    const struct mlp_problem *p = problem;
    struct hpc_layout layout;
    mlp_sgd_layout(p, &layout);
    cost->flops = flops_per_sample(p) * p->samples * p->epochs * p->networks;
    cost->bytes = layout_bytes(&layout);
}

void mlp_minibatch_cost(const void *problem, struct hpc_cost *cost)
{
    const struct mlp_problem *p = problem;
    struct hpc_layout layout;
    mlp_minibatch_layout(p, &layout);
    double batches = p->samples / p->batch + (p->samples % p->batch != 0);
    cost->flops =
        (flops_per_sample(p) * p->samples + 2 * batches * (double)mlp_weights(p)) * p->epochs;
    cost->bytes = layout_bytes(&layout);
}
