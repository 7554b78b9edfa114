/* The tile is copied by __pipeline_memcpy_async; the kernel is a template over whether a tap can
 * fall outside, its tile in dynamic shared memory. */
#include <cooperative_groups.h>
#include <cuda_pipeline.h>

#include "conv1d/conv1d.h"

static __constant__ float mask[CONV1D_MAX_MASK];

template <typename T> __global__ void conv_kernel(const T *x, T *y, int64_t n, int radius)
{
    extern __shared__ float tile[];
    const int64_t first = (int64_t)blockIdx.x * blockDim.x;
    const int width = blockDim.x + 2 * radius;
    for (int k = threadIdx.x; k < width; k += blockDim.x) {
        const int64_t i = first - radius + k;
        if (i >= 0 && i < n)
            __pipeline_memcpy_async(&tile[k], &x[i], sizeof(T));
        else
            tile[k] = 0;
    }
    __pipeline_commit();
    __pipeline_wait_prior(0);
    __syncthreads();
    const int64_t i = first + threadIdx.x;
    if (i >= n)
        return;
    T sum = 0;
    for (int j = 0; j <= 2 * radius; j++)
        sum += mask[j] * tile[threadIdx.x + j];
    y[i] = sum;
}

static int conv_open(const struct hpc_env *env, const void *problem, void **state)
{
    const conv1d_problem *p = static_cast<const conv1d_problem *>(problem);
    *state = const_cast<void *>(problem);
    return cudaMemcpyToSymbol(mask, env->fixed[CONV1D_W],
                              (2 * (size_t)p->radius + 1) * sizeof(float)) != cudaSuccess;
}

static void conv_close(void *state)
{
    (void)state;
}

static int conv_run(void *state, const void *const in[], void *const out[])
{
    const conv1d_problem *p = static_cast<const conv1d_problem *>(state);
    const int threads = p->block ? p->block : 256;
    const size_t bytes = ((size_t)threads + 2 * (size_t)p->radius) * sizeof(float);
    if (p->n == 0)
        return 0;
    if (cudaFuncSetAttribute(conv_kernel<float>, cudaFuncAttributeMaxDynamicSharedMemorySize,
                             (int)bytes) != cudaSuccess)
        return 1;
    conv_kernel<float><<<(unsigned)((p->n + threads - 1) / threads), threads, bytes>>>(
        static_cast<const float *>(in[CONV1D_X]), static_cast<float *>(out[CONV1D_Y]),
        (int64_t)p->n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,   "conv1d", "tiled_halo",
                                                   conv_open, conv_run, conv_close};
