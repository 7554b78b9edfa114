/* Constant tables in a device function, a mask that a kernel brings into device memory, the last
 * block found by a counter and a fence, unsigned arithmetic by inline functions of a namespace. */
#include "conv1d/gpu.h"

namespace detail
{
constexpr int PIECE = 4;
static const float SIGNS[2] = {1.f, -1.f};
__device__ __forceinline__ float weight(int k)
{
    static const float ones[PIECE] = {1.f, 1.f, 1.f, 1.f};
    static constexpr float zeros[PIECE] = {};
    return ones[k % PIECE] + zeros[k % PIECE];
}
enum class edge : unsigned { inside, outside };
struct bounds {
    int64_t first, last;
    __device__ constexpr edge of(int64_t i) const
    {
        return i >= first && i < last ? edge::inside : edge::outside;
    }
};
} // namespace detail

__device__ float d_mask[CONV1D_MAX_MASK];
__device__ unsigned d_done;
__device__ int d_last;

__global__ void kernel(const float *__restrict__ x, float *__restrict__ y, int64_t n, int radius)
{
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x;
    const detail::bounds b{0, n};
    auto [low, high] = detail::bounds{-(int64_t)radius, radius + 1};
    if (b.of(i) == detail::edge::inside) {
        float sum = 0;
        for (int64_t j = low; j < high; j++)
            if (b.of(i + j) == detail::edge::inside)
                sum += d_mask[j + radius] * __ldg(x + i + j) * detail::weight((int)(j + radius));
        y[i] = sum;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        __threadfence();
        if (atomicInc(&d_done, gridDim.x - 1) == gridDim.x - 1)
            d_last = (int)blockIdx.x;
    }
}

static cudaError_t keep_mask(const struct conv *s, const float *mask)
{
    const cudaError_t error =
        cudaMemcpyToSymbol(d_mask, mask, (2 * (size_t)s->radius + 1) * sizeof *mask);
    const unsigned none = 0;
    return error != cudaSuccess ? error : cudaMemcpyToSymbol(d_done, &none, sizeof none);
}

static void launch(const struct conv *s, const float *x, const float *, float *y)
{
    kernel<<<dim3{conv_blocks(s)}, dim3{(unsigned)s->block}>>>(x, y, s->n, s->radius);
}

extern "C" const struct hpc_variant hpc_variant =
    conv_variant<256, launch, keep_mask>("multi_block");
