#include "mlp/op/guess.h"

#include <math.h>
#include <stdarg.h>
#include <stdlib.h>

#include "common/op.h"
#include "common/size.h"
#include "common/text.h"
#include "mlp/activation.h"

/* How a sum over the rows of a matrix goes wrong, or what is made of it. */
enum slip {
    NONE,
#define SLIP(name, words) name,
#include "mlp/op/slips.def"
#undef SLIP
    NO_LAST,
    NO_FIRST,
    SLIPS
};

/* What came out, and how sure a guess at it is. */
struct looked {
    const double *got;
    double near;   /* what each may be off by */
    double chance; /* that a random guess fits all */
    bool delta;
    double *room; /* for 2 n numbers */
};

/* What is taken: the sum, with `left` terms left out where the slip says so; the activation, whose
 * own is right; the derivative, likewise, or 0 for none; a factor. */
struct guess {
    enum slip slip;
    int left, activation, derivative;
    bool updated; /* errors come from weights that are updated already */
    double factor;
};

static const char *const names[] = {"nothing", "identity", "sigmoid", "tanh", "relu", "softmax"};

/* The outputs as the guess has them. */
static void outputs(const struct guess_layer *l, const struct guess *g, double *o)
{
    for (int k = 0; k < l->n; k++) {
        o[k] = g->slip == NO_BIAS || g->slip == BIAS_BEHIND
                   ? 0
                   : l->w[k] * (g->slip == BIAS_TWICE ? 2 : 1);
        const int first = g->slip == NO_FIRST ? g->left : 0;
        const int end = l->m - (g->slip == NO_LAST ? g->left : 0);
        for (int i = first; i < end; i++) {
            const double w = g->slip == TRANSPOSED ? l->w[l->n + k * l->m + i]
                             : g->slip == ROW_OFF  ? l->w[i * l->n + k]
                                                   : l->w[(1 + i) * l->n + k];
            const double x = l->x[g->slip == FIRST_INPUT ? 0 : i];
            o[k] = g->slip == EXCHANGED ? x * o[k] + w : o[k] + x * w;
        }
        if (g->slip == KEPT && k > 0)
            o[k] += o[k - 1] - l->w[k - 1];
    }
    mlp_activate(g->activation, l->n, o);
    for (int k = 0; g->slip == BIAS_BEHIND && k < l->n; k++)
        o[k] += l->w[k];
}

/* Row `row` of the matrix behind, column k, as the guess has it. */
static double weight_behind(const struct guess_layer *l, bool updated, int row, int k)
{
    const double o = row > 0 ? l->o[row - 1] : 1;
    return l->w_behind[row * l->n_behind + k] + (updated ? l->rate * l->behind[k] * o : 0);
}

/* What unit i reads for column k of its row where it takes the matrix for its transpose: where rows
 * are updated one by one, those before i are new. */
static double transposed_behind(const struct guess_layer *l, const struct guess *g, int i, int k)
{
    const int at = k * l->n + i, row = at / l->n_behind;
    return weight_behind(l, g->updated && row < i, 1 + row, at % l->n_behind);
}

/* The errors of a layer that is not the last, as the guess has them. */
static void errors(const struct guess_layer *l, const struct guess *g, double *e)
{
    const int n = l->n_behind;
    for (int i = 0; i < l->n; i++) {
        e[i] = g->slip == KEPT && i > 0 ? e[i - 1] : 0;
        const int first = g->slip == NO_FIRST ? g->left : 0;
        const int end = n - (g->slip == NO_LAST ? g->left : 0);
        const int row = g->slip == ROW_OFF ? i : 1 + i;
        for (int k = first; k < end; k++)
            e[i] += l->behind[k] * (g->slip == TRANSPOSED ? transposed_behind(l, g, i, k)
                                                          : weight_behind(l, g->updated, row, k));
        e[i] *= g->slip == TIMES_OUTPUT ? l->o[i] : 1;
    }
}

