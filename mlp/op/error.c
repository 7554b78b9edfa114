/* What a trained net is worth, for the cheap checks: its error, and whether it can learn at all;
 * and whether all of it was written.
 *
 * mlp_minibatch's, of every timed call: every weight finite, and the trained net has at most 1.05
 * times the error of the start weights on the first 16 samples (4 of a large net), and is not the
 * start weights. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/noise.h"
#include "common/size.h"
#include "common/text.h"
#include "mlp/activation.h"
#include "mlp/op/minibatch.h"
#include "mlp/op/op.h"

#define CHUNK 16 /* samples that a column of weights serves while it is in the cache */

/* O[l] of `samples` rows, by O[l-1], whose rows are `in`. */
static void layer(const struct mlp_problem *p, const double *w, int l, int samples,
                  const double *in, double *out)
{
    const int n_in = p->size[l - 1], n = p->size[l];
    const double *matrix = w + mlp_offset(p, l - 1);
    for (int k = 0; k < n; k++)
        for (int s = 0; s < samples; s++) {
            double z = matrix[k];
            for (int i = 0; i < n_in; i++)
                z += in[(size_t)s * (size_t)n_in + (size_t)i] *
                     matrix[(size_t)(1 + i) * (size_t)n + (size_t)k];
            out[(size_t)s * (size_t)n + (size_t)k] = z;
        }
    for (int s = 0; s < samples; s++)
        mlp_activate(p->activation[l], n, out + (size_t)s * (size_t)n);
}

/* The sum of E over at most CHUNK samples; room: for their outputs in all layers. */
static double chunk_error(const struct mlp_problem *p, const double *w, int samples,
                          const double *x, const double *y, double *room)
{
    const double *in = x;
    double error = 0;
    for (int l = 1; l < p->n_layers; l++) {
        layer(p, w, l, samples, in, room);
        in = room;
        room += (size_t)samples * (size_t)p->size[l];
    }
    for (int i = 0; i < samples * p->size[p->n_layers - 1]; i++)
        error += 0.5 * (y[i] - in[i]) * (y[i] - in[i]);
    return error;
}

double mlp_error(const struct mlp_problem *p, const double *w, const double *x, const double *y)
{
    const size_t n_x = (size_t)p->size[0], n_y = (size_t)p->size[p->n_layers - 1];
    double *room = hpc_malloc(hpc_mul(CHUNK, (size_t)mlp_unit(p, p->n_layers)) * sizeof *room);
    double error = 0;
    for (int s = 0; s < p->samples; s += CHUNK) {
        const int samples = p->samples - s < CHUNK ? p->samples - s : CHUNK;
        error += chunk_error(p, w, samples, x + (size_t)s * n_x, y + (size_t)s * n_y, room);
    }
    free(room);
    return p->samples > 0 ? error / p->samples : 0;
}

bool mlp_at_rest(const struct mlp_problem *p, const double *w, const double *x, const double *y)
{
    const size_t n = mlp_weights(p);
    double *g = hpc_calloc(n, sizeof *g);
    bool rest = true;
    for (size_t s = 0; rest && s < (size_t)p->samples; s++) {
        mlp_gradient(p, w, x + s * (size_t)p->size[0], y + s * (size_t)p->size[p->n_layers - 1], g);
        for (size_t i = 0; rest && i < n; i++)
            rest = g[i] == 0;
    }
    free(g);
    return rest;
}

/* ---- mlp_minibatch --------------------------------------------------------------------------- */

static const double quick_growth = 1.05, quick_tiny = 1e-6;
static const size_t quick_products = (size_t)1 << 23;

/* How many samples the cheap check looks at: 16, or as many as quick_products allow, 4 at least. */
static int quick_samples(const struct mlp_problem *p)
{
    const size_t fit = quick_products / mlp_weights(p);
    const int most = fit > 16 ? 16 : fit < 4 ? 4 : (int)fit;
    return p->samples < most ? p->samples : most;
}

/* The error of weights w on the first samples, in double; *rest, unless NULL: none of them would
 * move w. */
static double quick_error(const struct mlp_problem *p, const void *const in[], const float *w,
                          bool *rest)
{
    struct mlp_problem few = *p;
    few.samples = quick_samples(p);
    size_t outputs = (size_t)p->size[p->n_layers - 1], samples = (size_t)few.samples;
    double *x = mlp_doubles(in[MLP_X], HPC_F32, samples * (size_t)p->size[0]);
    double *y = mlp_doubles(in[MLP_Y], HPC_F32, samples * outputs);
    double *weights = mlp_doubles(w, HPC_F32, mlp_weights(p));
    double error = mlp_error(&few, weights, x, y);
    if (rest)
        *rest = mlp_at_rest(&few, weights, x, y);
    free(x);
    free(y);
    free(weights);
    return error;
}

bool mlp_minibatch_check_quick(const void *problem, const void *const in[], const void *const out[],
                               struct hpc_mismatch *m)
{
    const struct mlp_problem *p = problem;
    const float *w = out[MLP_W], *w0 = in[MLP_W0];
    size_t n = mlp_weights(p);
    bool trains = p->epochs > 0 && p->samples > 0 && *(const float *)in[MLP_RATES] > 0;
    *m = (struct hpc_mismatch){.array = MLP_W};
    for (size_t i = 0; i < n; i++) {
        if (mlp_finite((double)w[i]))
            continue;
        m->index = i;
        m->got = (double)w[i];
        m->wrong = 1;
        mlp_weight_name(p, i, m->what, sizeof m->what);
        snprintf(m->hint, sizeof m->hint, "not a finite number: is every weight written?");
        return false;
    }
    bool same = memcmp(w0, w, n * sizeof *w) == 0, rest = false;
    m->want = quick_error(p, in, w0, same ? &rest : NULL);
    m->got = quick_error(p, in, w, NULL);
    m->bound = quick_growth * m->want + quick_tiny;
    if (!(m->got <= m->bound)) {
        snprintf(m->what, sizeof m->what,
                 "error on the first %d samples: got is after training, want is before",
                 quick_samples(p));
        snprintf(m->hint, sizeof m->hint, "training must lower the error: is it += rate * D * o?");
        return false;
    }
    if (trains && same && !rest) {
        snprintf(m->what, sizeof m->what, "all weights are the start weights");
        snprintf(m->hint, sizeof m->hint, "the weights never moved: is the rate used?");
        return false;
    }
    return true;
}

/* Whether the upper half of v, or `both`, is what an output holds before a call. */
static bool untouched(double v, bool both)
{
    float half[2];
    memcpy(half, &v, sizeof v);
    return hpc_noise_of(half[1]) == HPC_NOISE_OUTPUT &&
           (!both || hpc_noise_of(half[0]) == HPC_NOISE_OUTPUT);
}

void mlp_unwritten(size_t n, const double *w, char *hint, size_t size)
{
    size_t first = 0;
    while (first < n && !untouched(w[first], false))
        first++;
    for (size_t i = first + 1; i < n; i++)
        if (!untouched(w[i], true))
            return;
    if (first == 0 || first == n)
        return;
    text_fit(hint, size, "out[MLP_W] was not written from weight %zu of %zu on%s", first, n,
             first == n / 8   ? ": a copy counts bytes, and each weight has sizeof(double) of them"
             : first == n / 2 ? ": a copy counts bytes by sizeof(float), where weights are doubles"
                              : "");
}
