/* A convolution by conv_dense_split's kernel, opened and run. */
#ifndef HPC_CONV2D_DENSE_SPLIT_H
#define HPC_CONV2D_DENSE_SPLIT_H

#include "conv2d/variants/gpu_launch.h"
#include "conv2d/variants/split_kernel.h"
#include "conv2d/variants/split_known.h"
#include "conv2d/variants/split_weights.h"

namespace
{

template <int HALVES> struct dense_split {
    split_job job;
    bool clusters;   /* blocks that share sums add them through each other's shared memory */
    bool overlap;    /* a launch may begin before the last has ended: tensor.h, others_wait() */
    int shared_most; /* of the GPU: states with other plans share the kernels */
    void *held[3];

    /* For what what runs was compiled: a GPU that has clusters, one that has no products. */
    static cudaFuncAttributes compiled()
    {
        cudaFuncAttributes of = cudaFuncAttributes();
        CUDA(cudaFuncGetAttributes(&of, dense_split_kernel<1, 4, HALVES>));
        return of;
    }

    template <int MT, int NT> void prepare()
    {
        clusters = compiled().ptxVersion >= 90;
        CUDA(cudaFuncSetAttribute(dense_split_kernel<MT, NT, HALVES>,
                                  cudaFuncAttributeMaxDynamicSharedMemorySize, shared_most));
    }

    template <int MT, int NT> void launch(const float *x, const float *w, float *y) const
    {
        const struct split_plan &s = job.plan;
        const int sums = s.wm * s.wn * MT * NT * 32;
        const dim3 grid(s.split, split_up(job.p.k, split_filters(&s)),
                        job.p.n * split_tiles(&job.p, &s));
        gpu_launch_kernel(
            {grid, SPLIT_WARPS * 32, job.memory.all, clusters ? s.split : 0, clusters && overlap},
            dense_split_kernel<MT, NT, HALVES>, job, x, w, y);
        if (job.partial)
            split_add_kernel<<<dim3(gpu_blocks(sums, 256), grid.y, grid.z), 256>>>(job, y);
        CUDA(cudaGetLastError());
    }

    /* Shapes of a warp: split_plan_at(). */
    void prepare_any()
    {
        job.plan.mt == 1 ? (job.plan.nt == 4 ? prepare<1, 4>() : prepare<1, 7>())
                         : (job.plan.nt == 7 ? prepare<2, 7>() : prepare<2, 14>());
    }

    void run(const void *x, const void *w, void *y) const
    {
        const float *a = (const float *)x, *b = (const float *)w;
        if (job.plan.mt == 1 && job.plan.nt == 4)
            launch<1, 4>(a, b, (float *)y);
        else if (job.plan.mt == 1)
            launch<1, 7>(a, b, (float *)y);
        else if (job.plan.nt == 7)
            launch<2, 7>(a, b, (float *)y);
        else
            launch<2, 14>(a, b, (float *)y);
    }

    /* What follows from job.p and job.plan. */
    void set_plan()
    {
        const struct split_plan &s = job.plan;
        job.memory = split_memory_of(&job.p, &s);
        job.by_pixels = split_by(split_pixels(&job.p, &s));
        job.by_patch = split_by(split_patch_columns(&job.p, &s));
        job.by_columns = split_by(s.tw);
        job.by_taps = split_by(job.p.r * job.p.s);
        job.by_s = split_by(job.p.s);
        job.by_tiles = split_by(s.mt * s.nt);
        job.by_nt = split_by(s.nt);
        job.by_wm = split_by(s.wm);
    }

    /* False where the weights find no memory. */
    bool open_weights(const void *w)
    {
        struct split_weights weights = {};
        const bool made = split_weights_make(&job.p, (const float *)w, HALVES, &weights);
        if (made) {
            held[0] = gpu_copy(weights.halves, weights.count * sizeof *weights.halves);
            held[1] = gpu_copy(weights.unit, weights.filters * sizeof *weights.unit);
        }
        job.halves = (const uint4 *)held[0];
        job.unit = (const float *)held[1];
        job.filters = weights.filters;
        job.exact = weights.exact;
        split_weights_free(&weights);
        return made;
    }

    static bool takes(const struct conv2d_problem &p)
    {
        return p.type != CONV_F16 && (HALVES == 2 || p.type == CONV_TF32) &&
               (double)p.c * p.h * p.w < 0x1p31 && (double)p.n * conv2d_rows(&p) < 65536;
    }

    /* False where the problem is none that this supports. */
    bool open(const struct conv2d_problem &p, const void *w)
    {
        struct split_gpu gpu = {1, 49152, HALVES, false, false};
        int device = 0;
        memset(held, 0, sizeof held);
        overlap = true;
        if (!takes(p))
            return false;
        CUDA(cudaGetDevice(&device));
        CUDA(cudaDeviceGetAttribute(&gpu.processors, cudaDevAttrMultiProcessorCount, device));
        CUDA(cudaDeviceGetAttribute(&gpu.shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                    device));
        gpu.clusters = compiled().ptxVersion >= 90;
        gpu.small = compiled().ptxVersion < 75;
        shared_most = gpu.shared_bytes - 1024; /* split_plan_at() leaves as much */
        job.p = p;
        if (!split_plan_known(&p, &gpu, &job.plan) && !split_plan_choose(&p, &gpu, &job.plan))
            return false;
        set_plan();
        job.partial = NULL;
        prepare_any();
        if (job.plan.split > 1 && !clusters) {
            const size_t blocks = (size_t)p.n * split_tiles(&p, &job.plan) * job.plan.split *
                                  split_up(p.k, split_filters(&job.plan));
            const struct split_plan &s = job.plan;
            held[2] = gpu_alloc<float4>(blocks * s.wm * s.wn * s.mt * s.nt * 32);
            job.partial = (float4 *)held[2];
        }
        return open_weights(w);
    }

    void close()
    {
        for (void *p : held)
            CUDA(cudaFree(p));
    }
};

} // namespace

#endif
