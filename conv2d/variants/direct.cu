/* conv2d/direct: the formula on a GPU, a thread for each output.
 *
 * Changes from direct_cpu: threads alone. Neighbouring threads read neighbouring pixels and the
 * same weight, so caches serve most reads. Floats, any layout.
 * What limits it: two loads for each FMA. */
#include "conv2d/variants/gpu.h"

namespace
{

__global__ void direct_kernel(struct conv2d_problem p, const float *x, const float *w, float *y)
{
    const int rows = conv2d_rows(&p), columns = conv2d_columns(&p);
    size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= conv2d_y_count(&p))
        return;
    int k, row, column; /* neighbouring threads write neighbouring elements */
    if (p.layout == CONV_NHWC) {
        k = i % p.k, i /= p.k;
        column = i % columns, i /= columns;
        row = i % rows, i /= rows;
    } else {
        column = i % columns, i /= columns;
        row = i % rows, i /= rows;
        k = i % p.k, i /= p.k;
    }
    const int n = (int)i;
    float sum = 0;
    for (int c = 0; c < p.c; c++)
        for (int r = 0; r < p.r; r++)
            for (int s = 0; s < p.s; s++) {
                const int h = row * p.stride + r - p.pad, v = column * p.stride + s - p.pad;
                if (h >= 0 && h < p.h && v >= 0 && v < p.w)
                    sum += w[conv2d_w_at(&p, k, c, r, s)] * x[conv2d_x_at(&p, n, c, h, v)];
            }
    y[conv2d_y_at(&p, n, k, row, column)] = sum;
}

int direct_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    *state = (void *)problem;
    return ((const struct conv2d_problem *)problem)->type == CONV_F16;
}

int direct_run(void *state, const void *const in[], void *const out[])
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)state;
    direct_kernel<<<gpu_blocks(conv2d_y_count(p), 256), 256>>>(
        *p, (const float *)in[CONV2D_X], (const float *)in[CONV2D_W], (float *)out[CONV2D_Y]);
    CUDA(cudaGetLastError());
    return 0;
}

void direct_close(void *state)
{
    (void)state;
}

} // namespace

extern "C" const struct hpc_variant hpc_variant = {
    HPC_ABI, "conv2d", "direct", direct_open, direct_run, direct_close,
};
