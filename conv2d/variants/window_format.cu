/* window_format/window_format: Algorithm 1 of [Xu] alone, into global memory.
 *
 * The first variant of window_format: a thread for each window tests its R S places and stores
 * those that are not zero, with their weights. sparse_window keeps the same in shared memory.
 * What limits it: its stores. Neighbouring threads write R S floats apart, each into a sector of
 * its own. */
#include "conv2d/variants/gpu.h"
#include "conv2d/window_format.h"

namespace
{

enum { THREADS = 128 };

__global__ void window_format_kernel(struct conv2d_problem p, const float *x, const float *w,
                                     float *f_data, float *k_data, int *ptr)
{
    const int columns = conv2d_columns(&p), windows = conv2d_rows(&p) * columns;
    const int window = blockIdx.x * blockDim.x + threadIdx.x, taps = p.r * p.s;
    if (window >= windows)
        return;
    const int top = window / columns * p.stride - p.pad, left = window % columns * p.stride - p.pad;
    const size_t first = (size_t)window * taps;
    int count = 0;
    for (int i = 0; i < p.r; i++)
        for (int j = 0; j < p.s; j++) {
            const int h = top + i, v = left + j;
            const bool inside = h >= 0 && h < p.h && v >= 0 && v < p.w;
            const float value = inside ? x[(size_t)h * p.w + v] : 0;
            if (value != 0) {
                f_data[first + count] = value;
                k_data[first + count] = w[i * p.s + j];
                count++;
            }
        }
    ptr[window] = count > 0 ? count : -1;
}

int format_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    *state = (void *)problem;
    return 0;
}

int format_run(void *state, const void *const in[], void *const out[])
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)state;
    const size_t windows = (size_t)conv2d_rows(p) * conv2d_columns(p);
    window_format_kernel<<<gpu_blocks(windows, THREADS), THREADS>>>(
        *p, (const float *)in[FORMAT_X], (const float *)in[FORMAT_W], (float *)out[FORMAT_F],
        (float *)out[FORMAT_K], (int *)out[FORMAT_PTR]);
    CUDA(cudaGetLastError());
    return 0;
}

void format_close(void *state)
{
    (void)state;
}

} // namespace

extern "C" const struct hpc_variant hpc_variant = {
    HPC_ABI, "window_format", "window_format", format_open, format_run, format_close,
};
