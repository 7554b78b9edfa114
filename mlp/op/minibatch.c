/* mlp_minibatch, trusted side: is a net trained in fp32 right?
 *
 * check: the oracle (minibatch_oracle.c) gives every weight in double and a sigma, the estimate
 *   of what honest fp32 errs in it. Every weight must obey |got - want| <= 12 sigma + 2u |want|,
 * and each matrix of more than 64 weights rms((got - want) / sigma) < 4. That admits any order of
 *   additions and fused multiply-adds; products in TF32, half or bf16 fail the rms rule.
 * check_quick: error.c.
 * admit: on each draw, plain fp32 stays within half the bounds, right training passes check_quick,
 *   and TF32 products fail on cases with a matrix of 10000 weights or more: where a case moves the
 *   weights too little, the rounding of the result hides them. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/size.h"
#include "mlp/op/op.h"
#include "mlp/op/minibatch.h"

static const double sigmas = 12, rms_bound = 4, u = 0x1p-24;
static const size_t rms_least = 64, precision_least = 10000;

struct expected {
    double *w;
    float *variance; /* in units of u^2 */
};

static struct expected expect(const struct mlp_problem *p, const void *const in[])
{
    size_t n = mlp_weights(p);
    struct expected want = {mlp_doubles(in[MLP_W0], HPC_F32, n),
                            hpc_malloc(hpc_mul(n, sizeof *want.variance))};
    mlp_minibatch_oracle(p, in[MLP_X], in[MLP_Y], *(const float *)in[MLP_RATES], want.w,
                         want.variance);
    return want;
}

static void expected_free(struct expected *want)
{
    free(want->w);
    free(want->variance);
}

static double bound_of(const struct expected *want, size_t i)
{
    const double sigma = u * sqrt((double)want->variance[i]) + 1e-30;
    return sigmas * sigma + 2 * u * fabs(want->w[i]);
}

/* Compare one matrix, elements [start, start + n). Returns the largest |got - want| / bound, and
 * the rms over its bound where that is larger; infinite where got is not finite. */
static double compare_matrix(const struct mlp_problem *p, size_t start, size_t n, const float *got,
                             const struct expected *want, struct hpc_mismatch *m)
{
    double squares = 0, worst = 0;
    for (size_t i = start; i < start + n; i++) {
        double sigma = u * sqrt((double)want->variance[i]) + 1e-30;
        double off = mlp_finite((double)got[i]) ? fabs((double)got[i] - want->w[i]) : INFINITY;
        double bound = bound_of(want, i);
        squares += off / sigma * (off / sigma);
        worst = fmax(worst, off / bound);
        if (off <= bound || m->wrong++ > 0)
            continue;
        m->index = i;
        m->got = (double)got[i];
        m->want = want->w[i];
        m->bound = bound;
        mlp_weight_name(p, i, m->what, sizeof m->what);
    }
    double rms = sqrt(squares / (double)n);
    if (n > rms_least)
        worst = fmax(worst, rms / rms_bound);
    if (worst > 1 && m->wrong == 0 && !*m->what) {
        m->index = start;
        m->got = rms;
        m->bound = rms_bound;
        snprintf(m->what, sizeof m->what, "rms of (got - want) / sigma over a matrix from here on");
        snprintf(m->hint, sizeof m->hint,
                 "every weight is near, but the errors are larger than "
                 "those of fp32: half, bf16 or TF32 products?");
    }
    return worst;
}

/* Right when at most 1; else m, which may be NULL, says what is wrong. */
static double compare(const struct mlp_problem *p, const float *got, const struct expected *want,
                      struct hpc_mismatch *m)
{
    struct hpc_mismatch elements = {.array = MLP_W}, norms = {.array = MLP_W};
    double worst = 0;
    for (int l = 0; l < p->n_layers - 1; l++) {
        struct hpc_mismatch one = {.array = MLP_W};
        worst = fmax(worst, compare_matrix(p, mlp_offset(p, l), mlp_matrix(p, l), got, want, &one));
        if (one.wrong > 0 && elements.wrong == 0)
            elements = one;
        else if (one.wrong > 0)
            elements.wrong += one.wrong;
        else if (*one.what && !*norms.what)
            norms = one;
    }
    if (m)
        *m = elements.wrong > 0 ? elements : norms;
    return worst;
}

/* All inputs of one trusted call of ours. */
static float *plain(const struct mlp_problem *p, const void *const in[], int bits)
{
    size_t bytes = hpc_mul(mlp_weights(p), sizeof(float));
    float *w = hpc_malloc(bytes);
    memcpy(w, in[MLP_W0], bytes);
    mlp_minibatch_plain(p, in[MLP_X], in[MLP_Y], *(const float *)in[MLP_RATES], bits, w);
    return w;
}

static bool is_bias(const struct mlp_problem *p, size_t index)
{
    int l = 0;
    for (; index >= mlp_matrix(p, l); l++)
        index -= mlp_matrix(p, l);
    return index < (size_t)p->size[l + 1];
}

/* Whether got is what a negative rate gives, but for rounding. */
static bool climbs(const struct mlp_problem *p, const void *const in[], const float *got)
{
    const float *w0 = in[MLP_W0];
    const float rate = -*(const float *)in[MLP_RATES];
    double off = 0, length = 0;
    const void *other[MLP_N_IN];
    for (int i = 0; i < MLP_N_IN; i++)
        other[i] = i == MLP_RATES ? &rate : in[i];
    float *w = plain(p, other, 23);
    for (size_t i = 0; i < mlp_weights(p); i++) {
        const double apart = (double)got[i] - (double)w[i], moved = (double)w[i] - (double)w0[i];
        off += apart * apart;
        length += moved * moved;
    }
    free(w);
    return off < 1e-4 * length;
}

