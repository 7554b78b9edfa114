/* A warp's product on Tensor Cores, and what feeds it, for sm_75 and up; on what is older (and on
 * the CPU device, which says that it is sm_70) the same by shuffles: slow, equal but for the order
 * of additions.
 *
 * Lane l has g = l / 4 and t = l % 4. Of A (16 x 16, halves): a[0] row g, columns 2t and 2t + 1;
 * a[1] row g + 8; a[2], a[3] the same rows, columns 2t + 8 and 2t + 9. Of B (16 x 8): b[0] rows 2t
 * and 2t + 1 of column g, b[1] rows 2t + 8 and 2t + 9. Of C (16 x 8, floats): c[0], c[1] row g,
 * columns 2t and 2t + 1, c[2], c[3] row g + 8. */
#ifndef HPC_CONV2D_TENSOR_H
#define HPC_CONV2D_TENSOR_H

#include <cuda_fp16.h>
#include <stdint.h>

#include "conv2d/variants/gpu.h"

namespace
{

const unsigned ALL_LANES = 0xffffffffu;

#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ >= 750

/* c += A B. */
__device__ inline void tensor_multiply(float c[4], const uint32_t a[4], const uint32_t b[2])
{
#if __CUDA_ARCH__ >= 800
    asm("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5,%6,%7}, {%8,%9}, "
        "{%0,%1,%2,%3};"
        : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
        : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b[0]), "r"(b[1]));
#else
    for (int i = 0; i < 2; i++)
        asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, "
            "{%0,%1,%2,%3};"
            : "+f"(c[0]), "+f"(c[1]), "+f"(c[2]), "+f"(c[3])
            : "r"(a[2 * i]), "r"(a[2 * i + 1]), "r"(b[i]));
#endif
}

/* N matrices of 8 rows of 8 halves: lanes 8 i .. 8 i + 7 give the addresses (in shared memory) of
 * the rows of matrix i; lane l gets of each matrix elements 2t and 2t + 1 of row g. */
template <int N> __device__ inline void tensor_load(uint32_t *to, const void *row)
{
    const uint32_t at = (uint32_t)__cvta_generic_to_shared(row);
    if (N == 4)
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0,%1,%2,%3}, [%4];"
                     : "=r"(to[0]), "=r"(to[1]), "=r"(to[2]), "=r"(to[3])
                     : "r"(at));
    else
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.shared.b16 {%0,%1}, [%2];"
                     : "=r"(to[0]), "=r"(to[1])
                     : "r"(at));
}

/* 128 bytes on their way from memory to the L2. */
__device__ inline void l2_prefetch(const void *p)
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(p));
}

/* Kernels that a stream has in order may overlap where the later was launched for it: it may read
 * what does not change before others_wait(), and all else after. others_begin() lets it start. */
__device__ inline void others_begin()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.launch_dependents;");
#endif
}

__device__ inline void others_wait()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("griddepcontrol.wait;" ::: "memory");
#endif
}

/* The blocks of a cluster (sm_90 and up): one has begun; what it wrote before need not be seen. */
__device__ inline void cluster_begun()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.relaxed.aligned;" ::: "memory");
#endif
}

/* One has come here, and waits for all. What it wrote before all see. */
__device__ inline void cluster_arrive()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.arrive.release.aligned;" ::: "memory");
#endif
}

__device__ inline void cluster_wait()
{
#if __CUDA_ARCH__ >= 900
    asm volatile("barrier.cluster.wait.acquire.aligned;" ::: "memory");
#endif
}

/* 16 bytes into the shared memory of the cluster's block `rank`, to where `here` lies in it. */
__device__ inline void cluster_store(float4 *here, int rank, float4 v)
{
#if __CUDA_ARCH__ >= 900
    uint32_t at;
    asm volatile("mapa.shared::cluster.u32 %0, %1, %2;"
                 : "=r"(at)
                 : "r"((uint32_t)__cvta_generic_to_shared(here)), "r"(rank));
    asm volatile("st.shared::cluster.v4.f32 [%0], {%1,%2,%3,%4};" ::"r"(at), "f"(v.x), "f"(v.y),
                 "f"(v.z), "f"(v.w)
                 : "memory");
#endif
}

#else

__device__ inline float tensor_pair(uint32_t a, uint32_t b)
{
    __half2 x, y;
    memcpy(&x, &a, sizeof x);
    memcpy(&y, &b, sizeof y);
    return (float)x.x * (float)y.x + (float)x.y * (float)y.y;
}

__device__ inline void tensor_multiply(float c[4], const uint32_t a[4], const uint32_t b[2])
{
    const int lane = threadIdx.x % 32, row = lane / 4 * 4, column = lane % 4 * 8;
    for (int i = 0; i < 8; i++) {
        const uint32_t top = __shfl_sync(ALL_LANES, a[i / 4 * 2], row + i % 4);
        const uint32_t low = __shfl_sync(ALL_LANES, a[i / 4 * 2 + 1], row + i % 4);
        const uint32_t left = __shfl_sync(ALL_LANES, b[i / 4], column + i % 4);
        const uint32_t right = __shfl_sync(ALL_LANES, b[i / 4], column + 4 + i % 4);
        c[0] += tensor_pair(top, left);
        c[1] += tensor_pair(top, right);
        c[2] += tensor_pair(low, left);
        c[3] += tensor_pair(low, right);
    }
}

template <int N> __device__ inline void tensor_load(uint32_t *to, const void *row)
{
    const int lane = threadIdx.x % 32;
    for (int i = 0; i < N; i++) {
        const unsigned long long at =
            __shfl_sync(ALL_LANES, (unsigned long long)row, i * 8 + lane / 4);
        to[i] = ((const uint32_t *)at)[lane % 4];
    }
}

__device__ inline void l2_prefetch(const void *)
{
}

__device__ inline void others_begin()
{
}

__device__ inline void others_wait()
{
}

__device__ inline void cluster_begun()
{
}

__device__ inline void cluster_arrive()
{
}

__device__ inline void cluster_wait()
{
}

__device__ inline void cluster_store(float4 *, int, float4)
{
}

#endif

} // namespace

#endif
