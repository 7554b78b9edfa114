/* A convolution by few_kernel.h, opened and run. */
#ifndef HPC_CONV2D_FEW_H
#define HPC_CONV2D_FEW_H

#include "conv2d/variants/few_kernel.h"
#include "conv2d/variants/gpu_launch.h"

namespace
{

typedef void (*few_function)(const few_job, const float *, float *);

struct few {
    few_job job;
    bool overlap; /* a launch may begin before the last has ended */
    void *held;

    template <int CHANNELS> few_function of() const
    {
        return job.p.layout == CONV_NHWC ? few_kernel<CHANNELS, true> : few_kernel<CHANNELS, false>;
    }

    few_function find() const
    {
        const bool three = job.p.r == 3 && job.p.s == 3;
        return three && job.p.c == 3 ? of<3>() : three && job.p.c == 1 ? of<1>() : of<0>();
    }

    /* Weights by tap, filters of a tap together; those that do not exist are zero. */
    void open_weights(const float *w)
    {
        const struct conv2d_problem &p = job.p;
        const size_t count = (size_t)few_groups(&p) * job.taps * FEW_FILTERS;
        float *packed = (float *)calloc(count, sizeof *packed);
        for (int k = 0; k < p.k && packed; k++)
            for (int i = 0; i < job.taps; i++)
                packed[((size_t)(k / FEW_FILTERS) * job.taps + i) * FEW_FILTERS + k % FEW_FILTERS] =
                    w[conv2d_w_at(&p, k, i / (p.r * p.s), i / p.s % p.r, i % p.s)];
        held = packed ? gpu_copy(packed, count * sizeof *packed) : NULL;
        job.weights = (const float4 *)held;
        free(packed);
    }

    /* False where there are more channels or taps, or no memory. */
    bool open(const struct conv2d_problem &p, const void *w)
    {
        cudaFuncAttributes compiled = cudaFuncAttributes();
        held = NULL;
        if (!few_takes(&p))
            return false;
        memset(&job, 0, sizeof job);
        job.p = p;
        job.taps = p.c * p.r * p.s;
        job.y_columns = conv2d_columns(&p);
        job.y_plane = conv2d_rows(&p) * job.y_columns;
        job.outputs = p.n * job.y_plane;
        job.to_column = p.layout == CONV_NHWC ? p.c : 1;
        job.to_row = p.w * job.to_column;
        job.to_channel = p.layout == CONV_NHWC ? 1 : p.h * p.w;
        CUDA(cudaFuncGetAttributes(&compiled, find()));
        overlap = compiled.ptxVersion >= 90;
        open_weights((const float *)w);
        return held != NULL;
    }

    void run(const void *x, void *y) const
    {
        const dim3 grid(gpu_blocks(job.outputs, FEW_OUTPUTS), few_groups(&job.p));
        gpu_launch_kernel({grid, FEW_THREADS, 0, 0, overlap}, find(), job, (const float *)x,
                          (float *)y);
    }

    void close()
    {
        CUDA(cudaFree(held));
    }
};

} // namespace

#endif
