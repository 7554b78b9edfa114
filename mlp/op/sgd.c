/* mlp_sgd, trusted side: is a trained net right?
 *
 * check, double: the oracle trains the same net in the order of mlp.h, and every weight must obey
 *   |got - want| <= 1e-12 max(1, |want|). Another order of additions, fused multiply-adds or an
 *   exponential of its own stay far below that on cases that admit() lets pass: there a one-ulp
 *   change of every start weight moves no weight by over 1e-14 max(1, |w|).
 * check, float: the oracle in double from the same floats, and over each network
 *   rms(got - want) <= 1e-3 rms(want - w0) + 1e-6 rms(want). Float is trained in sweeps and
 *   benchmarks and not graded: rounding grows with every update and has no bound of use.
 * check_quick: every weight finite, and the nets of the output, evaluated once on all samples, have
 *   at most 1.05 times the error that the start weights had, and are not the start weights. That
 *   costs one forward pass, 1/(3 epochs) of the training. It does not tell a well trained net from
 *   a badly trained one: the full check, in calls that are drawn afterwards, does. admit() refuses
 *   cases on which right training fails it. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "common/size.h"
#include "mlp/op/op.h"

static const double sgd_bound = 1e-12, admit_bound = 1e-14;
static const double float_moved = 1e-3, float_size = 1e-6;
static const double quick_growth = 1.05, quick_tiny = 1e-9;

/* The floating-point inputs as doubles; order as it is. */
struct inputs {
    double *a[MLP_N_IN]; /* [MLP_ORDER] is NULL */
    const int32_t *order;
};

static struct inputs inputs_read(const struct mlp_problem *p, const void *const in[])
{
    struct hpc_layout layout;
    struct inputs inputs = {.order = in[MLP_ORDER]};
    mlp_sgd_layout(p, &layout);
    for (int i = 0; i < MLP_N_IN; i++)
        if (i != MLP_ORDER)
            inputs.a[i] = mlp_doubles(in[i], p->type, layout.in[i].count);
    return inputs;
}

static void inputs_free(struct inputs *inputs)
{
    for (int i = 0; i < MLP_N_IN; i++)
        free(inputs->a[i]);
}

static size_t all_weights(const struct mlp_problem *p)
{
    return hpc_mul((size_t)p->networks, mlp_weights(p));
}

static double *emulate(const struct mlp_problem *p, const struct inputs *in, const double *w0)
{
    double *w = hpc_malloc(hpc_mul(all_weights(p), sizeof *w));
    mlp_emulate(p, in->a[MLP_X], in->a[MLP_Y], in->order, w0, in->a[MLP_RATES], w);
    return w;
}

/* How far a weight moves, relative to max(1, |w|), when every start weight moves by one ulp up or
 * down: the largest over all weights. */
static double amplification(const struct mlp_problem *p, const struct inputs *in, const double *w,
                            struct hpc_random *random)
{
    size_t n = all_weights(p);
    double *w0 = hpc_malloc(n * sizeof *w0), most = 0;
    for (size_t i = 0; i < n; i++)
        w0[i] = nextafter(in->a[MLP_W0][i], hpc_random_u32(random) & 1 ? INFINITY : -INFINITY);
    double *moved = emulate(p, in, w0);
    for (size_t i = 0; i < n; i++) {
        double change = fabs(moved[i] - w[i]) / fmax(1, fabs(w[i]));
        if (!(change <= most))
            most = change;
    }
    free(w0);
    free(moved);
    return most;
}

/* Every weight within its bound; else m says which is the first that is not. */
static bool compare(const struct mlp_problem *p, const double *got, const double *want,
                    struct hpc_mismatch *m)
{
    size_t n = all_weights(p);
    for (size_t i = 0; i < n; i++) {
        double bound = sgd_bound * fmax(1, fabs(want[i]));
        double distance = fabs(got[i] - want[i]);
        if (mlp_finite(got[i]) && distance <= bound)
            continue;
        if (m->wrong++ > 0)
            continue;
        m->index = i;
        m->got = got[i];
        m->want = want[i];
        m->bound = bound;
        mlp_weight_name(p, i, m->what, sizeof m->what);
    }
    return m->wrong == 0;
}

