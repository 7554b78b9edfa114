/* Which merge is wrong where all replicas are right: how much of each the result has, on one
 * process or on ranks. And of one replica whether its second step is right. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/size.h"
#include "common/stats.h"
#include "common/text.h"
#include "mlp/op/op.h"
#include "mlp/op/part.h"

#define MOST_OVER  16   /* what a sum of replicas may be divided by */
#define MERGE_NEAR 1e-9 /* of a weight that the oracle comes to */
#define SHARE_NEAR 1e-4 /* of a share: by near replicas it is known less well than they are */

void part_replica(const struct mlp_problem *p, int r, const double *const in[],
                  const int32_t *order, double *w)
{
    struct mlp_problem one = *p;
    int first, last;
    mlp_shard(p, r, &first, &last);
    one.replicas = 1;
    one.samples = last - first;
    int32_t *rows =
        hpc_malloc(hpc_mul((size_t)p->permutations * (size_t)(one.samples + 1), sizeof *rows));
    for (int e = 0; e < p->permutations; e++)
        memcpy(rows + (size_t)e * (size_t)one.samples,
               order + (size_t)e * (size_t)p->samples + first, (size_t)one.samples * sizeof *rows);
    mlp_emulate(&one, in[MLP_X], in[MLP_Y], rows, in[MLP_W0], in[MLP_RATES], w);
    free(rows);
}

/* How much of each replica's weights got has, of weights `first` to n - 1; false where it is no sum
 * of them. */
static bool shares(size_t first, size_t n, size_t stride, int replicas, const double *w,
                   const double *got, double *share)
{
    struct fit f;
    double row[FIT_MAX], left = 1;
    fit_open(&f, replicas);
    for (size_t i = first; i < n; i++) {
        for (int r = 0; r < replicas; r++)
            row[r] = w[(size_t)r * stride + i];
        fit_add(&f, row, got[i]);
    }
    const bool known = fit_solve(&f, share, &left) && left < 1e-6;
    fit_close(&f);
    return known;
}

/* Whether the shares are whole numbers over one: what a merge makes. */
static bool over_one(int replicas, const double *share)
{
    for (int by = 1; by <= MOST_OVER; by++) {
        int whole = 0;
        for (int r = 0; r < replicas; r++)
            whole += fabs(share[r] * by - round(share[r] * by)) < 1e-4;
        if (whole == replicas)
            return true;
    }
    return false;
}

/* Whether each share is that of the samples: then so do replicas count. */
static bool by_samples(const struct mlp_problem *p, const double *share)
{
    bool all = p->samples % p->replicas != 0;
    for (int r = 0; r < p->replicas; r++) {
        int first, last;
        mlp_shard(p, r, &first, &last);
        all &= fabs(share[r] - (double)(last - first) / p->samples) < 1e-4;
    }
    return all;
}

/* Where got has the mean of all replicas but for some weights, which replica 0 left there: which.
 */
static bool say_unmerged(const struct mlp_problem *p, const double *w, const double *got,
                         char *text, size_t size)
{
    const size_t n = mlp_weights(p);
    size_t first = n, last = 0, off = 0;
    for (size_t i = 0; i < n; i++) {
        double mean = 0;
        for (int r = 0; r < p->replicas; r++)
            mean += w[(size_t)r * n + i] / p->replicas;
        if (fabs(got[i] - mean) <= MERGE_NEAR * fmax(1, fabs(mean)))
            continue;
        if (!(fabs(got[i] - w[i]) <= MERGE_NEAR * fmax(1, fabs(w[i]))))
            return false;
        first = off++ ? first : i;
        last = i;
    }
    if (off == 0 || off == n)
        return false;
    snprintf(text, size,
             "the merge leaves out %zu of %zu weights, from %zu to %zu: they stay replica 0's, all "
             "others are the mean",
             off, n, first, last);
    return true;
}

/* Of shares that are no mean: what all have in common. */
static const char *shares_words(int ranks, int rank, const double *share)
{
    int powers = 0, same = 0, means = 0, zeros = 0;
    for (int r = 0; r < ranks; r++) {
        const double power = -log(share[r]) / log(ranks);
        powers += share[r] > 0 && power > 0.5 && fabs(power - round(power)) < SHARE_NEAR;
        same += fabs(share[r] - share[0]) < SHARE_NEAR;
        means += fabs((share[r] - (r == rank)) * ranks - 1) < SHARE_NEAR;
        zeros += fabs(share[r]) < SHARE_NEAR;
    }
    return zeros == ranks
               ? ": all are 0: of what array is the sum, and is the share 1 / ranks of integers, 0?"
           : means == ranks ? ": the mean is added to the rank's own, which it should replace"
           : powers < ranks ? ""
           : same == ranks  ? ": the sum is divided more than once"
                            : ": the sum is divided in each step, not once at its end";
}

/* The longest run of weights from `first` on that are the same sum, with some to spare: where it
 * ends, `first` where there is none. */
static size_t run_of_shares(size_t first, size_t n, int ranks, const double *w, const double *got,
                            double *share)
{
    double more[FIT_MAX];
    size_t end = first + (size_t)ranks + 1;
    if (end > n || !shares(first, end, n, ranks, w, got, share))
        return first;
    while (end < n && shares(first, end + 1, n, ranks, w, got, more)) {
        memcpy(share, more, (size_t)ranks * sizeof *share);
        end++;
    }
    return end;
}