static bool equal(int n, const double *got, const double *guess, double factor, double near)
{
    for (int i = 0; i < n; i++)
        if (!(fabs(got[i] - factor * guess[i]) <= near))
            return false;
    return true;
}

static void add(struct text *t, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* One more slip, behind ", and " where it is not the first. */
static void add(struct text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_add(t, "%s", t->length ? ", and " : "");
    text_vadd(t, format, args);
    va_end(args);
}

static void describe(const struct guess_layer *l, const struct guess *g, bool delta, struct text *t)
{
    static const char *const sums[] = {
#define SLIP(name, words) [name] = words,
#include "mlp/op/slips.def"
#undef SLIP
    };
    const bool hidden = delta && l->behind;
    if (g->slip == NO_LAST || g->slip == NO_FIRST) {
        add(t, "the %s %d of %d terms are left out of the sum%s",
            g->slip == NO_LAST ? "last" : "first", g->left, hidden ? l->n_behind : l->m,
            hidden ? " of its errors" : "");
    } else if (g->slip != NONE) {
        add(t, "%s", sums[g->slip]);
    }
    if (g->updated)
        add(t, "its errors come from weights that are updated already");
    if (g->activation != l->activation)
        add(t, "%s stands where %s belongs", names[g->activation], names[l->activation]);
    if (g->derivative == MLP_IDENTITY && l->activation != MLP_IDENTITY && delta) {
        add(t, "the derivative of the activation is left out");
    } else if (g->derivative != l->activation && delta) {
        add(t, "the derivative is that of %s", names[g->derivative]);
    }
    if (g->factor < 0)
        add(t, "its sign is wrong");
    if (fabs(g->factor) != 1) {
        add(t, "it is taken %g times", fabs(g->factor));
    }
}

/* How many slips there are in a guess. */
static int slips(const struct guess_layer *l, const struct guess *g)
{
    return (g->slip != NONE) + (g->activation != l->activation) + (g->derivative != l->activation) +
           (g->factor != 1) + g->updated;
}

/* Errors, in v, become deltas as the guess has them. */
static void derive(const struct guess_layer *l, const struct guess *g, const double *o, double *v)
{
    for (int i = 0; i < l->n && g->slip == OF_ERROR; i++)
        v[i] = v[i] > 0 ? v[i] : 0;
    for (int i = 0; i < l->n && g->slip == IN_PLACE; i++) {
        double sum = 0;
        for (int j = 0; j < l->n; j++)
            sum += v[j] * o[j];
        v[i] = o[i] * (v[i] - sum);
    }
    if (g->slip != OF_ERROR && g->slip != IN_PLACE)
        mlp_derivative(g->derivative, l->n, o, v);
}

/* The guess's outputs or deltas to v; room for another n numbers behind v is used. */
static void evaluate(const struct guess_layer *l, const struct guess *g, bool delta, double *v)
{
    double *o = v + l->n;
    if (delta && l->behind) {
        errors(l, g, v);
        derive(l, g, l->o, v);
        return;
    }
    outputs(l, g, delta ? o : v);
    if (!delta)
        return;
    for (int i = 0; i < l->n; i++) { /* y - o, with y from the right ones */
        const int y = g->slip == FIRST_TARGET ? 0 : g->slip == NEXT_TARGET ? (i + 1) % l->n : i;
        v[i] = l->e[y] + l->o[y] - o[i];
    }
    for (int i = 0; i < l->n && g->slip == SQUARED; i++)
        v[i] *= v[i];
    derive(l, g, o, v);
}

/* Whether a guess says something about what is looked for. */
static bool sensible(const struct guess_layer *l, const struct guess *g, bool delta)
{
    const bool hidden = delta && l->behind;
    const bool bias = g->slip == NO_BIAS || g->slip == BIAS_TWICE || g->slip == BIAS_BEHIND ||
                      g->slip == FIRST_INPUT;
    const bool target = g->slip == SQUARED || g->slip == FIRST_TARGET || g->slip == NEXT_TARGET;
    if (hidden && (g->activation != l->activation || bias))
        return false;
    if (!hidden && g->slip == TIMES_OUTPUT)
        return false;
    if ((!delta || hidden) && target)
        return false;
    if (l->n == 1 && (g->slip == FIRST_TARGET || g->slip == NEXT_TARGET))
        return false;
    if (!delta && (g->derivative != l->activation || g->factor != 1))
        return false;
    if ((g->slip == OF_ERROR || g->slip == IN_PLACE) &&
        (!delta || g->derivative != l->activation || g->activation != l->activation ||
         l->activation != (g->slip == OF_ERROR ? MLP_RELU : MLP_SOFTMAX)))
        return false;
    return !((l->n == 1) && (g->activation == MLP_SOFTMAX || g->derivative == MLP_SOFTMAX));
}

/* Guesses of exactly `count` slips, all of one slip of the sum. */
static bool search_slip(const struct guess_layer *l, const struct looked *at, int count,
                        struct guess *g, int *tried)
{
    static const double factors[] = {1, -1, 2, 0.5};
    const struct guess slip = *g;
    for (int a = MLP_IDENTITY; a <= MLP_SOFTMAX; a++)
        for (int d = MLP_IDENTITY; d <= MLP_SOFTMAX; d++)
            for (int f = 0; f < 4; f++) {
                *g = slip;
                g->activation = a;
                g->derivative = d;
                g->factor = factors[f];
                if (slips(l, g) != count || !sensible(l, g, at->delta))
                    continue;
                ++*tried;
                evaluate(l, g, at->delta, at->room);
                if (equal(l->n, at->got, at->room, g->factor, at->near))
                    return true;
            }
    return false;
}

/* How many guesses of that many slips there are; the first that fits to *g, where there is one. */
static int search(const struct guess_layer *l, const struct looked *at, int count, struct guess *g,
                  bool *found)
{
    const bool hidden = at->delta && l->behind;
    const int most = hidden ? l->n_behind : l->m;
    int tried = 0;
    for (int slip = NONE; slip < SLIPS; slip++)
        for (int left = 1; left <= (slip >= NO_LAST ? most : 1); left++)
            for (int updated = 0; updated <= (hidden ? 1 : 0); updated++) {
                struct guess one = {.slip = (enum slip)slip, .left = left, .updated = updated};
                if (!search_slip(l, at, count, &one, &tried) || *found)
                    continue;
                *found = true;
                *g = one;
            }
    return tried;
}

/* That a random guess fits all that is wrong: of each number the share of its range that is near.
 * Units that are right fit any guess that leaves them alone; softmax makes one depend on the rest.
 */
static double chance(const struct guess_layer *l, const struct looked *at)
{
    const struct guess right = {
        .activation = l->activation, .derivative = l->activation, .factor = 1};
    double range = 0;
    int wrong = 0;
    evaluate(l, &right, at->delta, at->room);
    for (int i = 0; i < l->n; i++) {
        range = fmax(range, fmax(fabs(at->got[i]), fabs(at->room[i])));
        wrong += !(fabs(at->got[i] - at->room[i]) <= at->near);
    }
    wrong -= wrong > 1 && l->activation == MLP_SOFTMAX;
    return pow(fmin(1, 2 * at->near / range), wrong);
}

bool guess_slips(const struct guess_layer *l, const double *got, double near, bool delta,
                 char *text, size_t size)
{
    struct guess g = {.slip = NONE};
    double *room = hpc_calloc(2 * (size_t)l->n + 1, sizeof *room);
    struct looked at = {.got = got, .near = near, .delta = delta, .room = room};
    bool found = false;
    int tried = 0;
    at.chance = chance(l, &at);
    for (int count = 1; count <= 2 && !found; count++) {
        tried += search(l, &at, count, &g, &found);
        found &= at.chance * tried * GUESS_CHANCE <= 1;
    }
    if (found) {
        struct text t = {0};
        describe(l, &g, delta, &t);
        text_fit(text, size, "%s", text_string(&t));
        text_free(&t);
    }
    free(room);
    return found;
}
