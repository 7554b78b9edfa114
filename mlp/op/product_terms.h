/* What an update of a net without activations says of the terms of its products' sums; for
 * mlp/op/product*.c. */
#ifndef HPC_MLP_OP_PRODUCT_TERMS_H
#define HPC_MLP_OP_PRODUCT_TERMS_H

#include <stdbool.h>
#include <stddef.h>

#include "mlp/mlp.h"

#ifdef __cplusplus
extern "C" {
#endif

#define PRODUCT_NEAR   1e-3 /* a factor, or a share of one, that is no mistake */
#define PRODUCT_CHANCE 0.01 /* of random factors to be explained, at which nothing is said */
#define PRODUCT_MOST   100  /* terms of a sum, or samples: below FIT_MAX */

/* One batch of m samples. */
struct product_update {
    const struct mlp_problem *p;
    int m;
    const double *w0, *w, *x, *y;
    const double *d; /* of layer 1, m rows */
    double rate;
    char *text;
    size_t size;
};

/* A weight of matrix l before the update, row 0 being the bias; and what the update adds to it,
 * over rate / m. */
double product_before(const struct product_update *u, int l, int row, int j);
double product_moved(const struct product_update *u, int l, int row, int j);
/* D[i][j] of layer l + 1 by the update of matrix l, which went with the inputs a; false where none
 * explains it. */
bool product_deltas(const struct product_update *u, int l, const double *a, double *d);
/* Least squares: the factors c of n rows of numbers, by so many equations, each of which fills
 * row[0 .. n) and returns what they add up to. False where none explain them. */
typedef double product_equation(const struct product_update *u, int sample, int at, double *row);
bool product_factors(const struct product_update *u, product_equation *one, int sample, int n,
                     int equations, double *c);
/* In words: n factors as they came and as they should be, named by their index. False: right. */
bool product_say_terms(const struct product_update *u, const char *product, const char *sum, int n,
                       const double *got, const double *want);
/* In words: which columns of a row took none of their sums, or took them twice, or another number;
 * `cell` names the row, "c[0][j]". False where all are wrong, or none is. */
bool product_say_columns(const struct product_update *u, const char *product, const char *cell,
                         int n, const double *got, const double *want);
/* product_last.c: of three layers, what is wrong with the last one's products nn and nt; `known`:
 * u->d is. */
bool product_say_last(const struct product_update *u, bool known);

#ifdef __cplusplus
}
#endif
#endif
