/* What an exchange fills memory with before a call, harness/exchange/memory.c: words that are NaN
 * as f64, as f32 and, each half, as f16, and tell where they lay. A CPU's arithmetic hands the
 * payload of a NaN on, so that a result that was computed from one tells that too; a GPU's does
 * not, and makes 0x7fffffff of each. */
#ifndef HPC_COMMON_NOISE_H
#define HPC_COMMON_NOISE_H

#include <stdint.h>

#define HPC_NOISE        0xFFF8FE00u
#define HPC_NOISE_AROUND 0x00040000u /* set around inputs, clear in outputs and around them */
#define HPC_NOISE_RANDOM 0x000300FFu /* bits that nobody foretells */

enum hpc_noise { HPC_NOISE_NONE, HPC_NOISE_OUTPUT, HPC_NOISE_INPUT };

/* Whose noise v is, or was computed from: an output's, or what lies around an input. Its sign may
 * have changed. */
static inline enum hpc_noise hpc_noise_of(float v)
{
    uint32_t bits;
    __builtin_memcpy(&bits, &v, sizeof bits);
    if (((bits | 0x80000000u) & ~(HPC_NOISE_AROUND | HPC_NOISE_RANDOM)) != HPC_NOISE)
        return HPC_NOISE_NONE;
    return bits & HPC_NOISE_AROUND ? HPC_NOISE_INPUT : HPC_NOISE_OUTPUT;
}

#endif
