/* Arrays of numbers in NumPy's .npy format. A file is a user's word: whatever is not exactly such
 * an array is refused, with the file, what was found and what was expected. */
#ifndef HPC_CONV2D_FEATUREMAPS_NPY_H
#define HPC_CONV2D_FEATUREMAPS_NPY_H

#include <stddef.h>

#include "common/abi.h"
#include "common/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define NPY_MAX_DIMENSIONS 8

/* count floats in C order; freed by npy_free. */
struct npy {
    int dimensions;
    size_t size[NPY_MAX_DIMENSIONS]; /* their product is count */
    size_t count;
    float *value;
};

/* Read '<f2', '<f4' or '<f8' (the last two in '=' and '|' too), C or Fortran order, format 1.0 to
 * 3.0, up to 2^31 bytes. Values that are not finite are refused, as is a file that is longer or
 * shorter than its header says. On failure: false, *err filled, *out all zero. */
bool npy_read(const char *path, struct npy *out, struct hpc_error *err);
void npy_free(struct npy *array);

/* Write '<f2', '<f4', '<f8' or '<i4' in C order, format 1.0; into PATH.tmp first, then renamed. */
bool npy_write(const char *path, int dimensions, const size_t *size, enum hpc_type type,
               const void *value, struct hpc_error *err);

#ifdef __cplusplus
}
#endif
#endif
