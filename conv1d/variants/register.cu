/* conv1d/register: several outputs a thread, and the window of x that they share in registers.
 *
 * Changes from constant: a thread computes 4 outputs that lie side by side. They need 4 + 2r
 * elements of x, which come by 16-byte loads: for a mask of 9 taps three requests, where constant
 * has 36. The radius is a template's argument, so the compiler knows each index: the window stays
 * in registers and a tap is an operand of the multiplication, from constant memory. Only threads at
 * the ends of the signal look where it ends. Wider masks get a general kernel.
 * Why it wins: a copy has one 16-byte load and store for 4 outputs. Here the loads of neighbouring
 * threads overlap, and the first-level cache serves all but one of three.
 * What limits it: up to 9 taps or so, the memory; with more, those loads. */
#include "conv1d/gpu.h"

enum {
    OUTPUTS = 4,      /* a thread */
    MOST_RADIUS = 15, /* of the kernels that know theirs */
};

__constant__ float c_mask[CONV1D_MAX_MASK];

template <int RADIUS> __global__ void register_kernel(const float *x, float *y, int64_t n)
{
    constexpr int HALO = (RADIUS + 3) / 4 * 4; /* whole float4 on each side */
    const int64_t i = ((int64_t)blockIdx.x * blockDim.x + threadIdx.x) * OUTPUTS;
    if (i >= n)
        return;
    float window[OUTPUTS + 2 * HALO];
    if (i >= HALO && i + OUTPUTS + HALO <= n) {
        const float4 *from = (const float4 *)(x + i - HALO);
#pragma unroll
        for (int k = 0; k < OUTPUTS + 2 * HALO; k += 4) {
            const float4 v = from[k / 4];
            window[k] = v.x;
            window[k + 1] = v.y;
            window[k + 2] = v.z;
            window[k + 3] = v.w;
        }
    } else {
#pragma unroll
        for (int k = 0; k < OUTPUTS + 2 * HALO; k++)
            window[k] = i - HALO + k >= 0 && i - HALO + k < n ? x[i - HALO + k] : 0;
    }
    float sum[OUTPUTS] = {0, 0, 0, 0};
#pragma unroll
    for (int j = -RADIUS; j <= RADIUS; j++)
#pragma unroll
        for (int o = 0; o < OUTPUTS; o++)
            sum[o] += c_mask[RADIUS + j] * window[HALO + o + j];
    if (i + OUTPUTS <= n)
        *(float4 *)(y + i) = make_float4(sum[0], sum[1], sum[2], sum[3]);
    else
        for (int o = 0; o < OUTPUTS; o++)
            if (i + o < n)
                y[i + o] = sum[o];
}

/* Any radius; an output a thread at a time, so that a warp's loads lie side by side. */
__global__ void general_kernel(const float *x, float *y, int64_t n, int radius)
{
    const int64_t begin = (int64_t)blockIdx.x * blockDim.x * OUTPUTS + threadIdx.x;
    for (int o = 0; o < OUTPUTS && begin + o * blockDim.x < n; o++) {
        const int64_t i = begin + o * blockDim.x;
        const int low = i < radius ? -(int)i : -radius;
        const int high = n - 1 - i < radius ? (int)(n - 1 - i) : radius;
        float sum = 0;
        for (int j = low; j <= high; j++)
            sum += c_mask[radius + j] * x[i + j];
        y[i] = sum;
    }
}

/* Launches the kernel of this radius, from RADIUS upwards. */
template <int RADIUS> static void launch_from(const struct conv *s, const float *x, float *y)
{
    if (s->radius == RADIUS)
        register_kernel<RADIUS><<<conv_blocks(s, OUTPUTS), s->block>>>(x, y, s->n);
    else if constexpr (RADIUS < MOST_RADIUS)
        launch_from<RADIUS + 1>(s, x, y);
    else
        general_kernel<<<conv_blocks(s, OUTPUTS), s->block>>>(x, y, s->n, s->radius);
}

static cudaError_t keep_mask(const struct conv *s, const float *mask)
{
    return cudaMemcpyToSymbol(c_mask, mask, (2 * (size_t)s->radius + 1) * sizeof *mask);
}

static void launch(const struct conv *s, const float *x, const float *, float *y)
{
    launch_from<0>(s, x, y);
}

extern "C" const struct hpc_variant hpc_variant = conv_variant<256, launch, keep_mask>("register");
