/* conv_skip's kernel: windows in fours. A warp has 4 neighbouring windows and 128 filters, 4 in
 * each lane. It notes where any of the four has a number that is not zero: 32 taps at a time, a bit
 * each. What is noted is multiplied with all four, so that each 16 bytes of weights serve 16 FMAs.
 */
#ifndef HPC_CONV2D_SKIP_H
#define HPC_CONV2D_SKIP_H

#include "conv2d/variants/filter_lanes.h"
#include "conv2d/variants/gpu_launch.h"
#include "conv2d/variants/tensor.h"

namespace
{

enum { SKIP_WARPS = 8, SKIP_PIECE = 128, SKIP_LANES = 128, SKIP_WINDOWS = 4, SKIP_BLOCKS = 264 };
enum { SKIP_FEW_WARPS = 2, SKIP_FEW_TAPS = 32 };

struct skip_job {
    struct conv2d_problem p;
    float *weights;   /* [C R S][across] */
    float *partial;   /* [split][N][K][P][Q], where split > 1 */
    int4 *taps;       /* of each of C R S: row and column in the window, offset in the image */
    const int *zeros; /* run only where there are at least `least` of them, or NULL */
    int least, across, split, depth_each;
    int warps; /* of a block */
};

struct skip_windows {
    const float *x[SKIP_WINDOWS]; /* of each window its first element, inside of the image or not */
    int top[SKIP_WINDOWS], left[SKIP_WINDOWS];

    __device__ skip_windows(const struct conv2d_problem &p, const float *image, int first)
    {
        const int columns = conv2d_columns(&p), all = p.n * conv2d_rows(&p) * columns;
#pragma unroll
        for (int i = 0; i < SKIP_WINDOWS; i++) {
            const int window = min(first + i, all - 1), each = all / p.n;
            const int pixel = window % each;
            top[i] = pixel / columns * p.stride - p.pad;
            left[i] = pixel % columns * p.stride - p.pad;
            x[i] = image + (size_t)(window / each) * p.c * p.h * p.w;
        }
    }
};

/* Taps [from, to) where some window is not zero, with all four values; returns how many. */
__device__ inline int skip_note(const struct skip_job &j, const skip_windows &w, int from, int to,
                                float4 *s_value, int *s_tap)
{
    const int lane = threadIdx.x % 32;
    int count = 0;
    for (int base = from; base < to; base += 32) {
        const int4 tap = j.taps[min(base + lane, to - 1)];
        float v[SKIP_WINDOWS];
#pragma unroll
        for (int i = 0; i < SKIP_WINDOWS; i++) {
            const int row = w.top[i] + tap.x, column = w.left[i] + tap.y;
            const bool there =
                base + lane < to && row >= 0 && row < j.p.h && column >= 0 && column < j.p.w;
            v[i] = there ? w.x[i][tap.z + w.top[i] * j.p.w + w.left[i]] : 0;
        }
        const bool any = v[0] != 0 || v[1] != 0 || v[2] != 0 || v[3] != 0;
        const unsigned found = __ballot_sync(0xffffffffu, any);
        if (any) {
            const int at = count + __popc(found & ((1u << lane) - 1));
            s_value[at] = make_float4(v[0], v[1], v[2], v[3]);
            s_tap[at] = base + lane;
        }
        count += __popc(found);
    }
    __syncwarp();
    return count;
}

__device__ inline void skip_multiply(float4 *sum, float value, float4 w)
{
    sum->x = fmaf(value, w.x, sum->x);
    sum->y = fmaf(value, w.y, sum->y);
    sum->z = fmaf(value, w.z, sum->z);
    sum->w = fmaf(value, w.w, sum->w);
}

__global__ void skip_kernel(const struct skip_job j, const float *x, float *y)
{
    __shared__ float4 s_value[SKIP_WARPS][SKIP_PIECE];
    __shared__ int s_tap[SKIP_WARPS][SKIP_PIECE];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int each = conv2d_rows(&j.p) * conv2d_columns(&j.p);
    const int first = (blockIdx.x * j.warps + warp) * SKIP_WINDOWS;
    const int k = blockIdx.y * SKIP_LANES + lane * 4, depth = j.p.c * j.p.r * j.p.s;
    const int begin = blockIdx.z * j.depth_each, end = min(depth, begin + j.depth_each);
    others_begin();
    others_wait();
    if (first >= j.p.n * each || (j.zeros && *j.zeros < j.least))
        return;
    const skip_windows windows(j.p, x, first);
    float4 sum[SKIP_WINDOWS];
    for (int i = 0; i < SKIP_WINDOWS; i++)
        sum[i] = make_float4(0, 0, 0, 0);
    for (int from = begin; from < end; from += SKIP_PIECE) {
        __syncwarp(); /* the last piece's are no longer read */
        const int count =
            skip_note(j, windows, from, min(end, from + SKIP_PIECE), s_value[warp], s_tap[warp]);
#pragma unroll 4
        for (int i = 0; i < count; i++) {
            const float4 value = s_value[warp][i];
            const float4 w = *(const float4 *)(j.weights + (size_t)s_tap[warp][i] * j.across + k);
            skip_multiply(&sum[0], value.x, w);
            skip_multiply(&sum[1], value.y, w);
            skip_multiply(&sum[2], value.z, w);
            skip_multiply(&sum[3], value.w, w);
        }
    }
    y += blockIdx.z * conv2d_y_count(&j.p);
    for (int i = 0; i < SKIP_WINDOWS && first + i < j.p.n * each; i++) {
        const int n = (first + i) / each, pixel = (first + i) % each;
        const float sums[4] = {sum[i].x, sum[i].y, sum[i].z, sum[i].w};
        for (int f = 0; f < 4 && k + f < j.p.k; f++)
            y[((size_t)n * j.p.k + k + f) * each + pixel] = sums[f];
    }
}

/* y[i] = sum over the parts of C R S, in order. */
__global__ void skip_add_kernel(const struct skip_job j, size_t count, float *y)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    others_begin();
    others_wait();
    if (i >= count || (j.zeros && *j.zeros < j.least))
        return;
    float sum = 0;
#pragma unroll 8
    for (int part = 0; part < j.split; part++)
        sum += j.partial[part * count + i];
    y[i] = sum;
}

