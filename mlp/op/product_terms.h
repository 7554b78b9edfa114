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
bool product_wrong(double got, double want);
/* The first wrong one of n numbers, and how many are; -1: none. "4 5 6 7 12 ..", which. */
int product_first_wrong(int n, const double *got, const double *want, int *wrong);
void product_list_wrong(int n, const double *got, const double *want, char *text, size_t size);
/* In words: n factors as they came and as they should be, named by their index. False: right. */
bool product_say_terms(const struct product_update *u, const char *product, const char *sum, int n,
                       const double *got, const double *want);
/* Term t of column j in row `row` of a product; `with`: product_row's. */
typedef double product_term(const struct product_update *u, const double *with, int row, int t,
                            int j);
/* A row of a product, n columns of so many terms; `cell` names it, "c[0][j]". */
struct product_row {
    const char *product, *cell;
    int row, n, terms;
    product_term *term;
    const double *with;
    const double *bias; /* NULL, or [n]: what each column begins with, not counted in `got` */
};
/* In words: which columns of a row took none of their sums, or some terms twice or not at all, or
 * lost their bias, or are another number than got[n]. False where all are wrong, or none is. */
bool product_say_columns(const struct product_update *u, const struct product_row *r,
                         const double *got);
/* Whether row `row` of the first matrix's weights does not move: which others do not, or all, in
 * words. */
bool product_say_still(const struct product_update *u, int row);
/* Of two layers, where no D explains the update: whether some columns of the matrix lost what they
 * held, in words. */
bool product_say_lost(const struct product_update *u);
/* product_last.c: of three layers, what is wrong with the last one's products nn and nt; `known`:
 * u->d is. */
bool product_say_last(const struct product_update *u, bool known);

#ifdef __cplusplus
}
#endif
#endif
