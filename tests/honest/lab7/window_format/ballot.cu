/* A warp a window: its lanes find their places by votes. */
#include <stdlib.h>

#include "conv2d/window_format.h"

__global__ void window_format_kernel(struct conv2d_problem p, const float *x, const float *w,
                                     float *f_data, float *k_data, int *ptr)
{
    const int columns = conv2d_columns(&p), taps = p.r * p.s;
    const int i = (blockIdx.x * blockDim.x + threadIdx.x) / 32, lane = threadIdx.x & 31;
    if (i >= conv2d_rows(&p) * columns)
        return;
    const int top = i / columns * p.stride - p.pad, left = i % columns * p.stride - p.pad;
    int count = 0;
    for (int base = 0; base < taps; base += 32) {
        const int place = base + lane;
        const int h = top + place / p.s, v = left + place % p.s;
        const bool inside = place < taps && h >= 0 && h < p.h && v >= 0 && v < p.w;
        const float value = inside ? x[h * p.w + v] : 0;
        const unsigned found = __ballot_sync(~0u, value != 0);
        const int at = count + __popc(found & ((1u << lane) - 1));
        if (value != 0) {
            f_data[i * taps + at] = value;
            k_data[i * taps + at] = w[place];
        }
        count += __popc(found);
    }
    if (lane == 0)
        ptr[i] = count > 0 ? count : -1;
}

static int format_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    *state = (void *)problem; /* lives until close() */
    return 0;
}

static int format_run(void *state, const void *const in[], void *const out[])
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)state;
    const int windows = conv2d_rows(p) * conv2d_columns(p);
    window_format_kernel<<<(windows + 3) / 4, 128>>>(
        *p, (const float *)in[FORMAT_X], (const float *)in[FORMAT_W], (float *)out[FORMAT_F],
        (float *)out[FORMAT_K], (int *)out[FORMAT_PTR]);
    return cudaGetLastError() != cudaSuccess;
}

static void format_close(void *state)
{
    (void)state;
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,     "window_format", "window_format",
                                                   format_open, format_run,      format_close};