bool part_shares(int ranks, size_t n, const double *w, const double *const got[], char *text,
                 size_t size)
{
    double share[FIT_MAX];
    char list[160] = "";
    for (int rank = 0; rank < ranks; rank++)
        for (size_t i = 0; i < n;) {
            const size_t end = run_of_shares(i, n, ranks, w, got[rank], share);
            bool off = false;
            for (int r = 0; r < ranks; r++)
                off |= fabs(share[r] * ranks - 1) > SHARE_NEAR;
            if (end == i || !off) {
                i += end == i ? 1 : end - i;
                continue;
            }
            for (int r = 0; r < ranks; r++)
                text_fit(list, sizeof list, "%s%s%.3g w%d", list, r ? " + " : "",
                         fabs(share[r]) < SHARE_NEAR ? 0 : share[r], r);
            text_fit(text, size,
                     "after one merge weights %zu to %zu of %zu on rank %d are %s, should be %.3g "
                     "of each (wK: rank K's before it)%s",
                     i, end - 1, n, rank, list, 1.0 / ranks, shares_words(ranks, rank, share));
            return true;
        }
    return false;
}

bool part_merge(const struct mlp_problem *p, const double *const in[], const int32_t *order,
                const double *got, char *text, size_t size)
{
    const size_t n = mlp_weights(p);
    const int replicas = p->replicas;
    double share[FIT_MAX], *w;
    char list[120] = "";
    int zeros = 0; /* replicas that are not in it */
    if (p->networks != 1 || replicas < 2 || replicas > 8 || p->epochs < 1 ||
        p->epochs > p->merge_every || p->samples + 1 < replicas || n < 2 * (size_t)replicas)
        return false;
    w = hpc_malloc(hpc_mul((size_t)replicas * n, sizeof *w));
    for (int r = 0; r < replicas; r++)
        part_replica(p, r, in, order, w + (size_t)r * n);
    bool known = shares(0, n, n, replicas, w, got, share), off = false;
    const bool said = !known && say_unmerged(p, w, got, text, size);
    free(w);
    for (int r = 0; r < replicas && known; r++) {
        off |= fabs(share[r] * replicas - 1) > 1e-4;
        zeros += fabs(share[r]) < 1e-9;
        text_fit(list, sizeof list, "%s%s%.3g", list, r ? ", " : "",
                 fabs(share[r]) < 1e-9 ? 0 : share[r]);
    }
    /* What no merge gives: the replicas are not what it was made of. */
    if (!known || !off || !(by_samples(p, share) || over_one(replicas, share)))
        return said;
    snprintf(text, size,
             "of the trained weights of replicas 0 to %d the result has %s, should have %.3g of "
             "each: %s",
             replicas - 1, list, 1.0 / replicas,
             by_samples(p, share) && p->samples >= replicas
                 ? "each counts by the samples of its shard, where all count the same"
             : zeros == replicas
                 ? "it makes all weights 0, as 1 / replicas of integers, which is 0, does"
             : zeros > 0
                 ? "the merge leaves replicas out, or they are not trained on shards of their own "
                   "(a thread gets more than one replica where there are fewer threads)"
                 : part_divisor(p, share));
    return true;
}

bool part_second_rate(const struct mlp_problem *p, const double *const in[], const int32_t *order,
                      const double *got, char *text, size_t size)
{
    const size_t n = mlp_weights(p), row = p->epochs == 2 ? (size_t)(1 % p->permutations) : 0;
    struct mlp_problem one = *p;
    one.epochs = one.samples = one.permutations = 1;
    if (p->epochs * p->samples != 2 || p->networks != 1)
        return false;
    const int32_t second = order[row * (size_t)p->samples + (size_t)(p->samples == 2)];
    const double rate = in[MLP_RATES][0];
    double *w = hpc_calloc(2 * n, sizeof *w), *g = w + n, along = 0, length = 0, far = 0, off = 0;
    mlp_emulate(&one, in[MLP_X], in[MLP_Y], order, in[MLP_W0], in[MLP_RATES], w);
    mlp_gradient(p, w, in[MLP_X] + (size_t)second * (size_t)p->size[0],
                 in[MLP_Y] + (size_t)second * (size_t)p->size[p->n_layers - 1], g);
    for (size_t i = 0; i < n; i++) {
        along += (got[i] - w[i]) * g[i];
        length += g[i] * g[i];
    }
    const double f = along / (rate * length);
    for (size_t i = 0; i < n; i++) {
        far = fmax(far, fabs(rate * g[i]));
        off = fmax(off, fabs(got[i] - w[i] - f * rate * g[i]));
    }
    free(w);
    if (!(off <= 1e-6 * far) || !(fabs(f) > 1e-3) || fabs(f - 1) < 1e-3)
        return false;
    snprintf(
        text, size,
        "equals a step in the second %s that is %.4g times what it should be, after a right one: "
        "has it another rate, or the error added to what the first one left (+= for =)?",
        p->epochs == 2 ? "epoch" : "sample", f);
    return true;
}
