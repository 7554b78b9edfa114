/* conv2d/conv_fastest: the fastest of all, by layer and by how much of x is zero.
 *
 * Changes from conv_dense_split: where the layer has a share of zeros from which on skipping is
 * the faster (fastest_rule.h), a kernel counts the zeros of x first, and the kernels of
 * conv_dense_split or those of conv_skip, whichever the count does not call for, end at once.
 * Where it has none, this is conv_dense_split. Layouts and types are that one's; NHWC never
 * skips.
 * What limits it: three launches, some 3 us, for what skipping saves. */
#include "conv2d/variants/dense.h"
#include "conv2d/variants/fastest_rule.h"
#include "conv2d/variants/skip.h"

namespace
{

struct fastest {
    dense<2> whole;
    skip sparse;
    bool choose;  /* whether skipping may be the faster */
    int *d_zeros; /* of x */
};

__global__ void count_zeros_kernel(const float *x, size_t count, int *zeros)
{
    int mine = 0;
    for (size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x; i < count;
         i += (size_t)gridDim.x * blockDim.x)
        mine += x[i] == 0;
    for (int step = 16; step > 0; step /= 2)
        mine += __shfl_xor_sync(ALL_LANES, mine, step);
    if (threadIdx.x % 32 == 0)
        atomicAdd(zeros, mine);
}

void fastest_close(void *state)
{
    fastest *f = (fastest *)state;
    f->whole.close();
    f->sparse.close();
    CUDA(cudaFree(f->d_zeros));
    delete f;
}

/* Where skipping may be the faster: both, each to run where the count calls for it. */
void open_skip(fastest *f, const struct conv2d_problem *p, const void *w)
{
    dense_split<2> *d = &f->whole.split;
    int device = 0, processors = 1;
    CUDA(cudaGetDevice(&device));
    CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
    const struct split_gpu gpu = {processors, 0, 2, d->clusters, false};
    const double least = fastest_break_even(p, split_cost(p, &d->job.plan, &gpu), processors);
    f->choose = least < FASTEST_NEVER && conv2d_x_count(p) < 0x7fffffff && f->sparse.open(*p, w);
    if (!f->choose)
        return;
    f->d_zeros = gpu_alloc<int>(1);
    f->sparse.job.zeros = d->job.zeros = f->d_zeros;
    f->sparse.job.least = d->job.least = (int)(least * (double)conv2d_x_count(p));
    d->overlap = f->sparse.overlap = false; /* a launch that began early would read an old count */
}

int fastest_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct conv2d_problem *p = (const struct conv2d_problem *)problem;
    fastest *f = new fastest();
    if (!f->whole.open(*p, env->fixed[CONV2D_W])) {
        fastest_close(f);
        return 1;
    }
    if (f->whole.is_split()) /* nothing that skips comes near the others */
        open_skip(f, p, env->fixed[CONV2D_W]);
    *state = f;
    return 0;
}

int fastest_run(void *state, const void *const in[], void *const out[])
{
    const fastest *f = (const fastest *)state;
    if (f->choose) {
        const size_t count = conv2d_x_count(&f->whole.split.job.p);
        CUDA(cudaMemsetAsync(f->d_zeros, 0, sizeof *f->d_zeros, cudaStreamPerThread));
        count_zeros_kernel<<<gpu_blocks(count, 1024), 256>>>((const float *)in[CONV2D_X], count,
                                                             f->d_zeros);
        CUDA(cudaGetLastError());
        f->sparse.run(in[CONV2D_X], out[CONV2D_Y]);
    }
    f->whole.run(in[CONV2D_X], in[CONV2D_W], out[CONV2D_Y]);
    return 0;
}

} // namespace

extern "C" const struct hpc_variant hpc_variant = {
    HPC_ABI, "conv2d", "conv_fastest", fastest_open, fastest_run, fastest_close,
};
