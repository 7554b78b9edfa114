/* Which part of training is wrong, by the weights that one update leaves: the part nearest to the
 * input on the way forward, else nearest to the output on the way back.
 *
 * One update moves row 0 of the matrix into layer l + 1 by rate times D[l+1], and row 1 + i by that
 * times o[l][i]. So a right row 0 says that D is right, and with it all that D depends on; and of
 * one sample the ratio of two rows is an output of layer l, whatever D is. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/size.h"
#include "mlp/activation.h"
#include "common/text.h"
#include "mlp/op/guess.h"
#include "mlp/op/op.h"
#include "mlp/op/part.h"
#include "mlp/op/product.h"

/* The unit of layer l + 1 whose D, as it came, tells most about the outputs of layer l. */
static int clearest(const struct part_update *u, int l)
{
    int best = 0;
    for (int k = 1; k < u->p->size[l + 1]; k++)
        if (fabs(part_cell(u, u->got, l, 0, k)) > fabs(part_cell(u, u->got, l, 0, best)))
            best = k;
    return best;
}

/* Layer l of the one sample; *row0 is where its D stand in got. */
static struct guess_layer step(const struct part_update *u, int l, double *errors)
{
    const struct mlp_problem *p = u->p;
    const bool last = l == p->n_layers - 1;
    const double *o = u->o + mlp_unit(p, l);
    for (int k = 0; k < p->size[l]; k++)
        errors[k] = last ? u->y[k] - o[k] : 0;
    return (struct guess_layer){.activation = p->activation[l],
                                .m = p->size[l - 1],
                                .n = p->size[l],
                                .w = u->w0 + mlp_offset(p, l - 1),
                                .x = u->o + mlp_unit(p, l - 1),
                                .o = o,
                                .e = errors,
                                .behind = last ? NULL : u->want + mlp_offset(p, l),
                                .w_behind = last ? NULL : u->w0 + mlp_offset(p, l),
                                .n_behind = last ? 0 : p->size[l + 1],
                                .rate = u->rate};
}

/* The share that a guess may be off by: rounding alone, as what is no cause must not fit. */
static double part_close(const struct part_update *u)
{
    return u->p->type == HPC_F64 ? 10 * u->near : u->near / 5;
}

/* Of one sample: the first layer whose outputs are wrong, by the ratios of rows. */
static bool outputs_wrong(const struct part_update *u)
{
    const struct mlp_problem *p = u->p;
    char name[60], how[160] = "";
    for (int l = 1; l < p->n_layers - 1; l++) {
        const int k = clearest(u, l), n = p->size[l];
        const double d = part_cell(u, u->got, l, 0, k), *want = u->o + mlp_unit(p, l);
        if (!(fabs(d) > 10 * u->near * part_scale(u, l)))
            return false;
        double *got = hpc_calloc(2 * (size_t)n, sizeof *got);
        int wrong = -1;
        for (int i = n - 1; i >= 0; i--) {
            got[i] = part_cell(u, u->got, l, 1 + i, k) / d;
            if (!(fabs(got[i] - want[i]) <= 100 * u->near * fmax(1, fabs(want[i]))))
                wrong = i;
        }
        if (wrong >= 0) {
            const struct guess_layer g = step(u, l, got + n);
            guess_slips(&g, got, part_close(u), false, how, sizeof how);
            part_say_zeros(n, got, want, 100 * u->near, how, sizeof how);
            if (!*how)
                part_say_matrix(u, l - 1, false, got, 100 * u->near, how, sizeof how);
            if (!*how && p->activation[l] == MLP_SOFTMAX)
                part_say_softmax(n, got, want, 100 * u->near, how, sizeof how);
            snprintf(u->text, u->size,
                     "the outputs%s of %s are wrong%s%s (in one sample, unit %d has %.4g, should "
                     "have %.4g)",
                     part_product(u, " (product nn)"), part_layer(p, l, name, sizeof name),
                     *how ? ": " : "", how, wrong, got[wrong], want[wrong]);
        }
        free(got);
        if (wrong >= 0)
            return true;
    }
    return false;
}

/* "by rounding", where what is off is of single precision's size. */
static bool rounded(const struct part_update *u, int l, int row)
{
    for (int k = 0; k < u->p->size[l + 1]; k++)
        if (!(fabs(part_cell(u, u->got, l, row, k) - part_cell(u, u->want, l, row, k)) <=
              1e-6 * part_scale(u, l)))
            return false;
    return u->p->type == HPC_F64;
}

