/* lab9, ring: the average of lab9's first task, by a ring of your own.
 *
 * Contract (mlp/mlp.h, "mlp_ranks"): every function here runs in each of p->replicas processes, the
 * ranks, which share nothing. Rank r has the rows of its own shard in in[MLP_X] and in[MLP_Y], and
 * trains replica r on them:
 *   - all replicas start from in[MLP_W0];
 *   - after epochs K, 2K, .. (p->merge_every) and after the last one, every replica's weights
 * become the mean over the ranks; every rank takes part in each merge, one without samples too;
 *   - out[MLP_W] of EVERY rank holds the mean after the last epoch. With no epochs: in[MLP_W0].
 * MPI runs already when open is called, and is ended behind close: call neither MPI_Init nor
 * MPI_Finalize.
 *
 * The ranks stand in a ring: each sends to its right neighbour alone, me + 1, and receives from its
 * left one. The n weights are cut into R pieces, piece i from n * i / R on; with n < R some are
 * empty. reduce-scatter, R - 1 steps: in step t rank `me` sends piece me - t to the right, receives
 * piece me - t - 1 from the left and adds it to its own (all modulo R). Then rank `me` has the
 * complete sum of piece me + 1. all-gather, R - 1 steps: the complete pieces go around in the same
 * way, and replace what is there. Everybody sends and receives at once: MPI_Sendrecv. A send that
 * waits for its receive, in a ring in which all send first, waits for ever.
 *
 * TODO 1: after which epochs is a merge due?
 * TODO 2: reduce-scatter, into s->spare and from there; TODO 3: all-gather; and the mean. */
#include <mpi.h>
#include <stdlib.h>
#include <string.h>

#include "mlp/activation.h"
#include "mlp/mlp.h"

struct replica {
    const struct mlp_problem *p;
    size_t n;          /* weights */
    double *w, *o, *d; /* the weights; output and D of all units */
    double *spare;     /* [n], for a merge */
};

/* One sample: forward, backward, and the update of the weights, as in labs 1 to 4. */
static void learn(struct replica *s, const double *x, const double *y, double rate)
{
    const struct mlp_problem *p = s->p;
    const int last = p->n_layers - 1;
    double *w = s->w, *o = s->o, *d = s->d + mlp_unit(p, last);
    memcpy(o, x, (size_t)p->size[0] * sizeof *o);
    for (int l = 1; l <= last; l++) {
        const int n_in = p->size[l - 1], n_out = p->size[l];
        double *z = o + n_in;
        memcpy(z, w, (size_t)n_out * sizeof *z);
        w += n_out;
        for (int i = 0; i < n_in; i++, w += n_out)
            for (int k = 0; k < n_out; k++)
                z[k] += o[i] * w[k];
        mlp_activate(p->activation[l], n_out, z);
        o = z;
    }
    for (int k = 0; k < p->size[last]; k++)
        d[k] = y[k] - o[k];
    for (int l = last; l >= 1; l--) {
        const int n_in = p->size[l - 1], n_out = p->size[l];
        double *e = d - n_in;
        mlp_derivative(p->activation[l], n_out, o, d);
        o -= n_in;
        w -= mlp_matrix(p, l - 1);
        for (int k = 0; k < n_out; k++)
            w[k] += rate * d[k];
        for (int i = 0; i < n_in; i++) {
            double *row = w + (size_t)(1 + i) * (size_t)n_out, sum = 0;
            for (int k = 0; k < n_out; k++) {
                sum += d[k] * row[k];
                row[k] += rate * d[k] * o[i];
            }
            e[i] = sum;
        }
        d = e;
    }
}

/* s->w of every rank becomes the mean over the ranks. 0, or what MPI returned. */
static int merge(struct replica *s)
{
    /* TODO 2, 3. */
    (void)s;
    return 0;
}

/* All epochs of this rank's replica. */
static int train(struct replica *s, int me, const void *const in[])
{
    const struct mlp_problem *p = s->p;
    const double *x = in[MLP_X], *y = in[MLP_Y], rate = *(const double *)in[MLP_RATES];
    const size_t n_x = (size_t)p->size[0], n_y = (size_t)p->size[p->n_layers - 1];
    int first, last, failed = 0;
    mlp_shard(p, me, &first, &last);
    const int rows = last - first; /* that x and y have here */
    memcpy(s->w, in[MLP_W0], s->n * sizeof *s->w);
    for (int epoch = 0; epoch < p->epochs && !failed; epoch++) {
        const int32_t *order = in[MLP_ORDER]; /* [permutations][rows], counted from 0 */
        order += (size_t)(epoch % p->permutations) * (size_t)rows;
        for (int i = 0; i < rows; i++)
            learn(s, x + (size_t)order[i] * n_x, y + (size_t)order[i] * n_y, rate);
        if (0) /* TODO 1 */
            failed = merge(s);
    }
    return failed;
}

static int ranks_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct mlp_problem *p = problem;
    const size_t n = mlp_weights(p), units = (size_t)mlp_unit(p, p->n_layers);
    struct replica *s = calloc(1, sizeof *s);
    (void)env;
    if (!s || p->type != HPC_F64 || p->networks != 1) {
        free(s);
        return 1;
    }
    *s = (struct replica){.p = p, .n = n, .w = calloc(2 * (n + units), sizeof(double))};
    if (!s->w) {
        free(s);
        return 1;
    }
    s->spare = s->w + n;
    s->o = s->spare + n;
    s->d = s->o + units;
    *state = s;
    return 0;
}

static int ranks_run(void *state, const void *const in[], void *const out[])
{
    struct replica *s = state;
    int me;
    MPI_Comm_rank(MPI_COMM_WORLD, &me);
    const int failed = train(s, me, in);
    memcpy(out[MLP_W], s->w, s->n * sizeof *s->w);
    return failed;
}

static void ranks_close(void *state)
{
    struct replica *s = state;
    free(s->w);
    free(s);
}

const struct hpc_variant hpc_variant = {HPC_ABI,    "mlp_ranks", "ring",
                                        ranks_open, ranks_run,   ranks_close};
