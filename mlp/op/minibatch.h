/* What the trusted files of mlp_minibatch share. */
#ifndef HPC_MLP_OP_MINIBATCH_H
#define HPC_MLP_OP_MINIBATCH_H

#include <stdbool.h>

#include "mlp/mlp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* minibatch_oracle.c: trains in double. w [mlp_weights] holds the start weights and becomes the
 * trained ones; variance [mlp_weights] becomes an upper estimate of the variance that honest
 * fp32 rounding gives each of them, in units of u^2, u = 2^-24. The file's head has the formulas.
 */
void mlp_minibatch_oracle(const struct mlp_problem *p, const float *x, const float *y, float rate,
                          double *w, float *variance);

/* minibatch_plain.c: trains in fp32 in the plain order, the operands of every product rounded
 * to `bits` bits after the leading one first: 23 honest fp32, 10 TF32 and half, 7 bf16. w as above.
 */
void mlp_minibatch_plain(const struct mlp_problem *p, const float *x, const float *y, float rate,
                         int bits, float *w);

/* error.c: hpc_op.check_quick. */
struct hpc_mismatch;
bool mlp_minibatch_check_quick(const void *problem, const void *const in[], const void *const out[],
                               struct hpc_mismatch *m);

#ifdef __cplusplus
}
#endif
#endif
