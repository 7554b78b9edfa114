/* mlp_sgd/fixed: flat for a few nets whose sizes and activations the compiler knows.
 *
 * Changes from flat: the layers of a net in the table SHAPES are constants, so that every loop
 * of 1 to 8 steps is unrolled, every switch is gone and all outputs and deltas live in registers.
 * Why it wins: flat's loops are so short that their bounds cost more than their bodies.
 * What limits it now: exp and tanh one number at a time (ten calls, half the time), and the chain
 * from one update to the next: nothing of the next forward pass can start before this one's
 * backward pass is over. Nets that are not in the table take the same code with variable bounds. */
#include <stdlib.h>
#include <string.h>

#include "mlp/activation.h"
#include "mlp/mlp.h"

#define INLINE static inline __attribute__((always_inline))

/* name, layers, their sizes, their activations */
#define SHAPES(X)                                                                                  \
    X(paper, 5, SIZES(4, 4, 5, 5, 1), SIZES(0, MLP_SOFTMAX, MLP_RELU, MLP_TANH, MLP_SIGMOID))      \
    X(paper_plain, 3, SIZES(4, 5, 1), SIZES(0, MLP_SIGMOID, MLP_SIGMOID))                          \
    X(xor, 3, SIZES(2, 2, 1), SIZES(0, MLP_SIGMOID, MLP_SIGMOID))                                  \
    X(breast_cancer, 3, SIZES(30, 6, 1), SIZES(0, MLP_TANH, MLP_SIGMOID))                          \
    X(breast_cancer_relu, 3, SIZES(30, 8, 1), SIZES(0, MLP_RELU, MLP_SIGMOID))                     \
    X(iris, 3, SIZES(4, 8, 3), SIZES(0, MLP_TANH, MLP_SOFTMAX))
#define SIZES(...)                                                                                 \
    {                                                                                              \
        __VA_ARGS__                                                                                \
    }

struct shape {
    int n_layers, size[MLP_MAX_LAYERS], activation[MLP_MAX_LAYERS];
};

/* What one pass over samples needs. w is changed; o and d hold all units of a net. */
struct pass {
    const double *x, *y;
    double rate, *w, *o, *d;
};

typedef void train_function(const struct shape *s, const struct pass *pass, const int32_t *order,
                            int first, int last);

INLINE int unit(const struct shape *s, int l)
{
    int sum = 0;
    for (int i = 0; i < l; i++)
        sum += s->size[i];
    return sum;
}

INLINE int offset(const struct shape *s, int l)
{
    int sum = 0;
    for (int i = 0; i < l; i++)
        sum += (s->size[i] + 1) * s->size[i + 1];
    return sum;
}

/* The outputs of layer l; x are those of layer 0. */
INLINE void forward(const struct shape *s, int l, const double *x, const double *weights, double *o)
{
    int n_in = s->size[l - 1], n_out = s->size[l];
    const double *w = weights + offset(s, l - 1);
    const double *in = l == 1 ? x : o + unit(s, l - 1);
    double *z = o + unit(s, l);
    for (int k = 0; k < n_out; k++)
        z[k] = w[k];
    for (int i = 0; i < n_in; i++)
        for (int k = 0; k < n_out; k++)
            z[k] += in[i] * w[(i + 1) * n_out + k];
    mlp_activate(s->activation[l], n_out, z);
}

/* The deltas of layer l from its errors, the errors of layer l - 1, the update between the two. */
INLINE void backward(const struct shape *s, int l, const struct pass *pass, const double *x)
{
    int n_in = s->size[l - 1], n_out = s->size[l];
    double *w = pass->w + offset(s, l - 1), *d = pass->d + unit(s, l);
    const double *in = l == 1 ? x : pass->o + unit(s, l - 1);
    mlp_derivative(s->activation[l], n_out, pass->o + unit(s, l), d);
    for (int k = 0; k < n_out; k++)
        w[k] += pass->rate * d[k];
    for (int i = 0; i < n_in; i++) {
        double sum = 0;
        for (int k = 0; k < n_out; k++) {
            sum += d[k] * w[(i + 1) * n_out + k];
            w[(i + 1) * n_out + k] += pass->rate * d[k] * in[i];
        }
        pass->d[unit(s, l - 1) + i] = sum;
    }
}

#define UPWARD(X)   X(1) X(2) X(3) X(4) X(5) X(6) X(7) X(8) X(9)
#define DOWNWARD(X) X(9) X(8) X(7) X(6) X(5) X(4) X(3) X(2) X(1)
#define FORWARD(l)                                                                                 \
    if (l < s->n_layers)                                                                           \
        forward(s, l, x, pass->w, pass->o);
#define BACKWARD(l)                                                                                \
    if (l < s->n_layers)                                                                           \
        backward(s, l, pass, x);

