/* What a host program tells CUDA's runtime of its kernels: nvcc's own words, and no others. */
#ifndef HPC_HARNESS_BUILD_REGISTER_H
#define HPC_HARNESS_BUILD_REGISTER_H

#include <stdbool.h>
#include <stddef.h>

#include "common/outcome.h"

/* Whether what nvcc kept as its binary of kernels ends where its header says. One that does not was
 * cut by the machine: no line of a source runs where it is written. */
bool registration_whole(const char *fatbin, size_t bytes);
/* Whether an object of nvcc's registers one binary of kernels, the `bytes` at `fatbin`, whose
 * instructions were looked at, and does so once, as nvcc does. Else false and why: a source could
 * bring a binary of its own as bytes, and register that. */
bool registration_allowed(const char *object, const char *fatbin, size_t bytes,
                          struct outcome *why);

#endif
