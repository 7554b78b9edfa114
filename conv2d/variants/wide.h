/* A convolution by wide_kernel.h, opened and run. */
#ifndef HPC_CONV2D_WIDE_H
#define HPC_CONV2D_WIDE_H

#include "conv2d/variants/gpu_launch.h"
#include "conv2d/variants/wide_kernel.h"
#include "conv2d/variants/wide_known.h"
#include "conv2d/variants/wide_weights.h"

namespace
{

/* Whether the code that the device chose is Hopper's. */
__device__ int wide_hopper_there = HOPPER;

typedef void (*wide_function)(const wide_job, const float *, const float *, float *);

template <int HALVES> struct wide {
    wide_job job;
    wide_function kernel;
    dim3 grid;
    bool overlap; /* a launch may begin before the last has ended */
    void *held[2];

    static bool there()
    {
        int there = 0;
        CUDA(cudaMemcpyFromSymbol(&there, wide_hopper_there, sizeof there));
        return there != 0;
    }

    static wide_function find(const struct wide_plan &s, int taps_each)
    {
        if (s.columns == 112)
            return taps_each == 1 ? wide_kernel<112, HALVES, 1> : wide_kernel<112, HALVES, 3>;
        if (s.columns == 56)
            return taps_each == 1 ? wide_kernel<56, HALVES, 1> : wide_kernel<56, HALVES, 3>;
        return taps_each == 1 ? wide_kernel<80, HALVES, 1> : wide_kernel<80, HALVES, 3>;
    }

    /* What follows from job.p and job.plan. */
    void set_plan(int processors, int shared_bytes)
    {
        const struct wide_plan &s = job.plan;
        job.patch = wide_patch_of(&job.p, &s);
        job.memory = wide_memory_of(&job.p, &s);
        job.groups = wide_groups(&job.p);
        job.each = wide_groups_each(&job.p, &s);
        job.rows = wide_tap_rows(&job.p);
        job.filters = wide_up(job.p.k, WIDE_FILTERS);
        job.tiles = wide_tiles(&job.p, &s);
        job.across = wide_across(&job.p, &s);
        job.y_rows = conv2d_rows(&job.p);
        job.y_columns = conv2d_columns(&job.p);
        job.over_pitch = wide_inverse(job.patch.pitch);
        job.over_cluster = wide_inverse(s.cluster);
        set_taps();
        job.fetched = wide_fetched(&job.p);
        job.binades = wide_binades(&job.p, HALVES);
        kernel = find(s, wide_taps_each(&job.p));
        grid = dim3(s.cluster, job.filters, job.p.n * job.tiles);
        if (wide_sources(&s) == 1) { /* as many rounds, and no more blocks */
            const int at_a_time = processors > job.filters ? processors / job.filters : 1;
            grid.z = wide_up(grid.z, wide_up(grid.z, at_a_time));
        }
        CUDA(cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  shared_bytes));
    }

    void set_taps()
    {
        const struct conv2d_problem &p = job.p;
        const int taps = p.r * p.s, each = wide_taps_each(&p);
        memset(job.shift, 0, sizeof job.shift);
        for (int i = 0; i < taps; i++)
            job.shift[i / each][i % each] = wide_shift(&p, &job.patch, i);
    }

    bool open_weights(const void *w)
    {
        struct wide_weights packed = {};
        const bool made = wide_weights_make(&job.p, &job.plan, (const float *)w, &packed);
        if (made) {
            held[0] = gpu_copy(packed.halves, packed.count * sizeof *packed.halves);
            held[1] = gpu_copy(packed.unit, packed.filters * sizeof *packed.unit);
        }
        job.weights = (const char *)held[0];
        job.unit = (const float *)held[1];
        job.exact = packed.exact;
        wide_weights_free(&packed);
        return made;
    }

    /* False where the GPU has no such products, or another kernel is the faster; and, if it is to
     * be a plan that was measured, where none was. */
    bool open(const struct conv2d_problem &p, const void *w, bool known)
    {
        struct wide_gpu gpu = {1, 49152, HALVES};
        int device = 0;
        memset(held, 0, sizeof held);
        overlap = true;
        if (!there() || (double)p.n * p.k * conv2d_rows(&p) * conv2d_columns(&p) >= 0x1p31)
            return false;
        CUDA(cudaGetDevice(&device));
        CUDA(cudaDeviceGetAttribute(&gpu.processors, cudaDevAttrMultiProcessorCount, device));
        CUDA(cudaDeviceGetAttribute(&gpu.shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                    device));
        if (known ? !wide_plan_known(&p, &gpu, &job.plan)
                  : !wide_plan_worth(&p) || !wide_plan_choose(&p, &gpu, &job.plan))
            return false;
        job.p = p;
        set_plan(gpu.processors, gpu.shared_bytes);
        return open_weights(w);
    }

    void run(const void *x, const void *w, void *y) const
    {
        gpu_launch_kernel({grid, WIDE_THREADS, (int)job.memory.all, job.plan.cluster, overlap},
                          kernel, job, (const float *)x, (const float *)w, (float *)y);
    }

    void close()
    {
        for (void *p : held)
            CUDA(cudaFree(p));
    }
};

} // namespace

#endif
