/* Includes the file BODY once for each SIMD level of this processor family and each type, so that
 * a variant is written once and compiled for all. BODY may use
 *   LEVEL         avx512, avx2 or base (SSE2, or NEON on aarch64)
 *   REAL          double or float, with F64 = 1 or 0
 *   VECTOR_BYTES  of the level's registers: 64, 32, 16
 *   NAME(f)       f_LEVEL_REAL: what every name in BODY goes by
 *   INLINE, CODE  in front of functions: always inlined, or not; both choose the instructions
 *   FOR_LEVEL(simd, F)  F(avx512), F(avx2) or F(base) for a level that open() was given
 * No processor feature is asked for: open() is told the level. */
#include "common/abi.h"

#ifdef __x86_64__
#include <immintrin.h>
#endif
/* Vectors wider than the level's registers never cross a call: all that takes them is inlined. */
#pragma GCC diagnostic ignored "-Wpsabi"

#define UNROLL                 _Pragma("GCC unroll 10")
#define NAME_3(f, level, real) f##_##level##_##real
#define NAME_2(f, level, real) NAME_3(f, level, real)
#define NAME(f)                NAME_2(f, LEVEL, REAL)
#define CODE                   static TARGET
#define INLINE                 static inline __attribute__((always_inline)) TARGET

#ifdef __x86_64__
#define FOR_LEVEL(simd, F)                                                                         \
    ((simd) >= HPC_SIMD_NEON || (simd) < HPC_SIMD_AVX2 ? F(base)                                   \
     : (simd) == HPC_SIMD_AVX2                         ? F(avx2)                                   \
                                                       : F(avx512))

#define LEVEL        avx512
#define TARGET       __attribute__((target("avx512f,avx512dq,avx512vl,avx512bw,avx2,fma")))
#define VECTOR_BYTES 64
#include "mlp/variants/level_types.h"

#define LEVEL        avx2
#define TARGET       __attribute__((target("avx2,fma")))
#define VECTOR_BYTES 32
#include "mlp/variants/level_types.h"
#else
#define FOR_LEVEL(simd, F) ((void)(simd), F(base))
#endif

#define LEVEL base
#define TARGET
#define VECTOR_BYTES 16
#include "mlp/variants/level_types.h"
