/* A convolution by near_kernel.h, opened and run. */
#ifndef HPC_CONV2D_NEAR_H
#define HPC_CONV2D_NEAR_H

#include "conv2d/variants/gpu_launch.h"
#include "conv2d/variants/near_kernel.h"
#include "conv2d/variants/near_known.h"
#include "conv2d/variants/near_weights.h"

namespace
{

typedef void (*near_function)(const near_job, const float *, const float *, float *);

template <int HALVES> struct near {
    near_job job;
    bool clusters, overlap;
    void *held;

    template <int MT, int NT> static near_function of(bool one)
    {
        return one ? near_kernel<MT, NT, HALVES, true> : near_kernel<MT, NT, HALVES, false>;
    }

    near_function find() const
    {
        const bool one = job.chunks == 1;
        if (job.plan.mt == 1)
            return job.plan.nt == 4 ? of<1, 4>(one) : of<1, 7>(one);
        return job.plan.nt == 4 ? of<2, 4>(one) : of<2, 7>(one);
    }

    /* What follows from job.p and job.plan. */
    void set_plan()
    {
        const struct conv2d_problem &p = job.p;
        const struct split_plan &s = job.plan;
        job.memory = near_memory_of(&p, &s);
        job.filters = split_up(p.k, 16);
        job.groups = split_up(p.c, SPLIT_GROUP);
        job.share = split_groups(&p, &s);
        job.chunks = near_chunks(&p, &s);
        job.pixels = split_pixels(&p, &s);
        job.columns = split_patch_columns(&p, &s);
        job.apart = near_apart(&p, &s);
        job.quads_at_a_time = SPLIT_WARPS * 32 / job.pixels;
        if (job.quads_at_a_time == 0)
            job.quads_at_a_time = 1;
        job.across = split_up(conv2d_columns(&p), s.tw);
        job.tiles = split_tiles(&p, &s);
        job.y_rows = conv2d_rows(&p);
        job.y_columns = conv2d_columns(&p);
        memset(job.shift, 0, sizeof job.shift);
        for (int i = 0; i < p.r * p.s; i++)
            job.shift[i] = (i / p.s * job.columns + i % p.s) * 16;
        job.by_pixels = split_by(job.pixels);
        job.by_patch = split_by(job.columns);
        job.by_columns = split_by(s.tw);
        job.by_wm = split_by(s.wm * s.wn);
    }

    void prepare(int shared_bytes) const
    {
        CUDA(cudaFuncSetAttribute((const void *)find(), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  shared_bytes));
    }

    void run(const void *x, const void *w, void *y) const
    {
        const struct split_plan &s = job.plan;
        const dim3 grid(s.split, split_up(job.p.k, split_filters(&s)), job.p.n * job.tiles);
        gpu_launch_kernel(
            {grid, SPLIT_WARPS * 32, job.memory.all, clusters ? s.split : 0, clusters && overlap},
            find(), job, (const float *)x, (const float *)w, (float *)y);
    }

    bool open_weights(const float *w)
    {
        size_t count = 0;
        float *packed = near_weights_make(&job.p, w, HALVES, &count);
        held = packed ? gpu_copy(packed, count * sizeof *packed) : NULL;
        job.weights = (const uint4 *)held;
        free(packed);
        return held != NULL;
    }

    /* False where the GPU has no clusters or the problem no plan; `known`: where none was measured
     * to be faster than what else there is (near_known.h). */
    bool open(const struct conv2d_problem &p, const void *w, bool known)
    {
        struct split_gpu gpu = {1, 49152, HALVES, false, false};
        int device = 0;
        double cost = 0;
        cudaFuncAttributes of = cudaFuncAttributes();
        held = NULL;
        CUDA(cudaGetDevice(&device));
        CUDA(cudaDeviceGetAttribute(&gpu.processors, cudaDevAttrMultiProcessorCount, device));
        CUDA(cudaDeviceGetAttribute(&gpu.shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                    device));
        CUDA(cudaFuncGetAttributes(&of, near_kernel<1, 4, HALVES, true>));
        gpu.clusters = clusters = of.ptxVersion >= 90;
        overlap = true;
        job.fetched = false;
        if (!clusters || (known ? !near_plan_known(&p, &gpu, &job.plan, &job.fetched)
                                : !near_plan_worth(&p, &gpu, &job.plan, &cost)))
            return false;
        job.p = p;
        set_plan();
        prepare(gpu.shared_bytes - 1024);
        return open_weights((const float *)w);
    }

    void close()
    {
        CUDA(cudaFree(held));
    }
};

} // namespace

#endif
