/* lab7: window_format, right and plain; each patch in window_format/ is a mistake in it. */
#include <stdlib.h>

#include "conv2d/window_format.h"

__global__ void window_format_kernel(struct conv2d_problem p, const float *x, const float *w,
                                     float *f_data, float *k_data, int *ptr)
{
    const int columns = conv2d_columns(&p), taps = p.r * p.s;
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= conv2d_rows(&p) * columns)
        return;
    const int top = i / columns * p.stride - p.pad, left = i % columns * p.stride - p.pad;
    int count = 0;
    for (int place = 0; place < taps; place++) {
        const int h = top + place / p.s, v = left + place % p.s;
        const bool inside = h >= 0 && h < p.h && v >= 0 && v < p.w;
        const float value = inside ? x[h * p.w + v] : 0;
        if (value != 0) {
            f_data[i * taps + count] = value;
            k_data[i * taps + count] = w[place];
            count++;
        }
    }
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
    window_format_kernel<<<(windows + 127) / 128, 128>>>(
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
