/* What a host program tells CUDA's runtime of its kernels: nvcc's own words, and no others. */
#ifndef HPC_HARNESS_BUILD_REGISTER_H
#define HPC_HARNESS_BUILD_REGISTER_H

#include <stdbool.h>
#include <stddef.h>

/* Whether an object of nvcc's registers one binary of kernels, the one in the file `fatbin`, whose
 * instructions were looked at, and does so once, as nvcc does. Else false and the reason, which
 * begins with a verb: a source could bring a binary of its own as bytes, and register that. */
bool registration_allowed(const char *object, const char *fatbin, char *reason, size_t reason_size);

#endif
