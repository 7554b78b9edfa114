/* The variants that one program of ours links: build/cpu/variants/FOLDER/table.c, written by
 * `hpclab build --objects FOLDER`, defines it. Only tests, benchmarks and `hpclab mlp`'s program
 * include this; hpclab itself links no variant. */
#ifndef HPC_COMMON_TABLE_H
#define HPC_COMMON_TABLE_H

#include "common/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

extern const struct hpc_variant *const hpc_variants[]; /* ended by NULL */

#ifdef __cplusplus
}
#endif
#endif
