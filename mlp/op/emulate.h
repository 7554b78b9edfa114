/* Training by the oracle of mlp_sgd, right or with one usual mistake in it. */
#ifndef HPC_MLP_OP_EMULATE_H
#define HPC_MLP_OP_EMULATE_H

#include "mlp/mlp.h"

#ifdef __cplusplus
extern "C" {
#endif

enum mlp_mistake {
    MLP_RIGHT,
    MLP_NEW_WEIGHTS,      /* e[l] from weights that are updated already */
    MLP_NO_DERIVATIVE,    /* D = y - o at the output */
    MLP_DIAGONAL_SOFTMAX, /* o (1 - o), not the Jacobian */
    MLP_NO_BIAS,          /* row 0 is not updated */
    MLP_NO_ORDER,         /* samples 0, 1, 2, .. */
    MLP_TARGETS_IN_PLACE, /* the targets of samples 0, 1, 2, .., the inputs in order */
    MLP_FIRST_ORDER,      /* row 0 of the order in all epochs */
    MLP_SHORT_SHARDS,     /* samples / replicas of each, the rest to none */
    MLP_NO_LAST_MERGE,    /* replica 0 as the last epoch leaves it */
    MLP_NO_LAST_SAMPLE,   /* each epoch, or shard, ends one sample early */
    MLP_NO_FIRST_SAMPLE,  /* .. or begins one sample late */
    MLP_OUTPUTS_BELOW,    /* activation[l - 1] makes the outputs of layer l, */
    MLP_ACTIVATION_BELOW, /* and is in its derivative too */
    MLP_KEPT_SUMS,        /* z begins with what the sample before left in o */
    MLP_NO_DIVISION,      /* the sum of the replicas, not their mean */
    MLP_MERGE_EARLY,      /* merges after epochs 1, K + 1, .. and the last */
    MLP_MEAN_TO_FIRST,    /* replica 0 becomes the mean, the others stay as they are */
    MLP_RESTART,          /* each epoch begins with the start weights */
    MLP_OVER_TWO,         /* their sum over 2, whatever their number, */
    MLP_OVER_FOUR,        /* 4, */
    MLP_OVER_LESS,        /* one less than there are, */
    MLP_OVER_MORE,        /* one more */
    MLP_INTERLEAVED,      /* replica r trains on samples r, r + R, .. */
    MLP_MISTAKES
};

/* mlp_emulate (mlp/op/op.h), with the mistake. */
void mlp_emulate_mistake(const struct mlp_problem *p, enum mlp_mistake mistake, const double *x,
                         const double *y, const int32_t *order, const double *w0,
                         const double *rates, double *w);

#ifdef __cplusplus
}
#endif
#endif
