/* Which terms of its sums a wrong matrix product of mlp_minibatch takes. */
#ifndef HPC_MLP_OP_PRODUCT_H
#define HPC_MLP_OP_PRODUCT_H

#include <stdbool.h>
#include <stddef.h>

#include "mlp/mlp.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Whether p is a problem from which the terms can be told: one batch of a few samples, two or three
 * layers, no activation, and a matrix with twice as many columns as a sum has terms. */
bool mlp_product_probe(const struct mlp_problem *p);
/* Of such a problem: w0, x, y, the weights w that one update left. True when a product's terms are
 * known, and wrong: which, to text. */
bool mlp_product_part(const struct mlp_problem *p, const double *w0, const double *w,
                      const double *x, const double *y, double rate, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
