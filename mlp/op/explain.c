/* What a wrong weight is called, and what usually makes it wrong. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/size.h"
#include "common/text.h"
#include "mlp/op/op.h"

bool mlp_finite(double v)
{
    uint64_t bits;
    memcpy(&bits, &v, sizeof bits);
    return (bits >> 52 & 0x7ff) != 0x7ff;
}

double mlp_element(const void *array, int type, size_t i)
{
    return type == HPC_F64 ? ((const double *)array)[i] : (double)((const float *)array)[i];
}

double *mlp_doubles(const void *array, int type, size_t n)
{
    double *copy = hpc_malloc(hpc_mul(n + 1, sizeof *copy));
    for (size_t i = 0; i < n; i++)
        copy[i] = mlp_element(array, type, i);
    return copy;
}

static void layer_name(const struct mlp_problem *p, int l, char *text, size_t size)
{
    if (l == 0)
        snprintf(text, size, "input");
    else if (l == p->n_layers - 1)
        snprintf(text, size, "output");
    else
        snprintf(text, size, "hidden %d", l);
}

/* Split a flat index into network, layer, row and column. */
static void locate(const struct mlp_problem *p, size_t index, size_t *network, int *layer,
                   size_t *row, size_t *column)
{
    *network = index / mlp_weights(p);
    index %= mlp_weights(p);
    int l = 0;
    while (index >= mlp_matrix(p, l))
        index -= mlp_matrix(p, l++);
    *layer = l;
    *row = index / (size_t)p->size[l + 1];
    *column = index % (size_t)p->size[l + 1];
}

void mlp_weight_name(const struct mlp_problem *p, size_t index, char *text, size_t size)
{
    size_t network, row, column;
    int l;
    char from[40], to[40], net[40] = "";
    locate(p, index, &network, &l, &row, &column);
    layer_name(p, l, from, sizeof from);
    layer_name(p, l + 1, to, sizeof to);
    if (p->networks > 1)
        snprintf(net, sizeof net, " in network %zu", network);
    if (row == 0)
        snprintf(text, size, "bias of %s, unit %zu (row 0)%s", to, column, net);
    else
        snprintf(text, size, "weight of %s, unit %zu (row %zu), to %s, unit %zu%s", from, row - 1,
                 row, to, column, net);
}

static bool close_to(size_t n, const double *a, const double *b)
{
    for (size_t i = 0; i < n; i++)
        if (!mlp_finite(b[i]) || !(fabs(a[i] - b[i]) <= 1e-9 * fmax(1, fabs(b[i]))))
            return false;
    return true;
}

/* Whether got is what the oracle gives for `other`, a problem with the same inputs. */
static bool solves(const struct mlp_problem *other, const double *const in[], const int32_t *order,
                   size_t n, const double *got)
{
    double *w = hpc_malloc(n * sizeof *w);
    mlp_emulate(other, in[MLP_X], in[MLP_Y], order, in[MLP_W0], in[MLP_RATES], w);
    bool same = close_to(n, got, w);
    free(w);
    return same;
}

static const char *replica_hint(const struct mlp_problem *p, const double *const in[],
                                const int32_t *order, size_t n, const double *got)
{
    struct mlp_problem other = *p;
    other.replicas = 1;
    if (solves(&other, in, order, n, got))
        return "equals one replica on all samples: each replica trains on its shard only";
    other = *p;
    other.merge_every = p->epochs;
    if (p->merge_every < p->epochs && solves(&other, in, order, n, got))
        return "equals one merge at the end: merge after every merge_every epochs";
    other.merge_every = 1;
    if (p->merge_every > 1 && solves(&other, in, order, n, got))
        return "equals a merge after every epoch: merge only after epochs K, 2K, .. and the last";
    return NULL;
}

/* Whether got is what `factor` times the rate gives. */
static bool scaled(const struct mlp_problem *p, double factor, const double *const in[],
                   const int32_t *order, size_t n, const double *got)
{
    double *rates = hpc_malloc((size_t)p->networks * sizeof *rates);
    const double *other[MLP_N_IN];
    for (int i = 0; i < p->networks; i++)
        rates[i] = factor * in[MLP_RATES][i];
    for (int i = 0; i < MLP_N_IN; i++)
        other[i] = i == MLP_RATES ? rates : in[i];
    const bool same = solves(p, other, order, n, got);
    free(rates);
    return same;
}

#define NO_FACTOR "Then D is not -dE/dz of the contract's E, but has a factor"

