/* Calls a variant in chunks of epochs, so that progress, training error and Ctrl-C come in between.
 * Every epoch has a sample order of its own, from the seed, and a chunk starts from the weights
 * that the last one left, at a multiple of merge_every: the result is the one of a single call. */
#define _GNU_SOURCE
#include "mlp/app/app.h"

#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/clock.h"
#include "common/random.h"
#include "common/text.h"
#include "common/ui.h"

#define CHUNK_SECONDS 0.5
#define CHUNK_ORDER   (16L << 20) /* elements of the order array, where merge_every allows */
#define MOST_ORDER    (256L << 20)

volatile sig_atomic_t train_stop;

/* n doubles as an array of the given type, aligned to a cache line. */
static void *converted(const double *v, size_t n, int type)
{
    size_t bytes = n * (type == HPC_F32 ? 4 : 8);
    void *out = aligned_alloc(64, (bytes + 127) / 64 * 64);
    HPC_ASSERT(out);
    if (type == HPC_F64)
        memcpy(out, v, bytes);
    else
        for (size_t i = 0; i < n; i++)
            ((float *)out)[i] = (float)v[i];
    return out;
}

static void back_to_double(const void *v, size_t n, int type, double *out)
{
    for (size_t i = 0; i < n; i++)
        out[i] = type == HPC_F64 ? ((const double *)v)[i] : (double)((const float *)v)[i];
}

double *start_weights(const struct mlp_problem *p, uint64_t seed)
{
    double *w = hpc_malloc(mlp_weights(p) * sizeof *w), *at = w;
    struct hpc_random r;
    hpc_random_init(&r, seed, APP_STREAM_WEIGHTS);
    for (int l = 0; l + 1 < p->n_layers; l++) {
        /* uniform, of the width that keeps variances alike (Glorot and Bengio, 2010) */
        double width = sqrt(6.0 / (p->size[l] + p->size[l + 1]));
        for (size_t i = 0; i < mlp_matrix(p, l); i++)
            *at++ = width * (2 * hpc_random_double(&r) - 1);
    }
    return w;
}

static void epoch_order(const struct app_options *o, int epoch, int samples, int32_t *order)
{
    struct hpc_random r;
    hpc_random_init(&r, o->seed, APP_STREAM_ORDER | (uint32_t)epoch);
    hpc_random_permutation(&r, order, samples);
}

/* How many epochs to the next stop: 1, 2, 5, 10, 20, 40, then fiftieths of the whole, or half a
 * second; a multiple of merge_every where replicas are merged. */
static long chunk_length(const struct training *t)
{
    static const int early[] = {1, 2, 5, 10, 20, 40};
    long done = t->epochs_done, left = t->p.epochs - done, n = left;
    long step = t->p.epochs / 50 > 0 ? t->p.epochs / 50 : 1;
    if (done >= 40)
        n = step;
    for (int i = 5; i >= 0; i--)
        if (early[i] > done && early[i] - done < n)
            n = early[i] - done;
    if (done > 0 && t->seconds > 0 && n * t->seconds / (double)done > CHUNK_SECONDS)
        n = (long)(CHUNK_SECONDS * (double)done / t->seconds);
    if (n > CHUNK_ORDER / t->p.samples)
        n = CHUNK_ORDER / t->p.samples;
    if (n < 1)
        n = 1;
    long k = t->p.replicas > 1 ? t->p.merge_every : 1;
    n = (n + k - 1) / k * k;
    return n < left ? n : left;
}

/* A point of the curve. False when a weight of every network is no number any more. */
static bool add_point(struct training *t)
{
    struct curve *c = &t->curve;
    size_t n = mlp_weights(&t->p);
    double least = NAN;
    for (int net = 0; net < t->p.networks; net++) {
        t->error[net] = training_error(&t->p, t->w + (size_t)net * n, t->data, t->y);
        bool finite = isfinite(t->error[net]);
        for (size_t i = 0; finite && i < n; i++)
            finite = isfinite(t->w[(size_t)net * n + i]);
        if (!finite)
            t->error[net] = NAN;
        least = fmin(least, t->error[net]); /* fmin passes over NaN */
    }
    if (isnan(least))
        return false;
    if (c->n == c->room) {
        c->room = c->room ? 2 * c->room : 64;
        c->point = hpc_realloc(c->point, (size_t)c->room * sizeof *c->point);
    }
    c->point[c->n++] = (struct curve_point){t->epochs_done, least, t->seconds};
    if (t->o->verbose && !t->o->quiet)
        printf("%9d  %14.8f  %10.4f\n", t->epochs_done, least, t->seconds);
    double left = t->epochs_done ? t->seconds / t->epochs_done * (t->p.epochs - t->epochs_done) : 0;
    if (!t->o->verbose && !t->o->quiet)
        ui_progress("epoch %d of %d, training error %.6f, %.0f s left", t->epochs_done, t->p.epochs,
                    least, left);
    return true;
}

static bool refused(const struct training *t, struct hpc_error *err)
{
    char sizes[160] = "";
    for (int l = 0; l < t->p.n_layers; l++)
        text_fit(sizes, sizeof sizes, "%s%s%d", sizes, l ? "-" : "", t->p.size[l]);
    return hpc_fail(err,
                    "variant %s does not take a net of %s with %s, %d replica%s and %d "
                    "network%s on this machine; --variant flat takes %s",
                    t->variant->name, sizes, t->p.type == HPC_F32 ? "f32" : "f64", t->p.replicas,
                    t->p.replicas == 1 ? "" : "s", t->p.networks, t->p.networks == 1 ? "" : "s",
                    t->p.type == HPC_F32 ? "any with --type f64" : "any");
}

