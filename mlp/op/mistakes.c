/* Training with one usual mistake in it: where a wrong result equals what such a mistake gives,
 * the student is told which. */
#include <math.h>
#include <stdlib.h>

#include "common/size.h"
#include "mlp/op/emulate.h"
#include "mlp/op/op.h"

static const char *const hints[MLP_MISTAKES] = {
    [MLP_NEW_WEIGHTS] =
        "equals errors summed over updated weights: e[l] needs them as they were in "
        "the forward pass",
    [MLP_NO_DERIVATIVE] = "equals D = y - o at the output: its activation's derivative is missing",
    [MLP_DIAGONAL_SOFTMAX] =
        "equals softmax with o (1 - o) as its derivative: its Jacobian is full, "
        "o_i (e_i - sum_j e_j o_j)",
    [MLP_NO_BIAS] =
        "equals a net whose biases are never updated: row 0 of every matrix, whose unit's "
        "output is 1",
    [MLP_NO_ORDER] = "equals samples 0, 1, 2, ..: each epoch goes through its row of in[MLP_ORDER]",
    [MLP_TARGETS_IN_PLACE] =
        "equals targets of samples 0, 1, 2, ..: y has the same row as x, order[i], not i",
    [MLP_FIRST_ORDER] = "equals row 0 of the order in every epoch: it is row epoch % permutations",
    [MLP_SHORT_SHARDS] =
        "equals shards of samples / replicas: the samples that are left over belong "
        "to some shard too, see mlp_shard",
    [MLP_NO_LAST_MERGE] =
        "equals replica 0 before the last merge: there is one after the last epoch "
        "too, whatever K is",
    [MLP_NO_LAST_SAMPLE] =
        "equals epochs that end one sample early: the last sample of each, or of "
        "each shard, is left out",
    [MLP_NO_FIRST_SAMPLE] = "equals epochs that begin one sample late: the first sample of each, "
                            "or of each shard, is left out",
    [MLP_OUTPUTS_BELOW] =
        "equals outputs by the activations of the layer below: the units of layer l "
        "have activation[l], not activation[l - 1]",
    [MLP_ACTIVATION_BELOW] =
        "equals the activations of the layer below: the units of layer l have activation[l], not "
        "activation[l - 1]",
    [MLP_KEPT_SUMS] =
        "equals sums that are not reset: z starts with the bias, not with what the sample before "
        "left there",
    [MLP_NO_DIVISION] = "equals a sum of all replicas: their mean is the sum / replicas",
    [MLP_MERGE_EARLY] =
        "equals merges after epochs 1, K + 1, 2K + 1, ..: they come after K, 2K, .., "
        "where (epoch + 1) % K is 0, epochs being counted from 0",
    [MLP_MEAN_TO_FIRST] = "equals a mean that replica 0 alone becomes: after each merge all "
                          "replicas go on from it",
    [MLP_OVER_TWO] = "equals the sum of all replicas over 2: their mean is the sum / replicas, "
                     "which are not as many as threads",
    [MLP_OVER_FOUR] = "equals the sum of all replicas over 4: their mean is the sum / replicas, "
                      "which are not as many as threads",
    [MLP_OVER_LESS] = "equals the sum of all replicas over replicas - 1: their mean is the sum / "
                      "replicas",
    [MLP_OVER_MORE] = "equals the sum of all replicas over replicas + 1: their mean is the sum / "
                      "replicas",
};

const char *mlp_sgd_mistake(const struct mlp_problem *p, const double *const in[],
                            const int32_t *order, const double *got)
{
    const size_t n = mlp_weights(p);
    double *w = hpc_malloc(n * sizeof *w);
    const char *hint = NULL;
    const int end = p->replicas > 1 ? MLP_MISTAKES : MLP_OVER_TWO;
    for (int m = MLP_RIGHT + 1; p->networks == 1 && !hint && m < end; m++) {
        size_t near = 0;
        mlp_emulate_mistake(p, (enum mlp_mistake)m, in[MLP_X], in[MLP_Y], order, in[MLP_W0],
                            in[MLP_RATES], w);
        for (size_t i = 0; i < n; i++)
            near += fabs(got[i] - w[i]) <= 1e-9 * fmax(1, fabs(w[i]));
        hint = near == n ? hints[m] : NULL;
    }
    free(w);
    return hint;
}
