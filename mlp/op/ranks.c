/* mlp_ranks, trusted side: mlp_sgd with its replicas on the ranks of an MPI program, each with the
 * rows of its own shard and nothing of the others'.
 *
 * A problem is drawn as mlp_sgd draws it; of an epoch's order each rank keeps, in that order, the
 * samples whose rows it has. So the replicas of mlp_sgd, which see all rows, can train on the same
 * samples: the oracle does, with shard after shard behind each other, and every rank's weights are
 * compared with what it gets, by mlp_sgd's bound. The order of additions in the mean is nobody's:
 * it changes a mean by some ulps, as one of the start weights would, which admit() bounds. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/size.h"
#include "common/text.h"
#include "mlp/op/op.h"
#include "mlp/op/part.h"

#define OWN MLP_W0 /* inputs that each rank has of its own: x, y, order */

const char mlp_ranks_keys[] =
    "data, layers, activations, samples, epochs, permutations, replicas, merge_every, rate";

/* Where rank r's input k stands in the layout: its own ones in groups, then those of all. */
static int place(const struct mlp_problem *p, int r, int k)
{
    return k < OWN ? r * OWN + k : p->replicas * OWN + k - OWN;
}

/* Which array of mlp_sgd's one of ours is: for what a term asks of it. */
static int kind(const void *problem, int k, bool out)
{
    const int own = ((const struct mlp_problem *)problem)->replicas * OWN;
    return out ? MLP_W : k < own ? k % OWN : OWN + k - own;
}

static size_t shard(const struct mlp_problem *p, int r, size_t *first)
{
    int begin, end;
    mlp_shard(p, r, &begin, &end);
    *first = (size_t)begin;
    return (size_t)(end - begin);
}

static bool ranks_parse(struct hpc_params *params, void *problem, struct hpc_error *err)
{
    const struct mlp_problem *p = &((struct mlp_case *)problem)->p;
    if (!mlp_sgd_parse(params, problem, err))
        return false;
    if (p->replicas > MLP_MAX_RANKS)
        return hpc_fail(err, "%s: %d replicas, expected one a rank and at most %d ranks",
                        hpc_params_find(params, "replicas")->where, p->replicas, MLP_MAX_RANKS);
    return (p->networks == 1 && p->type == HPC_F64) ||
           hpc_fail(err,
                    "networks and type are not for ranks: one network in double; known keys: %s",
                    mlp_ranks_keys);
}

static void ranks_layout(const void *problem, struct hpc_layout *layout)
{
    const struct mlp_problem *p = problem;
    const size_t n = mlp_weights(p),
                 wide[] = {(size_t)p->size[0], (size_t)p->size[p->n_layers - 1]};
    static const char *const names[][OWN + 1] = {
        {"x of rank 0", "y of rank 0", "order, rank 0", "w of rank 0"},
        {"x of rank 1", "y of rank 1", "order, rank 1", "w of rank 1"},
        {"x of rank 2", "y of rank 2", "order, rank 2", "w of rank 2"},
        {"x of rank 3", "y of rank 3", "order, rank 3", "w of rank 3"}};
    *layout = (struct hpc_layout){
        .n_in = place(p, 0, MLP_N_IN), .n_out = p->replicas, .ranks = p->replicas};
    for (int r = 0; r < p->replicas; r++) {
        size_t first, rows = shard(p, r, &first);
        for (int k = 0; k < OWN; k++) {
            const bool order = k == MLP_ORDER;
            const size_t across = order ? rows : wide[k];
            const size_t down = order ? (size_t)p->permutations : rows;
            layout->in[place(p, r, k)] = (struct hpc_array){.name = names[r][k],
                                                            .type = order ? HPC_I32 : HPC_F64,
                                                            .count = hpc_mul(down, across),
                                                            .shape = {down, across},
                                                            .owner = r + 1};
        }
        layout->out[r] = (struct hpc_array){
            .name = names[r][OWN], .type = HPC_F64, .count = n, .shape = {n}, .owner = r + 1};
    }
    layout->in[place(p, 0, MLP_W0)] =
        (struct hpc_array){.name = "w0", .type = HPC_F64, .count = n, .shape = {n}};
    layout->in[place(p, 0, MLP_RATES)] =
        (struct hpc_array){.name = "rates", .type = HPC_F64, .count = 1};
}

/* mlp_sgd's inputs, of all samples. */
struct whole {
    double *x, *y;
    int32_t *order;
};