static void explain(const struct mlp_problem *p, const void *const in[], const float *got,
                    const struct expected *want, struct hpc_mismatch *m)
{
    size_t n = mlp_weights(p);
    const float *w0 = in[MLP_W0];
    double along = 0, length = 0, off = 0;
    bool same = true, finite = true, products = false;
    for (size_t i = 0; i < n; i++) {
        double moved = (double)got[i] - (double)w0[i], should = want->w[i] - (double)w0[i];
        finite = finite && mlp_finite((double)got[i]);
        same = same && moved == 0;
        products = products || (moved != 0 && !is_bias(p, i));
        along += moved * should;
        length += should * should;
        off += (moved - should) * (moved - should);
    }
    const char *hint = "";
    double factor = along / length;
    int batch = p->batch < p->samples ? p->batch : p->samples;
    if (!finite)
        hint = "not finite: never written, or a value that was not initialised";
    else if (same)
        hint =
            "the weights never moved: every D is 0, the rate is not used, or the trained copy is "
            "not written to out";
    else if (!products)
        hint = "only biases moved: product tn adds scale * a^T d to the weights";
    else if (factor < 0 && climbs(p, in, got))
        hint = "equals weights that climb the error: += rate * D * o with D = -dE/dz, e = y - o";
    else if (batch > 1 && factor > 0.7 * batch)
        hint = "the steps are too long by the batch's size: the mean over the batch, not the sum";
    else if (off < 1e-4 * length && (m->wrong == 0 || m->wrong > n / 100))
        hint = "all weights are near, but err more than fp32 does: half, bf16 or TF32 products?";
    if (*hint)
        snprintf(m->hint, sizeof m->hint, "%s", hint);
}

static bool minibatch_check(const void *problem, const void *const in[], const void *const out[],
                            bool *admitted, struct hpc_mismatch *m)
{
    const struct mlp_problem *p = problem;
    struct expected want = expect(p, in);
    *admitted = true;
    bool right = compare(p, out[MLP_W], &want, m) <= 1;
    if (!right) {
        float *honest = plain(p, in, 23);
        *admitted = compare(p, honest, &want, NULL) <= 1;
        right = !*admitted;
        free(honest);
        explain(p, in, out[MLP_W], &want, m);
    }
    expected_free(&want);
    return right;
}

static void minibatch_expected(const void *problem, const void *const in[], double *const want[],
                               double *const bound[])
{
    struct expected e = expect(problem, in);
    for (size_t i = 0; i < mlp_weights(problem); i++) {
        want[MLP_W][i] = e.w[i];
        bound[MLP_W][i] = bound_of(&e, i);
    }
    expected_free(&e);
}

static bool admit_draw(const struct mlp_problem *p, const void *const in[], struct hpc_error *err)
{
    struct expected want = expect(p, in);
    float *honest = plain(p, in, 23), *tensor = plain(p, in, 10);
    const void *out[MLP_N_OUT] = {honest};
    struct hpc_mismatch m;
    size_t largest = 0;
    for (int l = 0; l < p->n_layers - 1; l++)
        largest = mlp_matrix(p, l) > largest ? mlp_matrix(p, l) : largest;
    bool trains = p->epochs > 0 && p->samples > 0 && *(const float *)in[MLP_RATES] > 0;
    double fp32 = compare(p, honest, &want, NULL), tf32 = compare(p, tensor, &want, NULL);
    bool learns = mlp_minibatch_check_quick(p, in, out, &m);
    expected_free(&want);
    free(honest);
    free(tensor);
    if (!(fp32 <= 0.5))
        return hpc_fail(err,
                        "case makes plain fp32 err by %.2g of the bounds, expected at most "
                        "0.5: lower rate or epochs",
                        fp32);
    if (trains && largest >= precision_least && !(tf32 > 1))
        return hpc_fail(err,
                        "case cannot tell TF32 products from fp32: they err by %.2g of the "
                        "bounds, expected over 1: raise the rate",
                        tf32);
    return learns || hpc_fail(err, "case does not learn: %s %g, expected at most %g: lower rate",
                              m.what, m.got, m.bound);
}

static bool minibatch_admit(const void *problem, uint64_t seed, int draws, struct hpc_error *err)
{
    struct hpc_layout layout;
    bool ok = true;
    void *in[MLP_N_IN];
    mlp_minibatch_layout(problem, &layout);
    for (int i = 0; i < MLP_N_IN; i++)
        in[i] = hpc_malloc(layout.in[i].count * hpc_type_bytes(layout.in[i].type) + 1);
    for (int d = 0; ok && d < draws; d++) {
        mlp_generate(problem, seed, (uint64_t)d, in);
        ok = admit_draw(problem, (const void *const *)in, err);
    }
    for (int i = 0; i < MLP_N_IN; i++)
        free(in[i]);
    return ok;
}

const struct hpc_op mlp_minibatch_op = {
    .name = "mlp_minibatch",
    .folder = "mlp",
    .example = "layers=784,1024,1024,10 activations=relu,relu,softmax samples=256 batch=256 "
               "rate=0.1",
    .keys = mlp_minibatch_keys,
    .grows = "samples",
    .parse = mlp_minibatch_parse,
    .layout = mlp_minibatch_layout,
    .generate = mlp_generate,
    .check = minibatch_check,
    .check_quick = mlp_minibatch_check_quick,
    .expected = minibatch_expected,
    .admit = minibatch_admit,
    .cost = mlp_minibatch_cost,
    .simpler = mlp_minibatch_simpler,
    .part = mlp_part,
    .part_keys = "rate=0.375",
    .probe = mlp_minibatch_probe,
    .terms = mlp_asked,
};