/* The normwise rule for float, network by network. */
static bool compare_norms(const struct mlp_problem *p, const double *got, const double *want,
                          const double *w0, struct hpc_mismatch *m)
{
    size_t n = mlp_weights(p);
    for (size_t net = 0; net < (size_t)p->networks; net++) {
        double off = 0, moved = 0, norm = 0;
        bool finite = true;
        for (size_t i = net * n; i < (net + 1) * n; i++) {
            finite = finite && mlp_finite(got[i]);
            off += (got[i] - want[i]) * (got[i] - want[i]);
            moved += (want[i] - w0[i]) * (want[i] - w0[i]);
            norm += want[i] * want[i];
        }
        double bound = float_moved * sqrt(moved) + float_size * sqrt(norm);
        if (finite && sqrt(off) <= bound)
            continue;
        m->index = net * n;
        m->got = sqrt(off);
        m->bound = bound;
        snprintf(m->what, sizeof m->what, "norm of the error of all weights of network %zu", net);
        return false;
    }
    return true;
}

static bool sgd_check(const void *problem, const void *const in[], const void *const out[],
                      bool *admitted, struct hpc_mismatch *m)
{
    const struct mlp_problem *p = problem;
    struct inputs inputs = inputs_read(p, in);
    double *got = mlp_doubles(out[MLP_W], p->type, all_weights(p));
    double *want = emulate(p, &inputs, inputs.a[MLP_W0]);
    *m = (struct hpc_mismatch){.array = MLP_W, .plain = m->plain};
    *admitted = true;
    bool right = p->type == HPC_F64 ? compare(p, got, want, m)
                                    : compare_norms(p, got, want, inputs.a[MLP_W0], m);
    if (!right) {
        struct hpc_random random;
        hpc_random_init(&random, 1, 1);
        if (p->type == HPC_F64 && !(amplification(p, &inputs, want, &random) <= admit_bound)) {
            *admitted = false;
            right = true;
        } else if (!m->plain) {
            const double *const a[MLP_N_IN] = {inputs.a[MLP_X], inputs.a[MLP_Y], NULL,
                                               inputs.a[MLP_W0], inputs.a[MLP_RATES]};
            mlp_sgd_hint(p, a, inputs.order, got, want, m->hint, sizeof m->hint);
            mlp_unwritten((size_t)p->networks * mlp_weights(p), got, m->hint, sizeof m->hint);
        }
    }
    inputs_free(&inputs);
    free(got);
    free(want);
    return right;
}

static void sgd_expected(const void *problem, const void *const in[], double *const want[],
                         double *const bound[])
{
    const struct mlp_problem *p = problem;
    struct inputs inputs = inputs_read(p, in);
    mlp_emulate(p, inputs.a[MLP_X], inputs.a[MLP_Y], inputs.order, inputs.a[MLP_W0],
                inputs.a[MLP_RATES], want[MLP_W]);
    for (size_t i = 0; i < all_weights(p); i++)
        bound[MLP_W][i] = p->type == HPC_F64 ? sgd_bound * fmax(1, fabs(want[MLP_W][i])) : INFINITY;
    inputs_free(&inputs);
}

/* One network of the output in the cheap way. */
static bool quick_network(const struct mlp_problem *p, const struct inputs *in, size_t net,
                          const double *got, struct hpc_mismatch *m)
{
    size_t n = mlp_weights(p);
    const double *w0 = in->a[MLP_W0] + net * n;
    bool trains = p->epochs > 0 && p->samples > 0 && in->a[MLP_RATES][net] > 0;
    m->want = mlp_error(p, w0, in->a[MLP_X], in->a[MLP_Y]);
    m->got = mlp_error(p, got, in->a[MLP_X], in->a[MLP_Y]);
    m->bound = quick_growth * m->want + quick_tiny;
    if (!(m->got <= m->bound)) {
        snprintf(m->what, sizeof m->what,
                 "training error of network %zu: got is after training, want is before", net);
        snprintf(m->hint, sizeof m->hint,
                 "training must lower the error: is it += rate * D * o, with D = -dE/dz?");
        return false;
    }
    bool same = memcmp(w0, got, n * sizeof *w0) == 0;
    if (trains && same && !mlp_at_rest(p, w0, in->a[MLP_X], in->a[MLP_Y])) {
        snprintf(m->what, sizeof m->what, "weights of network %zu: all are the start weights", net);
        snprintf(m->hint, sizeof m->hint, "the weights never moved: is the rate used?");
        return false;
    }
    return true;
}