static bool nothing_moves(const struct part_update *u)
{
    size_t still = 0;
    while (still < mlp_weights(u->p) && u->got[still] == 0)
        still++;
    return still == mlp_weights(u->p);
}

/* Where all that is wrong of D of the output layer is what outputs of 0 give: which units those
 * are, as if nobody computed them. */
static void say_uncomputed(const struct part_update *u, int l, char *how, size_t size)
{
    const int n = u->p->size[l + 1], activation = u->p->activation[l + 1];
    const double near = 10 * u->near * part_scale(u, l);
    int first = -1, last = -1, units = 0;
    for (int k = 0; k < n; k++) {
        const double got = part_cell(u, u->got, l, 0, k);
        double o = 0, d = u->y[k];
        if (fabs(got - part_cell(u, u->want, l, 0, k)) <= near)
            continue;
        mlp_derivative(activation, 1, &o, &d);
        if (!(fabs(got - d) <= near) || activation == MLP_SOFTMAX)
            return;
        first = first < 0 ? k : first;
        last = k;
        units++;
    }
    if (units == n && activation == MLP_IDENTITY)
        snprintf(how, size, "it is y, not y - o: the outputs are 0, as if nobody computed them");
    else if (units > 0 && units < n)
        snprintf(how, size,
                 "%d of %d, from unit %d to %d, have an output of 0, as if nobody computed it",
                 units, n, first, last);
}

static void say_delta(const struct part_update *u, int l)
{
    const struct mlp_problem *p = u->p;
    const int k = part_wrong_in_row(u, l, 0);
    const bool hidden = l < p->n_layers - 2;
    char name[60], how[160] = "", both[TEXT_DIFFER];
    double *errors = hpc_calloc((size_t)p->size[l + 1], sizeof *errors);
    if (p->samples == 1)
        (hidden ? part_say_errors : say_uncomputed)(u, l, how, sizeof how);
    if (rounded(u, l, 0)) {
        snprintf(how, sizeof how, "by as little as a float in place of a double makes");
    } else if (p->samples == 1 && !*how) {
        const struct guess_layer g = step(u, l + 1, errors);
        guess_slips(&g, u->got + mlp_offset(p, l), part_close(u) * part_scale(u, l), true, how,
                    sizeof how);
        if (!*how)
            part_say_matrix(u, l + hidden, hidden, u->got + mlp_offset(p, l),
                            10 * u->near * part_scale(u, l), how, sizeof how);
    }
    free(errors);
    part_say_units(u, l, how, sizeof how);
    snprintf(u->text, u->size, "%s%s of %s is wrong%s%s (in one update, D of unit %d is %s)%s",
             hidden ? "the delta" : "the forward pass or the delta",
             hidden ? part_product(u, " (product nt)") : part_product(u, " (product nn)"),
             part_layer(p, l + 1, name, sizeof name), *how ? ": " : "", how, k,
             text_differ(both, part_cell(u, u->got, l, 0, k), part_cell(u, u->want, l, 0, k), 4),
             hidden ? "; the deltas of the layers after it are right" : "");
}

static bool say(const struct part_update *u)
{
    const int last = u->p->n_layers - 2;
    if (nothing_moves(u)) {
        snprintf(u->text, u->size,
                 "one epoch of %d sample%s moves no weight: all D are 0, as of outputs that nobody "
                 "computes, or the last epoch or sample is left out",
                 u->p->samples, u->p->samples == 1 ? "" : "s");
        return true;
    }
    if (part_say_rate(u) || part_say_biases(u) || part_say_still(u))
        return true;
    if (u->p->samples == 1 && part_wrong_in_row(u, last, 0) >= 0 && outputs_wrong(u))
        return true;
    for (int l = last; l >= 0; l--)
        if (part_wrong_in_row(u, l, 0) >= 0) {
            say_delta(u, l);
            return true;
        }
    return part_say_weights(u);
}

/* The outputs of all layers at the sample x. */
static void forward(const struct mlp_problem *p, const double *w, const double *x, double *o)
{
    memcpy(o, x, (size_t)p->size[0] * sizeof *o);
    for (int l = 1; l < p->n_layers; l++) {
        const double *in = o + mlp_unit(p, l - 1), *matrix = w + mlp_offset(p, l - 1);
        double *out = o + mlp_unit(p, l);
        for (int k = 0; k < p->size[l]; k++) {
            out[k] = matrix[k];
            for (int i = 0; i < p->size[l - 1]; i++)
                out[k] += in[i] * matrix[(1 + i) * p->size[l] + k];
        }
        mlp_activate(p->activation[l], p->size[l], out);
    }
}

