/* The data that the cases of mlp/ train on. Trusted side only. */
#ifndef HPC_MLP_OP_DATA_H
#define HPC_MLP_OP_DATA_H

#include "common/error.h"
#include "common/random.h"

#ifdef __cplusplus
extern "C" {
#endif

enum mlp_data {
    MLP_BLOBS,         /* drawn: one Gaussian cloud a class */
    MLP_BREAST_CANCER, /* data/breast_cancer.csv: 569 rows, 30 columns, 2 classes */
    MLP_DIGITS,        /* data/digits.csv: 1797 rows, 64 columns, 10 classes */
};

/* "blobs", "breast_cancer", "digits": false where there is no such data. */
bool mlp_data_find(const char *name, enum mlp_data *data);
/* Rows, columns and classes of data from a file; zeros for blobs, which has as many as asked. */
void mlp_data_shape(enum mlp_data data, int *rows, int *columns, int *classes);
/* False, with a line, where the file is not there or not as it should be. */
bool mlp_data_present(enum mlp_data data, struct hpc_error *err);

/* Fill x [samples][columns] and label [samples], each in 0 .. classes-1; never the same x twice.
 * Blobs: the classes' means are drawn around 0, every column has mean 0 and variance 1 over many
 *   draws; the classes are equally frequent and in a drawn order.
 * Files: every column scaled to mean 0 and variance 1 over the file (a constant column to 0), plus
 *   a drawn noise of deviation 1e-3, so that no input is ever repeated; `samples` of the rows in
 *   a drawn order. The file must be present. */
void mlp_data_draw(enum mlp_data data, struct hpc_random *random, int samples, int columns,
                   int classes, double *x, int *label);

#ifdef __cplusplus
}
#endif
#endif
