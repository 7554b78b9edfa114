/* Each lane holds two elements of x in registers; taps come from neighbours by shuffles, the halo
 * from a second register. Masks of more than 32 taps take pieces of 32. */
#include "conv1d/gpu.h"

__constant__ float c_mask[CONV1D_MAX_MASK];

template <int WIDTH> struct window {
    float low, high;
    __device__ float at(int lane) const
    {
        const float a = __shfl_sync(0xffffffffu, low, lane & (WIDTH - 1));
        const float b = __shfl_sync(0xffffffffu, high, lane & (WIDTH - 1));
        return lane < WIDTH ? a : b;
    }
};

__device__ static inline float inside(const float *x, int64_t i, int64_t n)
{
    return i >= 0 && i < n ? x[i] : 0.f;
}

__global__ void shuffled(const float *x, float *y, int64_t n, int radius)
{
    const int lane = threadIdx.x % 32;
    const int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x, warp = i - lane;
    const int taps = 2 * radius + 1;
    float sum = 0;
    for (int first = 0; first < taps; first += 32) {
        const window<32> piece = {inside(x, warp - radius + first + lane, n),
                                  inside(x, warp - radius + first + lane + 32, n)};
        const int count = taps - first < 32 ? taps - first : 32;
        for (int j = 0; j < count; j++)
            sum += c_mask[first + j] * piece.at(lane + j);
    }
    if (i < n)
        y[i] = sum;
}

static cudaError_t keep_mask(const struct conv *s, const float *mask)
{
    return cudaMemcpyToSymbol(c_mask, mask, (2 * (size_t)s->radius + 1) * sizeof *mask);
}

static void launch(const struct conv *s, const float *x, const float *, float *y)
{
    const unsigned block = ((unsigned)s->block + 31) / 32 * 32;
    shuffled<<<(unsigned)((s->n + block - 1) / block), block>>>(x, y, s->n, s->radius);
}

extern "C" const struct hpc_variant hpc_variant = conv_variant<128, launch, keep_mask>("register");
