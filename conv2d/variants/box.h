/* A convolution by box_kernel.h, opened and run. */
#ifndef HPC_CONV2D_BOX_H
#define HPC_CONV2D_BOX_H

#include "conv2d/variants/box_kernel.h"
#include "conv2d/variants/box_known.h"
#include "conv2d/variants/box_weights.h"
#include "conv2d/variants/gpu_launch.h"
#include "conv2d/variants/wide.h"

namespace
{

typedef void (*box_function)(const box_job, const CUtensorMap, const float *, const float *,
                             float *);
typedef CUresult (*box_encode)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                               const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                               const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                               CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

template <int HALVES> struct box {
    box_job job;
    box_encode encode;
    box_function kernel;
    dim3 grid;
    bool overlap; /* a launch may begin before the last has ended */
    void *held[2];

    /* cuTensorMapEncodeTiled, without linking the driver's library. */
    static box_encode find_encode()
    {
        void *function = NULL;
        cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 12050
        CUDA(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                              cudaEnableDefault, &found));
#else
        CUDA(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault,
                                     &found));
#endif
        return (box_encode)function;
    }

    static box_function find(const struct box_plan &s, int row)
    {
        if constexpr (HALVES == 1) {
            if (s.blocks == 2)
                return row == 1 ? box_kernel<2, 1, 1> : box_kernel<2, 1, BOX_ROW>;
            if (row > 1)
                return box_kernel<1, 1, BOX_ROW>;
        }
        return box_kernel<1, HALVES, 1>;
    }

    /* What follows from job.p and job.plan. */
    void set_plan(int shared_bytes)
    {
        const struct conv2d_problem &p = job.p;
        const struct box_plan &s = job.plan;
        job.memory = box_memory_of(&p, &s);
        job.chunks = box_chunks(&p);
        job.each = box_chunks_each(&p, &s);
        job.tiles = box_tiles(&p, &s);
        job.across = box_across(&p, &s);
        job.patch_columns = box_patch_columns(&p, &s);
        job.patch_pixels = job.patch_columns * box_patch_rows(&p, &s);
        job.y_rows = conv2d_rows(&p);
        job.y_columns = conv2d_columns(&p);
        job.by_columns = wide_inverse(s.tw);
        job.by_across = wide_inverse(job.across);
        job.rows = box_rows(&p, HALVES);
        job.full = box_pieces(&s) / s.cluster;
        job.spare = box_pieces(&s) % s.cluster;
        job.w_users = s.wk == 1 ? 8 : 4;
        memset(job.shift, 0, sizeof job.shift);
        for (int i = 0; i < p.r * p.s; i++)
            job.shift[i] = (i / p.s * job.patch_columns + i % p.s) * 16;
        kernel = find(s, box_row(&p, HALVES));
        job.fetched = s.cluster * wide_up(p.k, BOX_FILTERS * s.blocks) * p.n * job.tiles <= BOX_FEW;
        grid = dim3(s.cluster, wide_up(p.k, BOX_FILTERS * s.blocks), p.n * job.tiles);
        CUDA(cudaFuncSetAttribute((const void *)kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  shared_bytes));
        if (s.cluster > 8)
            CUDA(cudaFuncSetAttribute((const void *)kernel,
                                      cudaFuncAttributeNonPortableClusterSizeAllowed, 1));
    }

    /* False where the weights have no form of halves, or find no memory. */
    bool open_weights(const void *w)
    {
        struct wide_weights weights = {};
        const bool made = box_weights_make(&job.p, (const float *)w, HALVES, &weights);
        const bool is = made && !weights.exact;
        encode = find_encode();
        if (is) {
            held[0] = gpu_copy(weights.halves, weights.count * sizeof *weights.halves);
            held[1] = gpu_copy(weights.unit, weights.filters * sizeof *weights.unit);
        }
        job.weights = (const char *)held[0];
        job.unit = (const float *)held[1];
        job.binades = wide_binades(&job.p, HALVES);
        wide_weights_free(&weights);
        return is;
    }

    /* False where the GPU has no such products, or another kernel is the faster; and, if it is to
     * be a plan that was measured, where none was. */
    bool open(const struct conv2d_problem &p, const void *w, bool known)
    {
        struct wide_gpu gpu = {1, 49152, HALVES};
        int device = 0;
        memset(held, 0, sizeof held);
        overlap = true;
        if (!wide<HALVES>::there())
            return false;
        CUDA(cudaGetDevice(&device));
        CUDA(cudaDeviceGetAttribute(&gpu.processors, cudaDevAttrMultiProcessorCount, device));
        CUDA(cudaDeviceGetAttribute(&gpu.shared_bytes, cudaDevAttrMaxSharedMemoryPerBlockOptin,
                                    device));
        if (known ? !box_plan_known(&p, &gpu, &job.plan)
                  : !box_plan_worth(&p) || !box_plan_choose(&p, &gpu, &job.plan))
            return false;
        job.p = p;
        set_plan(gpu.shared_bytes);
        return open_weights(w);
    }

    /* Boxes of x. */
    bool describe(const void *x, CUtensorMap *map) const
    {
        const struct conv2d_problem &p = job.p;
        const cuuint64_t c = p.c, v = p.w, h = p.h, n = p.n;
        const cuuint64_t size[] = {c, v, h, n}, step[] = {4 * c, 4 * c * v, 4 * c * v * h};
        const cuuint32_t columns = job.patch_columns, rows = job.patch_pixels / columns;
        const cuuint32_t box[] = {BOX_CHANNELS, columns, rows, 1}, each[] = {1, 1, 1, 1};
        if (p.layout != CONV_NHWC || p.c % 4 != 0 || ((size_t)x & 15) != 0)
            return false;
        return encode(map, CU_TENSOR_MAP_DATA_TYPE_FLOAT32, 4, (void *)x, size, step, box, each,
                      CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_128B,
                      CU_TENSOR_MAP_L2_PROMOTION_L2_128B,
                      CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE) == CUDA_SUCCESS;
    }

    void run(const void *x, const void *w, void *y) const
    {
        CUtensorMap map = {};
        box_job now = job;
        now.mapped = describe(x, &map);
        gpu_launch_kernel({grid, BOX_THREADS, now.memory.all,
                           now.plan.cluster > 1 ? now.plan.cluster : 0, overlap},
                          kernel, now, map, (const float *)x, (const float *)w, (float *)y);
    }

    void close()
    {
        for (void *p : held)
            CUDA(cudaFree(p));
    }
};

} // namespace

#endif
