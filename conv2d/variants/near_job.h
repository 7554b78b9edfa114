/* What near_kernel.h's blocks are told, and the instructions that they have beside tensor.h's:
 * products of floats of 11 bits, copies into shared memory, what a block of a cluster is sent. */
#ifndef HPC_CONV2D_NEAR_JOB_H
#define HPC_CONV2D_NEAR_JOB_H

#include "conv2d/variants/near_plan.h"
#include "conv2d/variants/tensor.h"

/* Below sm_80 no GPU has these products; the CPU device, which says that it is sm_70, has them by
 * shuffles, for the smallest kernel alone (SPLIT_SMALL). */
#if __CUDA_ARCH__ >= 800 || __CUDA_ARCH__ == 700
#define NEAR_THERE 1
#else
#define NEAR_THERE 0
#endif

namespace
{

struct near_job {
    struct conv2d_problem p;
    struct split_plan plan;
    struct near_memory memory;
    const uint4 *weights;               /* [filters / 16][channels / 16][R S][2][lane][4], floats */
    int filters, groups, share, chunks; /* filters / 16, groups of 16 channels: all, a block's */
    int pixels, columns, apart;         /* of the patch */
    int quads_at_a_time;                /* of channels that a round of the block's threads brings */
    bool fetched;                       /* x comes to the L2 before it may be read */
    int across, tiles;                  /* tiles in a row, in an image */
    int y_rows, y_columns;
    int shift[NEAR_TAPS]; /* bytes from an output's first pixel to a tap's */
    struct split_divisor by_pixels, by_patch, by_columns, by_wm;
};

#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 800

/* c += A B: 16 x 8 and 8 x 8 of 11 bits each, the floats' lower 13 are not looked at. */
__device__ inline void near_multiply(float c[4], const uint32_t a[4], uint32_t b0, uint32_t b1)
{
    asm("mma.sync.aligned.m16n8k8.row.col.f32.tf32.tf32.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, "
        "{%8,%9}, {%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
}

/* Copies on their way to shared memory; what is not there is zero. */
__device__ inline void near_copy_4(void *to, const float *from, bool there)
{
    asm volatile("cp.async.ca.shared.global [%0], [%1], 4, %2;" ::"r"(
                     (uint32_t)__cvta_generic_to_shared(to)),
                 "l"(from), "r"(there ? 4 : 0)
                 : "memory");
}

__device__ inline void near_copy_16(void *to, const float *from, bool there)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16, %2;" ::"r"(
                     (uint32_t)__cvta_generic_to_shared(to)),
                 "l"(from), "r"(there ? 16 : 0)
                 : "memory");
}

__device__ inline void near_copies_end()
{
    asm volatile("cp.async.commit_group;" ::: "memory");
}

template <int N> __device__ inline void near_copies_wait()
{
    asm volatile("cp.async.wait_group %0;" ::"n"(N) : "memory");
}

__device__ inline uint32_t near_round(float v) /* to 11 bits */
{
    uint32_t r;
    asm("cvt.rna.tf32.f32 %0, %1;" : "=r"(r) : "f"(v));
    return r;
}

#else

__device__ inline float near_cut(uint32_t v)
{
    return __int_as_float((int)(v & 0xffffe000u));
}

__device__ inline void near_multiply(float c[4], const uint32_t a[4], uint32_t b0, uint32_t b1)
{
    const int lane = threadIdx.x % 32, row = lane / 4 * 4, column = lane % 4 * 8;
    for (int i = 0; i < 8; i++) {
        const uint32_t top = __shfl_sync(ALL_LANES, a[i / 4 * 2], row + i % 4);
        const uint32_t low = __shfl_sync(ALL_LANES, a[i / 4 * 2 + 1], row + i % 4);
        const uint32_t left = __shfl_sync(ALL_LANES, i < 4 ? b0 : b1, column + i % 4);
        const uint32_t right = __shfl_sync(ALL_LANES, i < 4 ? b0 : b1, column + 4 + i % 4);
        c[0] += near_cut(top) * near_cut(left);
        c[1] += near_cut(top) * near_cut(right);
        c[2] += near_cut(low) * near_cut(left);
        c[3] += near_cut(low) * near_cut(right);
    }
}

__device__ inline void near_copy_4(void *to, const float *from, bool there)
{
    *(float *)to = there ? *from : 0;
}

__device__ inline void near_copy_16(void *to, const float *from, bool there)
{
    *(float4 *)to = there ? *(const float4 *)from : make_float4(0, 0, 0, 0);
}

__device__ inline void near_copies_end()
{
}

template <int N> __device__ inline void near_copies_wait()
{
}

__device__ inline uint32_t near_round(float v)
{
    const uint32_t bits = (uint32_t)__float_as_int(v);
    return (bits & 0x7f800000u) == 0x7f800000u ? bits : bits + 0x1000;
}

#endif

/* A float as two of 11 bits, whose lower 13 the products cut off: the upper one is rounded, so that
 * the lower one is small and has either sign. Of infinities and NaN one of the two is not finite,
 * nor is a sum that it comes into. */
__device__ inline uint32_t near_upper(uint32_t v)
{
    return v + 0x1000;
}

__device__ inline uint32_t near_lower(uint32_t v)
{
    const float upper = __int_as_float((int)(near_upper(v) & 0xffffe000u));
    return (uint32_t)__float_as_int(__int_as_float((int)v) - upper);
}

/* What the block is sent, through its cluster: 16 bytes to block `rank`, whose barrier counts them.
 * sm_90 and up. */
__device__ inline void near_expect(uint64_t *barrier, int bytes)
{
#if __CUDA_ARCH__ >= 900
    const uint32_t at = (uint32_t)__cvta_generic_to_shared(barrier);
    asm volatile("mbarrier.init.shared::cta.b64 [%0], 1;\n"
                 "mbarrier.arrive.expect_tx.shared::cta.b64 _, [%0], %1;\n"
                 "fence.mbarrier_init.release.cluster;" ::"r"(at),
                 "r"(bytes)
                 : "memory");
#endif
}

__device__ inline void near_send(float4 *here, uint64_t *barrier, int rank, float4 v)
{
#if __CUDA_ARCH__ >= 900
    uint32_t to, signal;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(to)
                 : "r"((uint32_t)__cvta_generic_to_shared(here)), "r"(rank));
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(signal)
                 : "r"((uint32_t)__cvta_generic_to_shared(barrier)), "r"(rank));
    asm volatile("st.async.shared::cluster.mbarrier::complete_tx::bytes.v4.f32 [%0], "
                 "{%1,%2,%3,%4}, [%5];" ::"r"(to),
                 "f"(v.x), "f"(v.y), "f"(v.z), "f"(v.w), "r"(signal)
                 : "memory");
#endif
}

__device__ inline void near_receive(uint64_t *barrier)
{
#if __CUDA_ARCH__ >= 900
    asm volatile("{\n.reg .pred p;\n"
                 "again:\n"
                 "mbarrier.try_wait.parity.acquire.cluster.shared::cta.b64 p, [%0], 0;\n"
                 "@!p bra again;\n}" ::"r"((uint32_t)__cvta_generic_to_shared(barrier))
                 : "memory");
#endif
}
} // namespace

#endif
