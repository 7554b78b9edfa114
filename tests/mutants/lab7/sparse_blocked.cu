/* lab7: sparse_blocked, right and plain; each patch in sparse_blocked/ is a mistake in it. */
#include <stdlib.h>

#include "conv2d/conv2d.h"

enum { WARPS = 8, PIECE = 128 };

struct blocked {
    struct conv2d_problem p;
    float *weights; /* [C R S][K rounded up to a multiple of 32] */
};

__global__ void sparse_blocked_kernel(struct conv2d_problem p, const float *x, const float *weights,
                                      float *y)
{
    __shared__ float s_value[WARPS][PIECE];
    __shared__ int s_place[WARPS][PIECE];
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const int columns = conv2d_columns(&p), pixels = conv2d_rows(&p) * columns;
    const int window = blockIdx.x * WARPS + warp, depth = p.c * p.r * p.s;
    const int n = window / pixels, pixel = window % pixels, k = blockIdx.y * 32 + lane;
    const int top = pixel / columns * p.stride - p.pad, left = pixel % columns * p.stride - p.pad;
    const int across = gridDim.y * 32;
    if (n >= p.n)
        return;
    float sum = 0;
    for (int from = 0; from < depth; from += PIECE) {
        int count = 0;
        __syncwarp();
        for (int base = from; base < from + PIECE && base < depth; base += 32) {
            const int place = base + lane, c = place / (p.r * p.s);
            const int h = top + place / p.s % p.r, v = left + place % p.s;
            float value = 0;
            if (place < depth && h >= 0 && h < p.h && v >= 0 && v < p.w)
                value = x[((n * p.c + c) * p.h + h) * p.w + v];
            const unsigned found = __ballot_sync(0xffffffffu, value != 0);
            if (value != 0) {
                s_value[warp][count + __popc(found & ((1u << lane) - 1))] = value;
                s_place[warp][count + __popc(found & ((1u << lane) - 1))] = place;
            }
            count += __popc(found);
        }
        __syncwarp();
        for (int i = 0; i < count; i++)
            sum += s_value[warp][i] * weights[s_place[warp][i] * across + k];
    }
    if (k < p.k)
        y[(n * p.k + k) * pixels + pixel] = sum;
}

static int blocked_open(const struct hpc_env *env, const void *problem, void **state)
{
    struct blocked *b = (struct blocked *)calloc(1, sizeof *b);
    if (!b)
        return 1;
    b->p = *(const struct conv2d_problem *)problem;
    const float *w = (const float *)env->fixed[CONV2D_W];
    const int depth = b->p.c * b->p.r * b->p.s, across = (b->p.k + 31) / 32 * 32;
    float *turned = (float *)calloc((size_t)depth * across, sizeof *turned);
    for (int k = 0; k < b->p.k; k++)
        for (int i = 0; i < depth; i++)
            turned[i * across + k] = w[k * depth + i];
    cudaMalloc((void **)&b->weights, (size_t)depth * across * sizeof *turned);
    cudaMemcpy(b->weights, turned, (size_t)depth * across * sizeof *turned, cudaMemcpyHostToDevice);
    free(turned);
    *state = b;
    return 0;
}

static int blocked_run(void *state, const void *const in[], void *const out[])
{
    struct blocked *b = (struct blocked *)state;
    const int windows = b->p.n * conv2d_rows(&b->p) * conv2d_columns(&b->p);
    const dim3 grid((windows + WARPS - 1) / WARPS, (b->p.k + 31) / 32);
    sparse_blocked_kernel<<<grid, 32 * WARPS>>>(b->p, (const float *)in[CONV2D_X], b->weights,
                                                (float *)out[CONV2D_Y]);
    return cudaGetLastError() != cudaSuccess;
}

static void blocked_close(void *state)
{
    struct blocked *b = (struct blocked *)state;
    cudaFree(b->weights);
    free(b);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,      "conv2d",    "sparse_blocked",
                                                   blocked_open, blocked_run, blocked_close};
