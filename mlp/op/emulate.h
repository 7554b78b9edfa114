/* Training by the oracle of mlp_sgd, right or with one usual mistake in it. */
#ifndef HPC_MLP_OP_EMULATE_H
#define HPC_MLP_OP_EMULATE_H

#include "mlp/mlp.h"

#ifdef __cplusplus
extern "C" {
#endif

enum mlp_mistake {
    MLP_RIGHT,
#define MISTAKE(name, words) MLP_##name,
#include "mlp/op/mistakes.def"
#undef MISTAKE
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