static struct whole whole_open(const struct mlp_problem *p)
{
    const size_t samples = (size_t)p->samples;
    return (struct whole){
        hpc_malloc(hpc_mul(samples, (size_t)p->size[0]) * sizeof(double) + 1),
        hpc_malloc(hpc_mul(samples, (size_t)p->size[p->n_layers - 1]) * sizeof(double) + 1),
        hpc_malloc(hpc_mul(samples, (size_t)p->permutations) * sizeof(int32_t) + 1)};
}

static void whole_close(struct whole *all)
{
    free(all->x);
    free(all->y);
    free(all->order);
}

/* Rank r's rows of an array of all samples, `wide` doubles each; or from there into the array. */
static void copy_rows(double *all, double *own, size_t first, size_t rows, size_t wide, bool out)
{
    double *there = all + first * wide;
    if (rows)
        memcpy(out ? own : there, out ? there : own, rows * wide * sizeof *own);
}

static void ranks_generate(const void *problem, uint64_t seed, uint64_t call, void *const in[])
{
    const struct mlp_problem *p = problem;
    const size_t samples = (size_t)p->samples;
    struct whole all = whole_open(p);
    void *const drawn[MLP_N_IN] = {all.x, all.y, all.order, in[place(p, 0, MLP_W0)],
                                   in[place(p, 0, MLP_RATES)]};
    mlp_generate(problem, seed, call, drawn);
    for (int r = 0; r < p->replicas; r++) {
        size_t first, rows = shard(p, r, &first);
        copy_rows(all.x, in[place(p, r, MLP_X)], first, rows, (size_t)p->size[0], true);
        copy_rows(all.y, in[place(p, r, MLP_Y)], first, rows, (size_t)p->size[p->n_layers - 1],
                  true);
        int32_t *own = in[place(p, r, MLP_ORDER)];
        for (size_t i = 0; i < samples * (size_t)p->permutations; i++)
            if ((size_t)all.order[i] >= first && (size_t)all.order[i] < first + rows)
                *own++ = all.order[i] - (int32_t)first;
    }
    whole_close(&all);
}

/* The shards behind each other, as the replicas of mlp_sgd take them. */
static struct whole gather(const struct mlp_problem *p, const void *const in[])
{
    struct whole all = whole_open(p);
    for (int r = 0; r < p->replicas; r++) {
        size_t first, rows = shard(p, r, &first);
        const int32_t *own = in[place(p, r, MLP_ORDER)];
        copy_rows(all.x, (double *)in[place(p, r, MLP_X)], first, rows, (size_t)p->size[0], false);
        copy_rows(all.y, (double *)in[place(p, r, MLP_Y)], first, rows,
                  (size_t)p->size[p->n_layers - 1], false);
        for (size_t e = 0; e < (size_t)p->permutations; e++)
            for (size_t i = 0; i < rows; i++)
                all.order[e * (size_t)p->samples + first + i] = own[e * rows + i] + (int32_t)first;
    }
    return all;
}

/* One rank's weights by a check of mlp_sgd's: `quick` or in full. */
static bool check_rank(const struct mlp_problem *p, const void *const whole[], const void *w, int r,
                       bool quick, bool *admitted, struct hpc_mismatch *m)
{
    const void *const out[MLP_N_OUT] = {w};
    char what[sizeof m->what];
    if (quick ? mlp_sgd_op.check_quick(p, whole, out, m)
              : mlp_sgd_op.check(p, whole, out, admitted, m))
        return true;
    snprintf(what, sizeof what, "rank %d of %d: %.160s", r, p->replicas, m->what);
    memcpy(m->what, what, sizeof what);
    m->array = r;
    return false;
}

static bool check_ranks(const struct mlp_problem *p, const void *const in[],
                        const void *const out[], bool quick, bool *admitted, struct hpc_mismatch *m)
{
    const size_t bytes = mlp_weights(p) * sizeof(double);
    const bool plain = m->plain;
    struct whole all = gather(p, in);
    const void *const whole[MLP_N_IN] = {all.x, all.y, all.order, in[place(p, 0, MLP_W0)],
                                         in[place(p, 0, MLP_RATES)]};
    bool right = true;
    for (int r = 0; r < p->replicas && right; r++) {
        if (r > 0 && memcmp(out[r], out[0], bytes) == 0) /* which is right */
            continue;
        *m = (struct hpc_mismatch){.plain = plain};
        right = check_rank(p, whole, out[r], r, quick, admitted, m);
    }
    whole_close(&all);
    return right;
}

static bool ranks_check(const void *problem, const void *const in[], const void *const out[],
                        bool *admitted, struct hpc_mismatch *m)
{
    *admitted = true;
    return check_ranks(problem, in, out, false, admitted, m);
}