/* The arrays of a call, all of t->p.type. */
struct arrays {
    void *x, *y, *rates, *w, *w_new;
    int32_t *order;
};

static struct arrays arrays_make(const struct training *t, size_t order)
{
    size_t rows = (size_t)t->p.samples, nets = (size_t)t->p.networks;
    size_t n_out = (size_t)t->p.size[t->p.n_layers - 1], n = nets * mlp_weights(&t->p);
    struct arrays a = {.x = converted(t->data->x, rows * (size_t)t->p.size[0], t->p.type)};
    a.y = converted(t->y, rows * n_out, t->p.type);
    a.rates = converted(t->rates, nets, t->p.type);
    a.w = converted(t->w, n, t->p.type);
    a.w_new = converted(t->w, n, t->p.type);
    a.order = hpc_malloc(order * sizeof *a.order);
    return a;
}

static void arrays_free(struct arrays *a)
{
    free(a->x);
    free(a->y);
    free(a->rates);
    free(a->w);
    free(a->w_new);
    free(a->order);
}

/* One call of run(); afterwards a->w holds what was learnt. */
static bool call(struct training *t, void *state, struct arrays *a, struct hpc_error *err)
{
    const void *in[MLP_N_IN] = {a->x, a->y, a->order, a->w, a->rates};
    void *out[MLP_N_OUT] = {a->w_new};
    double start = clock_now();
    int status = t->variant->run(state, in, out);
    t->seconds += clock_now() - start;
    void *swap = a->w;
    a->w = a->w_new;
    a->w_new = swap;
    return status == 0 ||
           hpc_fail_env(err, "variant %s: run() failed with %d", t->variant->name, status);
}

/* n epochs of mlp_sgd in one call. */
static bool chunk_sgd(struct training *t, struct arrays *a, int n, struct hpc_error *err)
{
    struct mlp_problem p = t->p;
    struct hpc_env env = {t->o->threads, t->o->simd, NULL};
    void *state;
    p.epochs = p.permutations = n;
    a->order = hpc_realloc(a->order, (size_t)n * (size_t)p.samples * sizeof *a->order);
    for (int e = 0; e < n; e++)
        epoch_order(t->o, t->epochs_done + e, p.samples, a->order + (size_t)e * (size_t)p.samples);
    if (t->variant->open(&env, &p, &state) != 0)
        return refused(t, err);
    bool ok = call(t, state, a, err);
    t->variant->close(state);
    return ok;
}

/* n epochs of mlp_minibatch, whose rows are put into the epoch's order here. */
static bool chunk_minibatch(struct training *t, struct arrays *a, int n, struct hpc_error *err)
{
    struct mlp_problem p = t->p;
    struct hpc_env env = {t->o->threads, t->o->simd, NULL};
    size_t n_in = (size_t)p.size[0], n_out = (size_t)p.size[p.n_layers - 1];
    void *state;
    bool ok = true;
    p.epochs = p.permutations = 1;
    if (t->variant->open(&env, &p, &state) != 0)
        return refused(t, err);
    for (int e = 0; ok && e < n && !train_stop; e++) {
        epoch_order(t->o, t->epochs_done, p.samples, a->order);
        for (size_t i = 0; i < (size_t)p.samples; i++) {
            size_t from = (size_t)a->order[i];
            for (size_t k = 0; k < n_in; k++)
                ((float *)a->x)[i * n_in + k] = (float)t->data->x[from * n_in + k];
            for (size_t k = 0; k < n_out; k++)
                ((float *)a->y)[i * n_out + k] = (float)t->y[from * n_out + k];
        }
        ok = call(t, state, a, err);
        t->epochs_done += ok;
    }
    t->variant->close(state);
    return ok;
}

enum train_end train_run(struct training *t, struct hpc_error *err)
{
    bool sgd = strcmp(t->variant->op, "mlp_sgd") == 0, ok = true;
    if (t->p.replicas > 1 && t->p.merge_every > MOST_ORDER / t->p.samples &&
        t->p.epochs > MOST_ORDER / t->p.samples) {
        hpc_fail(err, "--merge-every %d: too many orders of %d rows to hold, expected at most %ld",
                 t->p.merge_every, t->p.samples, MOST_ORDER / t->p.samples);
        return TRAIN_FAILED;
    }
    struct arrays a = arrays_make(t, sgd ? 0 : (size_t)t->p.samples);
    ok = add_point(t);
    while (ok && t->epochs_done < t->p.epochs && !train_stop) {
        int n = (int)chunk_length(t);
        if (!(sgd ? chunk_sgd(t, &a, n, err) : chunk_minibatch(t, &a, n, err))) {
            arrays_free(&a);
            ui_progress_end();
            return TRAIN_FAILED;
        }
        t->epochs_done += sgd ? n : 0;
        back_to_double(a.w, (size_t)t->p.networks * mlp_weights(&t->p), t->p.type, t->w);
        ok = add_point(t);
    }
    arrays_free(&a);
    ui_progress_end();
    if (!ok) {
        hpc_fail(err,
                 "training diverged: after epoch %d the training error is no finite number; "
                 "try a smaller --rate, or --scale standard",
                 t->epochs_done);
        return TRAIN_DIVERGED;
    }
    return t->epochs_done < t->p.epochs ? TRAIN_INTERRUPTED : TRAIN_DONE;
}
