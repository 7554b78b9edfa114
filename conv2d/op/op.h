/* The trusted side of conv2d/: the operations "conv2d" and "convpool", and what they share.
 * conv2d is convpool with pools of one, so both have one oracle and one check. */
#ifndef HPC_CONV2D_OP_OP_H
#define HPC_CONV2D_OP_OP_H

#include "conv2d/convpool.h"
#include "common/op.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct hpc_op conv2d_op, convpool_op;
extern const struct hpc_op window_format_op; /* format.c */

enum conv_values {
    CONV_NORMAL,   /* mean 0, so that errors of precision show */
    CONV_POSITIVE, /* nothing cancels */
    CONV_SCALED,   /* normal; channel by channel by a power of two from 2^-12 to 2^12 (half: 2^3) */
};

enum conv_tolerance {
    CONV_EACH,     /* every element within its own bound */
    CONV_NORMWISE, /* the whole in the Euclidean norm: for FFT and Winograd */
};

/* Both operations' problem: a variant sees only the front, as a conv2d_problem or convpool_problem.
 * stride > 1 belongs to conv2d, pool > 1 to convpool. */
struct conv_case {
    struct convpool_problem p;
    int32_t values, tolerance;
    double sparsity; /* share of zeros in x, 0 .. 1 */
};

/* problem.c */
bool conv2d_parse(struct hpc_params *params, void *problem, struct hpc_error *err);
bool convpool_parse(struct hpc_params *params, void *problem, struct hpc_error *err);
void conv_layout_arrays(const void *problem, struct hpc_layout *layout);
void conv_cost(const void *problem, struct hpc_cost *cost);
/* term.c: hpc_op.terms of all three. */
extern const struct hpc_term conv_asked[];
extern const char conv2d_keys[], convpool_keys[];
/* simpler.c: hpc_op.simpler. */
extern const struct hpc_simpler conv2d_simpler[], convpool_simpler[];
/* simpler.c: hpc_op.probe of both, and how the text of part() begins where it may tell more. */
#define CONV_OTHER_FILTER "inside the map the outputs are those of another filter"
bool conv_probe(const void *problem, int number, char *keys, size_t size);
/* part.c: hpc_op.part of both. */
bool conv_part(const void *problem, const void *const in[], const void *const out[], char *text,
               size_t size);
/* generate.c */
void conv_generate(const void *problem, uint64_t seed, uint64_t call, void *const in[]);
/* Element i of an array of floats or halves. */
double conv_element(const void *array, int type, size_t i);
void conv_put(void *array, int type, size_t i, double value);

/* The oracle (oracle.c): y in double and, of the products it sums, the absolute values and the
 * squares, with the pool's 1/pool^2 in y and absolute, 1/pool^4 in squares. All three in the order
 * of the output. */
struct conv_sums {
    size_t count;
    double *y, *absolute, *squares;
};
/* x and w in the problem's layout and type. Parallel; each of y takes C R S pool^2 products.
 * The caller frees with conv_sums_free. */
struct conv_sums conv_oracle(const struct convpool_problem *p, const void *x, const void *w);
void conv_sums_free(struct conv_sums *sums);
/* x or w as doubles in the order [outer][C][rows][columns], whatever the layout; freed by the
 * caller. */
double *conv_plain_x(const struct conv2d_problem *p, const void *x);
double *conv_plain_w(const struct conv2d_problem *p, const void *w);
/* The same sums from x and w as doubles in NCHW and KCRS; `of` gets k planes for each image. */
struct conv_sums conv_oracle_plain(const struct convpool_problem *p, const double *x,
                                   const double *w);
/* Index into y for image n, filter k, row u, column v. */
size_t conv_y_index(const struct convpool_problem *p, int n, int k, int u, int v);

/* simpler.c: hpc_op.passes of conv2d and convpool. */
void conv_passes(const void *right, const void *wrong, char *text, size_t size);

/* check.c */
bool conv_check(const void *problem, const void *const in[], const void *const out[],
                bool *admitted, struct hpc_mismatch *m);
bool conv_check_quick(const void *problem, const void *const in[], const void *const out[],
                      struct hpc_mismatch *m);
void conv_expected(const void *problem, const void *const in[], double *const want[],
                   double *const bound[]);
#define CONV_HALF_LEAST 0x1p-25 /* what rounding a tiny number to half may err */
/* How far an element may be off: check.c says why. */
double conv_bound(const struct convpool_problem *p, double y, double absolute);
/* Whether got is within four times that; and whether all of got is `factor` times the oracle's
 * result with these x and w, as conv_oracle_plain has them. */
bool conv_near(const struct convpool_problem *p, double got, double y, double absolute);
bool conv_equals(const struct convpool_problem *p, const double *got, const double *x,
                 const double *w, double factor);
/* What an honest method errs in an element, typically. */
double conv_unit(const struct convpool_problem *p, double squares);
/* hint.c: what usually makes `got` differ from `want` this way; empty when nothing fits. */
void conv_hint(const struct convpool_problem *p, const void *const in[], const double *got,
               const struct conv_sums *want, char *hint, size_t size);
/* blank.c: the same where all that is wrong is no number, and tells whose noise it is; and whether
 * the window of an output in row u, column v reaches over the map's edge. */
bool conv_blank_hint(const struct convpool_problem *p, const double *got,
                     const struct conv_sums *want, char *hint, size_t size);
bool conv_at_edge(const struct convpool_problem *p, int u, int v);
/* The same where all that is wrong is 0, from one output of each map on. */
bool conv_zeros_hint(const struct convpool_problem *p, const double *got,
                     const struct conv_sums *want, char *hint, size_t size);
/* inside.c: the same where a part of each map of x counts as 0, beyond another bound than its own.
 */
bool conv_inside_hint(const struct convpool_problem *p, const void *const in[], const double *got,
                      char *hint, size_t size);
/* moved.c: the same where every wrong output has another one's value, or is not written. */
bool conv_moved_hint(const struct convpool_problem *p, const double *got,
                     const struct conv_sums *want, char *hint, size_t size);
/* box.c: the same where x is pooled first, and pooled wrongly; NULL when nothing fits. */
const char *conv_box_hint(const struct convpool_problem *p, const double *got, const double *x,
                          const double *w);
/* The convolution of x's pooled means that p comes to, in *to; false where p has no pool. And those
 * means, n c planes of to->h x to->w. */
bool conv_pooled(const struct convpool_problem *p, struct convpool_problem *to);
void conv_pool_means(const struct convpool_problem *p, const struct conv2d_problem *to,
                     const double *x, double *means);
/* order.c: the same where an array is read in another order than it has; NULL when nothing fits. */
const char *conv_order_hint(const struct convpool_problem *p, const double *got, const double *x,
                            const double *w);

#ifdef __cplusplus
}
#endif
#endif