/* A convolution by these kernels, opened and run. */
struct skip {
    skip_job job;
    bool overlap; /* launches may begin before the last has ended: tensor.h, others_wait() */

    dim3 grid() const
    {
        const size_t windows = (size_t)job.p.n * conv2d_rows(&job.p) * conv2d_columns(&job.p);
        return dim3(gpu_blocks(windows, job.warps * SKIP_WINDOWS), job.across / SKIP_LANES,
                    job.split);
    }

    /* Parts of C R S of at least `least` taps, until there are `most` blocks of so many warps. */
    void part(int warps, int least, int most)
    {
        const int depth = job.p.c * job.p.r * job.p.s;
        job.warps = warps;
        job.split = 1;
        while ((int)(grid().x * grid().y) * job.split < most && depth / (job.split * 2) >= least)
            job.split *= 2;
        job.depth_each = (depth + job.split - 1) / job.split;
    }

    /* Where blocks of 8 warps and parts of 128 taps leave multiprocessors without work, blocks of 2
     * warps, four a multiprocessor, and parts of 32 taps. */
    void set_split(int processors)
    {
        part(SKIP_WARPS, SKIP_PIECE, SKIP_BLOCKS);
        if ((int)(grid().x * grid().y) * job.split < processors)
            part(SKIP_FEW_WARPS, SKIP_FEW_TAPS, 4 * processors);
    }

    void ask_gpu()
    {
        int device = 0, processors = 1;
        cudaFuncAttributes compiled = cudaFuncAttributes();
        CUDA(cudaGetDevice(&device));
        CUDA(cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device));
        CUDA(cudaFuncGetAttributes(&compiled, skip_kernel));
        overlap = compiled.ptxVersion >= 90;
        set_split(processors);
    }

    static int4 *make_taps(const struct conv2d_problem *p)
    {
        const int depth = p->c * p->r * p->s;
        int4 *taps = (int4 *)malloc(depth * sizeof *taps);
        if (!taps)
            return NULL;
        for (int i = 0; i < depth; i++) {
            const int c = i / (p->r * p->s), r = i / p->s % p->r, s = i % p->s;
            taps[i] = make_int4(r, s, (c * p->h + r) * p->w + s, 0);
        }
        int4 *d_taps = (int4 *)gpu_copy(taps, depth * sizeof *taps);
        free(taps);
        return d_taps;
    }

    bool open(const struct conv2d_problem &p, const void *w)
    {
        memset(&job, 0, sizeof job);
        if (p.layout != CONV_NCHW || p.type == CONV_F16 || (double)p.c * p.h * p.w >= 0x1p31 ||
            (double)p.n * conv2d_rows(&p) * conv2d_columns(&p) >= 0x1p31)
            return false;
        job.p = p;
        job.across = filters_padded(&p, SKIP_LANES);
        ask_gpu();
        job.weights = filters_to_lanes(&p, w, SKIP_LANES);
        job.taps = make_taps(&p);
        job.partial = job.split > 1 ? gpu_alloc<float>(job.split * conv2d_y_count(&p)) : NULL;
        return job.weights && job.taps;
    }

    void run(const void *x, void *y) const
    {
        const size_t count = conv2d_y_count(&job.p);
        gpu_launch_kernel({grid(), job.warps * 32, 0, 0, overlap}, skip_kernel, job,
                          (const float *)x, job.split > 1 ? job.partial : (float *)y);
        if (job.split > 1)
            gpu_launch_kernel({dim3(gpu_blocks(count, 256)), 256, 0, 0, overlap}, skip_add_kernel,
                              job, count, (float *)y);
    }

    void close()
    {
        CUDA(cudaFree(job.weights));
        CUDA(cudaFree(job.taps));
        CUDA(cudaFree(job.partial));
    }
};

} // namespace

#endif
