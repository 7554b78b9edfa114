/* The tile instructions of AMX that minibatch_amx uses, as TILE_* macros on tiles 0 to 7 of 16 rows
 * of 16 words; or, with MINIBATCH_AMX_EMULATED, the same in plain C, for tests on any processor. */
#ifndef HPC_MLP_MINIBATCH_AMX_TILES_H
#define HPC_MLP_MINIBATCH_AMX_TILES_H

#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "common/abi.h"

enum { TILE_WORDS = 16 * 16 };

#ifdef MINIBATCH_AMX_EMULATED
#include <math.h>

#define AMX_INLINE    static inline __attribute__((always_inline))
#define AMX_CODE      static
#define AMX_SHARED(f) f##_base_float

union amx_tile {
    uint32_t word[16][16];
    float sum[16][16];
};

static inline float bf16_to_float(uint32_t upper_half)
{
    float f;
    memcpy(&f, &upper_half, sizeof f);
    return f;
}

/* c[m][n] += sum over k of the words' two products: even terms in one sum, odd ones in another, as
 * the instruction adds them; products of bf16 are exact in fp32. */
static inline void amx_add(union amx_tile *c, const union amx_tile *a, const union amx_tile *b)
{
    for (int m = 0; m < 16; m++) {
        for (int n = 0; n < 16; n++) {
            float even = 0, odd = 0;
            for (int k = 0; k < 16; k++) {
                const uint32_t x = a->word[m][k], y = b->word[k][n];
                even = fmaf(bf16_to_float(x << 16), bf16_to_float(y << 16), even);
                odd = fmaf(bf16_to_float(x & 0xffff0000U), bf16_to_float(y & 0xffff0000U), odd);
            }
            c->sum[m][n] += even + odd;
        }
    }
}

#define AMX_TILES          union amx_tile tile[8]
#define TILE_FENCE(p)      ((void)(p))
#define TILE_CONFIGURE()   ((void)0)
#define TILE_RELEASE()     ((void)0)
#define TILE_ZERO(t)       memset(&tile[t], 0, sizeof tile[t])
#define TILE_LOAD(t, from) memcpy(&tile[t], from, sizeof tile[t])
#define TILE_ADD(c, a, b)  amx_add(&tile[c], &tile[a], &tile[b])
#define TILE_LOAD_SUMS(t, from)                                                                    \
    for (int row = 0; row < 16; row++)                                                             \
    memcpy(tile[t].sum[row], (from) + row * PANEL, sizeof tile[t].sum[row])
#define TILE_STORE(t, to)                                                                          \
    for (int row = 0; row < 16; row++)                                                             \
    memcpy((to) + row * PANEL, tile[t].sum[row], sizeof tile[t].sum[row])

static inline int amx_permitted(const struct hpc_env *env)
{
    (void)env;
    return 1;
}

#else
#include <immintrin.h>

#define AMX_TARGET                                                                                 \
    __attribute__((target("amx-tile,amx-bf16,avx512f,avx512dq,avx512bw,avx512vl,avx2,fma")))
#define AMX_INLINE    static inline __attribute__((always_inline)) AMX_TARGET
#define AMX_CODE      AMX_TARGET static
#define AMX_SHARED(f) f##_avx512_float

/* gcc's intrinsics do not say that they read and write memory: without a fence, stores of the tiles
 * to be loaded may come too late, or never. Before the first load and behind the last store. */
#define TILE_FENCE(p) __asm__ volatile("" ::"r"(p) : "memory")

#define AMX_TILES               ((void)0)
#define TILE_RELEASE()          _tile_release()
#define TILE_ZERO(t)            _tile_zero(t)
#define TILE_LOAD(t, from)      _tile_loadd(t, from, 64)
#define TILE_ADD(c, a, b)       _tile_dpbf16ps(c, a, b)
#define TILE_STORE(t, to)       _tile_stored(t, to, PANEL * sizeof(float))
#define TILE_LOAD_SUMS(t, from) _tile_loadd(t, from, PANEL * sizeof(float))

/* Eight tiles of 16 rows of 64 bytes. */
AMX_INLINE void TILE_CONFIGURE(void)
{
    struct {
        uint8_t palette, start_row, unused[14];
        uint16_t bytes[16];
        uint8_t rows[16];
    } config = {.palette = 1};
    for (int t = 0; t < 8; t++) {
        config.bytes[t] = 64;
        config.rows[t] = 16;
    }
    TILE_FENCE(&config);
    _tile_loadconfig(&config);
}

/* The kernel lets a process use tiles once it has asked for them. */
static inline int amx_permitted(const struct hpc_env *env)
{
    enum { ARCH_REQ_XCOMP_PERM = 0x1023, XFEATURE_XTILEDATA = 18 };
    return env->simd == HPC_SIMD_AMX &&
           syscall(SYS_arch_prctl, ARCH_REQ_XCOMP_PERM, XFEATURE_XTILEDATA) == 0;
}

#endif
#endif
