/* A filter with its pool as an array of its own, a place more on each side than it has; and what
 * one that came out wrong is made of. */
#ifndef HPC_CONV2D_OP_FILTER_H
#define HPC_CONV2D_OP_FILTER_H

#include <stdbool.h>
#include <stddef.h>

#include "conv2d/convpool.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Coefficients: channels x rows x columns; a filter with its pool is one of r + pool - 1 rows. */
struct filter_shape {
    int c, rows, columns; /* with the places more */
    int n;                /* all of them */
};

struct filter_shape filter_shape(const struct convpool_problem *p);
/* The right coefficients of filter k; w [K][C][R][S]. */
void filter_right(const struct convpool_problem *p, const double *w, int k, double *c);

/* Whether filter k, which came to got, has planes or weights that belong elsewhere in w, or a pool
 * of other places: which, to text. */
bool filter_words(const struct convpool_problem *p, const double *w, int k, const double *got,
                  double near, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