static bool sgd_check_quick(const void *problem, const void *const in[], const void *const out[],
                            struct hpc_mismatch *m)
{
    const struct mlp_problem *p = problem;
    size_t n = all_weights(p);
    *m = (struct hpc_mismatch){.array = MLP_W};
    for (size_t i = 0; i < n; i++) {
        m->got = mlp_element(out[MLP_W], p->type, i);
        if (mlp_finite(m->got))
            continue;
        m->index = i;
        m->wrong = 1;
        mlp_weight_name(p, i, m->what, sizeof m->what);
        snprintf(m->hint, sizeof m->hint, "not a finite number: is every weight written?");
        return false;
    }
    struct inputs inputs = inputs_read(p, in);
    double *got = mlp_doubles(out[MLP_W], p->type, n);
    bool right = true;
    for (size_t net = 0; right && net < (size_t)p->networks; net++)
        right = quick_network(p, &inputs, net, got + net * mlp_weights(p), m);
    inputs_free(&inputs);
    free(got);
    return right;
}

/* One draw of admit(): the inputs of `call`. */
static bool admit_draw(const struct mlp_problem *p, const struct inputs *inputs, uint64_t seed,
                       uint64_t call, struct hpc_error *err)
{
    struct hpc_random random;
    double *w = emulate(p, inputs, inputs->a[MLP_W0]);
    hpc_random_init(&random, seed, call << 8); /* a stream that generate() does not use */
    double most = amplification(p, inputs, w, &random);
    bool lowers = true;
    struct hpc_mismatch m;
    for (size_t net = 0; lowers && net < (size_t)p->networks; net++)
        lowers = quick_network(p, inputs, net, w + net * mlp_weights(p), &m);
    free(w);
    if (!(most <= admit_bound))
        return hpc_fail(err,
                        "case amplifies a one-ulp change of a start weight to %.2g, expected at "
                        "most %.0e: lower rate or epochs",
                        most, admit_bound);
    if (!lowers)
        return hpc_fail(err, "case does not learn: %s %g, expected at most %g: lower rate", m.what,
                        m.got, m.bound);
    return true;
}

static bool sgd_admit(const void *problem, uint64_t seed, int draws, struct hpc_error *err)
{
    const struct mlp_problem *p = problem;
    struct hpc_layout layout;
    mlp_sgd_layout(p, &layout);
    bool ok = true;
    void *in[MLP_N_IN];
    for (int i = 0; i < MLP_N_IN; i++)
        in[i] = hpc_malloc(layout.in[i].count * hpc_type_bytes(layout.in[i].type) + 1);
    for (int d = 0; ok && d < draws; d++) {
        mlp_generate(problem, seed, (uint64_t)d, in);
        struct inputs inputs = inputs_read(p, (const void *const *)in);
        ok = admit_draw(p, &inputs, seed, (uint64_t)d, err);
        inputs_free(&inputs);
    }
    for (int i = 0; i < MLP_N_IN; i++)
        free(in[i]);
    return ok;
}

const struct hpc_op mlp_sgd_op = {
    .name = "mlp_sgd",
    .folder = "mlp",
    .example = "layers=4,4,5,5,1 activations=softmax,relu,tanh,sigmoid samples=1096 epochs=40 "
               "rate=0.01",
    .keys = mlp_sgd_keys,
    .grows = "samples",
    .parse = mlp_sgd_parse,
    .layout = mlp_sgd_layout,
    .generate = mlp_generate,
    .check = sgd_check,
    .check_quick = sgd_check_quick,
    .expected = sgd_expected,
    .admit = sgd_admit,
    .cost = mlp_sgd_cost,
    .simpler = mlp_sgd_simpler,
    .part = mlp_part,
    .part_keys = MLP_PART_RATE,
    .probe = mlp_sgd_probe,
    .part_unsure = "one epoch of",
    .terms = mlp_asked,
};