/* What to say where got is what another rate gives; else NULL. */
static const char *rate_hint(const struct mlp_problem *p, const double *const in[],
                             const int32_t *order, size_t n, const double *got)
{
    const double rate = in[MLP_RATES][0], samples = p->samples, replicas = p->replicas;
    const struct {
        double factor;
        const char *words;
    } known[] = {
        {-1, "equals weights that climb the error: += rate * D * o with D = -dE/dz, e = y - o"},
        {1 / samples, "equals a rate that is divided by the number of samples: each sample is an "
                      "update of its own, with the whole rate"},
        {1 / replicas, "equals a rate that is divided by the number of replicas: each trains with "
                       "the whole rate"},
        {replicas, "equals a rate that is multiplied by the number of replicas: in[MLP_RATES] is "
                   "what each trains with"},
        {1 / rate, "equals a rate of 1: in[MLP_RATES] is not used"},
        {rate, "equals an update with the rate twice: += rate * D * o"},
        {2, "equals twice the rate: is that in[MLP_RATES]? " NO_FACTOR},
        {0.5, "equals half the rate: is that in[MLP_RATES]? " NO_FACTOR},
    };
    for (size_t i = 0; p->networks == 1 && i < sizeof known / sizeof *known; i++)
        if (known[i].factor != 1 && scaled(p, known[i].factor, in, order, n, got))
            return known[i].words;
    return NULL;
}

static const char *find_hint(const struct mlp_problem *p, const double *const in[],
                             const int32_t *order, const double *got, const double *want)
{
    size_t n = (size_t)p->networks * mlp_weights(p), unfinished = 0, wrong = 0, bias = 0;
    for (size_t i = 0; i < n; i++) {
        size_t network, row, column;
        int l;
        locate(p, i, &network, &l, &row, &column);
        bool off = !(fabs(got[i] - want[i]) <= 1e-8 * fmax(1, fabs(want[i])));
        unfinished += !mlp_finite(got[i]);
        wrong += off;
        bias += off && row == 0;
    }
    if (unfinished == n)
        return "no weight was written, or all are NaN";
    if (unfinished > 0)
        return "some weights are not finite: never written, or a value that was not initialised";
    if (wrong == 0 && p->type == HPC_F64)
        return "every weight is near, but errs more than double does: a float in place of a "
               "double?";
    if (close_to(n, got, in[MLP_W0]))
        return "the weights never moved: every D is 0, the rate is not used, or the trained copy "
               "is not written to out";
    if (wrong > 1 && bias == wrong)
        return "only biases are wrong: row 0 of every matrix, whose unit's output is 1";
    const char *hint = rate_hint(p, in, order, n, got);
    hint = !hint && p->replicas > 1 ? replica_hint(p, in, order, n, got) : hint;
    return hint ? hint : mlp_sgd_mistake(p, in, order, got);
}

void mlp_sgd_hint(const struct mlp_problem *p, const double *const in[], const int32_t *order,
                  const double *got, const double *want, char *hint, size_t size)
{
    const char *text = find_hint(p, in, order, got, want);
    snprintf(hint, size, "%s", text ? text : "");
}

#define ORDER_STEPS 6   /* updates whose samples are told */
#define ORDER_WORK  2e7 /* weights that all tries update, at most */

/* Whether one epoch of `steps` updates by the samples `row` comes to got. */
static bool learns(const struct mlp_problem *p, const double *const in[], const int32_t *row,
                   int steps, const double *got)
{
    struct mlp_problem one = *p;
    one.epochs = one.permutations = 1;
    one.samples = steps;
    return solves(&one, in, row, mlp_weights(p), got);
}

/* Digits of `number` to the base `samples`: a try's samples. */
static void digits(long number, int samples, int steps, int32_t *row)
{
    for (int i = steps - 1; i >= 0; i--, number /= samples)
        row[i] = (int32_t)(number % samples);
}

/* "2 0 1, then 1 2 0", by epochs of so many samples. */
static void say_rows(int samples, int steps, const int32_t *row, char *text, size_t size)
{
    text[0] = '\0';
    for (int i = 0; i < steps; i++) {
        const char *between = i % samples ? " " : ", then ";
        text_fit(text, size, "%s%s%d", text, i ? between : "", (int)row[i]);
    }
}