/* Of several replicas what the merge makes of them, of one and a few samples which they are. */
static bool whole_part(const struct mlp_problem *p, const void *const in[], const double *w,
                       char *text, size_t size)
{
    const size_t columns = (size_t)p->size[0], outputs = (size_t)p->size[p->n_layers - 1];
    const size_t counts[] = {[MLP_X] = (size_t)p->samples * columns,
                             [MLP_Y] = (size_t)p->samples * outputs,
                             [MLP_ORDER] = 0,
                             [MLP_W0] = mlp_weights(p),
                             [MLP_RATES] = (size_t)p->networks};
    double *a[MLP_N_IN];
    for (int i = 0; i < MLP_N_IN; i++)
        a[i] = mlp_doubles(in[i], p->type, counts[i]);
    const double *const *all = (const double *const *)a;
    const bool known = p->replicas > 1 ? part_merge(p, all, in[MLP_ORDER], w, text, size) ||
                                             part_shards(p, all, in[MLP_ORDER], w, text, size)
                                       : mlp_order_part(p, all, in[MLP_ORDER], w, text, size) ||
                                             part_places(p, all, in[MLP_ORDER], w, text, size) ||
                                             part_second_rate(p, all, in[MLP_ORDER], w, text, size);
    for (int i = 0; i < MLP_N_IN; i++)
        free(a[i]);
    return known;
}

/* Whether no weight of doubles has more digits than a float: by chance one in 2^29 is so. */
static bool all_floats(const struct mlp_problem *p, const void *w)
{
    const size_t n = mlp_weights(p);
    bool moved = false;
    for (size_t i = 0; i < n; i++) {
        const double v = mlp_element(w, p->type, i);
        if (v != (double)(float)v)
            return false;
        moved |= v != 0;
    }
    return p->type == HPC_F64 && n > 1 && moved;
}

bool mlp_part(const void *problem, const void *const in[], const void *const out[], char *text,
              size_t size)
{
    const struct mlp_problem *p = problem;
    const size_t n = mlp_weights(p), columns = (size_t)p->size[0];
    const size_t outputs = (size_t)p->size[p->n_layers - 1], samples = (size_t)p->samples;
    const double rate = mlp_element(in[MLP_RATES], p->type, 0);
    if (all_floats(p, out[MLP_W])) {
        snprintf(text, size,
                 "each weight is a float's value: the last that computes them, as the mean of the "
                 "replicas, has a float in place of a double");
        return true;
    }
    if (p->type == HPC_F64 && p->networks == 1 && (p->replicas > 1 || p->epochs * p->samples > 1))
        return whole_part(p, in, out[MLP_W], text, size);
    if (p->networks != 1 || p->replicas != 1 || p->epochs != 1 || samples < 1 || rate == 0 ||
        (p->batch > 0 ? p->samples > p->batch : samples != 1))
        return false;
    double *w0 = mlp_doubles(in[MLP_W0], p->type, n), *w = mlp_doubles(out[MLP_W], p->type, n);
    double *x = mlp_doubles(in[MLP_X], p->type, samples * columns);
    double *y = mlp_doubles(in[MLP_Y], p->type, samples * outputs);
    double *room = hpc_calloc(2 * n + (size_t)mlp_unit(p, p->n_layers), sizeof *room);
    struct part_update u = {.p = p,
                            .w0 = w0,
                            .y = y,
                            .got = room,
                            .want = room + n,
                            .o = room + 2 * n,
                            .near = p->type == HPC_F64 ? 1e-9 : 1e-4,
                            .rate = rate,
                            .text = text,
                            .size = size};
    for (size_t s = 0; s < samples; s++)
        mlp_gradient(p, w0, x + s * columns, y + s * outputs, u.want);
    for (size_t i = 0; i < n; i++) {
        u.got[i] = (w[i] - w0[i]) / rate;
        u.want[i] /= (double)samples;
    }
    forward(p, w0, x, u.o);
    const bool known = mlp_product_part(p, w0, w, x, y, rate, text, size) || say(&u);
    free(w0);
    free(w);
    free(x);
    free(y);
    free(room);
    return known;
}
