/* The trusted side of mlp/: the operations "mlp_sgd" and "mlp_minibatch", and what they share. */
#ifndef HPC_MLP_OP_OP_H
#define HPC_MLP_OP_OP_H

#include "common/op.h"
#include "mlp/op/data.h"
#include "mlp/mlp.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct hpc_op mlp_sgd_op, mlp_minibatch_op, mlp_ranks_op;

/* Both operations' problem: a variant sees only the front. */
struct mlp_case {
    struct mlp_problem p;
    int data;    /* enum mlp_data */
    double rate; /* network k's rate is rate * (1 - k / (2 networks)) */
};

/* problem.c: hpc_op.parse, layout, generate and cost of the two. */
bool mlp_sgd_parse(struct hpc_params *params, void *problem, struct hpc_error *err);
bool mlp_minibatch_parse(struct hpc_params *params, void *problem, struct hpc_error *err);
void mlp_sgd_layout(const void *problem, struct hpc_layout *layout);
void mlp_minibatch_layout(const void *problem, struct hpc_layout *layout);
void mlp_sgd_cost(const void *problem, struct hpc_cost *cost);
void mlp_minibatch_cost(const void *problem, struct hpc_cost *cost);
extern const char mlp_sgd_keys[], mlp_minibatch_keys[];
/* explain.c: hpc_op.simpler of the two. */
extern const struct hpc_simpler mlp_sgd_simpler[], mlp_minibatch_simpler[];
/* part.c: hpc_op.part of both. */
bool mlp_part(const void *problem, const void *const in[], const void *const out[], char *text,
              size_t size);
/* The rate of a double update whose part is asked: its first half is a float of like size, -0.241,
 * by which a float in its place is known. */
#define MLP_PART_RATE "rate=0.361"
/* product.c: hpc_op.probe: nets whose matrices are wide. */
bool mlp_sgd_probe(const void *problem, int number, char *keys, size_t size);
bool mlp_minibatch_probe(const void *problem, int number, char *keys, size_t size);
/* generate.c: hpc_op.terms of all. */
extern const struct hpc_term mlp_asked[];
/* generate.c, for both. */
void mlp_generate(const void *problem, uint64_t seed, uint64_t call, void *const in[]);

/* emulate.c: the oracle of mlp_sgd, in long double (p->type is ignored). x, y, order, w0, rates as
 * in mlp.h; w gets [networks][mlp_weights(p)]. Cost: twenty times mlp/flat's. */
void mlp_emulate(const struct mlp_problem *p, const double *x, const double *y,
                 const int32_t *order, const double *w0, const double *rates, double *w);
/* -dE/dw of one sample at w, added to g[mlp_weights(p)]. */
void mlp_gradient(const struct mlp_problem *p, const double *w, const double *x, const double *y,
                  double *g);

/* error.c. The mean over the samples of E = 1/2 sum (y - o)^2. 0 without samples. */
double mlp_error(const struct mlp_problem *p, const double *w, const double *x, const double *y);
/* Whether no sample has a gradient at w, as in a net of dead relu units: training moves nothing. */
bool mlp_at_rest(const struct mlp_problem *p, const double *w, const double *x, const double *y);

/* explain.c. "weight of hidden 1, unit 3 (row 4), to output, unit 0" for flat index `index` of
 * the output. */
void mlp_weight_name(const struct mlp_problem *p, size_t index, char *text, size_t size);
/* Whether v is finite, by its bits: a compiler may delete isfinite under -ffast-math. */
bool mlp_finite(double v);
/* Element i of an array of `type`, as a double. */
double mlp_element(const void *array, int type, size_t i);
/* All n elements as doubles; the caller frees them. */
double *mlp_doubles(const void *array, int type, size_t n);
/* What usually makes `got` differ from `want`; empty when nothing fits. All in double. */
void mlp_sgd_hint(const struct mlp_problem *p, const double *const in[], const int32_t *order,
                  const double *got, const double *want, char *hint, size_t size);
/* To hint, where the n weights w are written up to one of them, and what lay there before is left
 * from it on: from which; else hint stays as it is. */
void mlp_unwritten(size_t n, const double *w, char *hint, size_t size);
/* Of a few samples in a few epochs: whether got is what other samples than those of `order`, or the
 * same in another order, give: which, to text. In double, as mlp_sgd_hint. */
bool mlp_order_part(const struct mlp_problem *p, const double *const in[], const int32_t *order,
                    const double *got, char *text, size_t size);
/* mistakes.c. What to say where `got` equals training with one usual mistake in it; else NULL.
 */
const char *mlp_sgd_mistake(const struct mlp_problem *p, const double *const in[],
                            const int32_t *order, const double *got);

#ifdef __cplusplus
}
#endif
#endif