/* What may have led to n samples in place of those that are right. */
static const char *order_words(int samples, int steps, int n, int each, const int32_t *row,
                               const int32_t *right)
{
    int first = 0, last = 0; /* epochs that leave these out */
    for (int e = 0; each < samples && e * each < n; e++) {
        const size_t bytes = (size_t)each * sizeof *row;
        last += memcmp(row + e * each, right + e * samples, bytes) == 0;
        first += memcmp(row + e * each, right + e * samples + samples - each, bytes) == 0;
    }
    if (each < samples && n > each && (last * each == n || first * each == n))
        return last * each == n ? ": the last sample of each epoch is left out"
                                : ": the first sample of each epoch is left out";
    const bool begins = memcmp(row, right, (size_t)n * sizeof *row) == 0;
    if (begins)
        return n % samples ? ": the last sample is left out" : ": the last epoch is left out";
    return n == steps && n > samples && !memcmp(row, right, (size_t)samples * sizeof *row)
               ? ": row epoch % permutations begins at that times samples"
               : "";
}

bool mlp_order_part(const struct mlp_problem *p, const double *const in[], const int32_t *order,
                    const double *got, char *text, size_t size)
{
    const int steps = p->epochs * p->samples, samples = p->samples;
    int32_t right[ORDER_STEPS], row[ORDER_STEPS];
    char is[60], should[60];
    if (samples < 2 || p->epochs < 1 || steps > ORDER_STEPS ||
        pow(samples, steps) * steps * (double)mlp_weights(p) > ORDER_WORK)
        return false;
    for (int i = 0; i < steps; i++)
        right[i] = order[i / samples % p->permutations * samples + i % samples];
    for (int n = steps; n > 0; n--)
        for (long number = 0; number < lround(pow(samples, n)); number++) {
            digits(number, samples, n, row);
            if (!learns(p, in, row, n, got))
                continue;
            const int each = n % p->epochs ? samples : n / p->epochs;
            say_rows(each, n, row, is, sizeof is);
            say_rows(samples, steps, right, should, sizeof should);
            snprintf(text, size,
                     "equals training by the samples %s, where the rows of in[MLP_ORDER] are %s%s",
                     is, should, order_words(samples, steps, n, each, row, right));
            return true;
        }
    return false;
}

/* Ways to make a training simpler, for a solution that is wrong. */
#define COUNTS   "1 2 3 4 5 7 8 9 15 16 17 31 32 33 63 64 65"
#define GROUPS   "2 4 8 16 32 64"
#define KINDS    "identity sigmoid tanh relu softmax"
#define NO_REST  ": what is left over after whole groups"
#define NEXT_ROW ": what a sample leaves to the next, or where its row begins"

const struct hpc_simpler mlp_sgd_simpler[] = {
    {"data", HPC_SIMPLER_VALUES, "blobs", NULL, false},
    {"samples", HPC_SIMPLER_ROUNDED, "replicas", ": shards that are not all of one size", false},
    {"networks", HPC_SIMPLER_VALUES, "1 2 3", NULL, false},
    {"replicas", HPC_SIMPLER_VALUES, "1 2 3", NULL, false},
    {"merge_every", HPC_SIMPLER_VALUES, "1 2", NULL, false},
    {"epochs", HPC_SIMPLER_FIRST, "1 2 3", ": what an epoch leaves to the next", false},
    {"permutations", HPC_SIMPLER_VALUES, "1 2", ": the row of the order that an epoch takes",
     false},
    {"samples", HPC_SIMPLER_FIRST, COUNTS, NEXT_ROW, true},
    {"layers", HPC_SIMPLER_DROPPED, "activations", NULL, false},
    {"activations", HPC_SIMPLER_SAME, KINDS, NULL, false},
    {"layers", HPC_SIMPLER_ROUNDED, GROUPS, NO_REST, false},
    {NULL, 0, NULL, NULL, false},
};

const struct hpc_simpler mlp_minibatch_simpler[] = {
    {"data", HPC_SIMPLER_VALUES, "blobs", NULL, false},
    {"epochs", HPC_SIMPLER_FIRST, "1 2 3", ": what an epoch leaves to the next", false},
    {"batch", HPC_SIMPLER_FIRST, COUNTS, ": the samples of a batch after its first", false},
    {"samples", HPC_SIMPLER_VALUES, COUNTS, NULL, true},
    {"batch", HPC_SIMPLER_ROUNDED, GROUPS, NO_REST, false},
    {"layers", HPC_SIMPLER_DROPPED, "activations", NULL, false},
    {"activations", HPC_SIMPLER_SAME, KINDS, NULL, false},
    {"layers", HPC_SIMPLER_ROUNDED, GROUPS, NO_REST, false},
    {NULL, 0, NULL, NULL, false},
};