static bool ranks_check_quick(const void *problem, const void *const in[], const void *const out[],
                              struct hpc_mismatch *m)
{
    *m = (struct hpc_mismatch){.plain = true};
    return check_ranks(problem, in, out, true, NULL, m);
}

static void ranks_expected(const void *problem, const void *const in[], double *const want[],
                           double *const bound[])
{
    const struct mlp_problem *p = problem;
    const size_t n = mlp_weights(p);
    struct whole all = gather(p, in);
    const void *const whole[MLP_N_IN] = {all.x, all.y, all.order, in[place(p, 0, MLP_W0)],
                                         in[place(p, 0, MLP_RATES)]};
    mlp_sgd_op.expected(p, whole, want, bound);
    for (int r = 1; r < p->replicas; r++) {
        memcpy(want[r], want[0], n * sizeof **want);
        memcpy(bound[r], bound[0], n * sizeof **bound);
    }
    whole_close(&all);
}

/* How a draw amplifies depends on its net, samples and rate, not on which rank has a sample. */
static bool ranks_admit(const void *problem, uint64_t seed, int draws, struct hpc_error *err)
{
    return mlp_sgd_op.admit(problem, seed, draws, err);
}

/* Whether piece k is on all ranks what rank k has alone, or that over the ranks. */
static bool own_pieces(const struct mlp_problem *p, const double *const in[], const int32_t *order,
                       const double *const got[], char *text, size_t size)
{
    const size_t n = mlp_weights(p), ranks = (size_t)p->replicas;
    bool own = ranks > 1 && n >= ranks && p->epochs > 0 && p->epochs <= p->merge_every;
    double *w = hpc_calloc(n, sizeof *w), by = 1;
    for (size_t k = 0; k < ranks && own; k++) {
        part_replica(p, (int)k, in, order, w);
        by = k == 0 && fabs(got[0][0] - w[0]) > 1e-9 ? p->replicas : by;
        for (size_t i = n * k / ranks; i < n * (k + 1) / ranks; i++)
            for (size_t r = 0; r < ranks; r++)
                own &= fabs(got[r][i] - w[i] / by) <= 1e-9 * fmax(1, fabs(w[i]));
    }
    free(w);
    return own &&
           text_fit(text, size,
                    "after one merge piece k of the weights is on all ranks what rank k has "
                    "alone%s, no sum: %sdoes the all-gather begin with piece me, not me + 1?",
                    by > 1 ? ", divided" : "", by > 1 ? "is what comes added, +=, or " : "");
}

static bool ranks_part(const void *problem, const void *const in[], const void *const out[],
                       char *text, size_t size)
{
    const struct mlp_problem *p = problem;
    const double *got[MLP_MAX_RANKS];
    struct whole all = gather(p, in);
    const double *const whole[MLP_N_IN] = {all.x, all.y, NULL, in[place(p, 0, MLP_W0)],
                                           in[place(p, 0, MLP_RATES)]};
    for (int r = 0; r < p->replicas; r++)
        got[r] = out[r];
    const bool known = own_pieces(p, whole, all.order, got, text, size) ||
                       part_ranks(p, whole, all.order, got, text, size);
    whole_close(&all);
    return known;
}

/* One merge of a net whose weights are no multiple of the ranks, of shards that are not equal. */
static bool ranks_probe(const void *problem, int number, char *keys, size_t size)
{
    const struct mlp_problem *p = problem;
    text_fit(keys, size,
             "data=blobs layers=4,3,2 activations=tanh,sigmoid samples=%d epochs=1 merge_every=1 "
             "rate=0.125",
             3 * p->replicas + 1);
    return number == 0 && p->replicas > 1;
}

const struct hpc_op mlp_ranks_op = {
    .name = "mlp_ranks",
    .folder = "mlp",
    .given = "mlp/ranks",
    .ranks = true,
    .example = "layers=4,4,5,5,1 activations=softmax,relu,tanh,sigmoid samples=200 epochs=4 "
               "rate=0.01 replicas=2",
    .keys = mlp_ranks_keys,
    .parse = ranks_parse,
    .layout = ranks_layout,
    .generate = ranks_generate,
    .check = ranks_check,
    .check_quick = ranks_check_quick,
    .expected = ranks_expected,
    .admit = ranks_admit,
    .cost = mlp_sgd_cost,
    .simpler = mlp_sgd_simpler,
    .part = ranks_part,
    .probe = ranks_probe,
    .terms = mlp_asked,
    .kind = kind,
};