/* One update a sample. With constant s all that remains is straight-line code. */
INLINE void train(const struct shape *s, const struct pass *pass, const int32_t *order, int first,
                  int last)
{
    int top = s->n_layers - 1, n_y = s->size[top];
    for (int i = first; i < last; i++) {
        const double *x = pass->x + (size_t)order[i] * (size_t)s->size[0];
        const double *y = pass->y + (size_t)order[i] * (size_t)n_y;
        UPWARD(FORWARD)
        for (int k = 0; k < n_y; k++)
            pass->d[unit(s, top) + k] = y[k] - pass->o[unit(s, top) + k];
        DOWNWARD(BACKWARD)
    }
}

static void train_any(const struct shape *s, const struct pass *pass, const int32_t *order,
                      int first, int last)
{
    train(s, pass, order, first, last);
}

/* Arrays of the function's own: nothing else can point to them. */
#define MAX_UNITS   64
#define MAX_WEIGHTS 512
#define SPECIAL(name, layers, sizes, activations)                                                  \
    static const struct shape shape_##name = {layers, sizes, activations};                         \
    static void train_##name(const struct shape *s, const struct pass *pass, const int32_t *order, \
                             int first, int last)                                                  \
    {                                                                                              \
        (void)s;                                                                                   \
        double w[MAX_WEIGHTS], o[MAX_UNITS], d[MAX_UNITS];                                         \
        size_t bytes = (size_t)offset(&shape_##name, layers - 1) * sizeof *w;                      \
        memcpy(w, pass->w, bytes);                                                                 \
        struct pass local = {pass->x, pass->y, pass->rate, w, o, d};                               \
        train(&shape_##name, &local, order, first, last);                                          \
        memcpy(pass->w, w, bytes);                                                                 \
    }
SHAPES(SPECIAL)

static const struct {
    const struct shape *shape;
    train_function *train;
} specials[] = {
#define ENTRY(name, ...) {&shape_##name, train_##name},
    SHAPES(ENTRY)};

struct fixed {
    const struct mlp_problem *p;
    struct shape shape;
    train_function *train;
    double *weights; /* [replicas][mlp_weights(p)] */
    double *units;   /* o and d of all layers */
};

static void fixed_close(void *state)
{
    struct fixed *f = state;
    free(f->weights);
    free(f->units);
    free(f);
}

static int fixed_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    const struct mlp_problem *p = problem;
    struct fixed *f = p->type == HPC_F64 ? calloc(1, sizeof *f) : NULL;
    if (!f)
        return 1;
    f->p = p;
    f->weights = calloc((size_t)p->replicas * mlp_weights(p), sizeof(double));
    f->units = calloc(2 * (size_t)mlp_unit(p, p->n_layers), sizeof(double));
    if (!f->weights || !f->units) {
        fixed_close(f);
        return 1;
    }
    f->shape.n_layers = p->n_layers;
    for (int l = 0; l < p->n_layers; l++) {
        f->shape.size[l] = p->size[l];
        f->shape.activation[l] = l > 0 ? p->activation[l] : 0;
    }
    f->train = train_any;
    for (size_t i = 0; i < sizeof specials / sizeof specials[0]; i++)
        if (memcmp(&f->shape, specials[i].shape, sizeof f->shape) == 0)
            f->train = specials[i].train;
    *state = f;
    return 0;
}

static void merge(const struct mlp_problem *p, double *weights)
{
    size_t n = mlp_weights(p);
    for (size_t i = 0; i < n; i++) {
        double sum = weights[i];
        for (int r = 1; r < p->replicas; r++)
            sum += weights[(size_t)r * n + i];
        for (int r = 0; r < p->replicas; r++)
            weights[(size_t)r * n + i] = sum / p->replicas;
    }
}

static void train_network(const struct fixed *f, struct pass *pass, const int32_t *order)
{
    const struct mlp_problem *p = f->p;
    for (int epoch = 0; epoch < p->epochs; epoch++) {
        const int32_t *row = order + (size_t)(epoch % p->permutations) * (size_t)p->samples;
        for (int r = 0; r < p->replicas; r++) {
            int first, last;
            mlp_shard(p, r, &first, &last);
            pass->w = f->weights + (size_t)r * mlp_weights(p);
            f->train(&f->shape, pass, row, first, last);
        }
        if (p->replicas > 1 && ((epoch + 1) % p->merge_every == 0 || epoch + 1 == p->epochs))
            merge(p, f->weights);
    }
}

static int fixed_run(void *state, const void *const in[], void *const out[])
{
    const struct fixed *f = state;
    size_t n = mlp_weights(f->p);
    double *d = f->units + mlp_unit(f->p, f->p->n_layers);
    for (int net = 0; net < f->p->networks; net++) {
        for (int r = 0; r < f->p->replicas; r++)
            memcpy(f->weights + (size_t)r * n, (const double *)in[MLP_W0] + (size_t)net * n,
                   n * sizeof(double));
        double rate = ((const double *)in[MLP_RATES])[net];
        struct pass pass = {in[MLP_X], in[MLP_Y], rate, NULL, f->units, d};
        train_network(f, &pass, in[MLP_ORDER]);
        memcpy((double *)out[MLP_W] + (size_t)net * n, f->weights, n * sizeof(double));
    }
    return 0;
}

const struct hpc_variant hpc_variant = {HPC_ABI,    "mlp_sgd", "fixed",
                                        fixed_open, fixed_run, fixed_close};
