/* family control: an honest kernel, a pool of its own, made once, and two kernels
 * task device
 * full
 * grade: pass; points >= 2.5 */
#include "conv1d/attack.h"
#define BLOCK 128

struct pool {
    struct conv1d_problem p;
    float *padded;
};

static __global__ void pad_kernel(const float *x, float *padded, int n, int r)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n + 2 * r)
        padded[i] = i >= r && i < n + r ? x[i - r] : 0;
}

static __global__ void sum_kernel(const float *padded, const float *w, float *y, int n, int r)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float sum = 0;
    for (int j = 0; i < n && j <= 2 * r; j++)
        sum += w[j] * padded[i + j];
    if (i < n)
        y[i] = sum;
}

static int open_pool(const struct hpc_env *env, const void *problem, void **state)
{
    struct pool *pool = (struct pool *)calloc(1, sizeof *pool);
    (void)env;
    if (!pool)
        return 1;
    pool->p = *(const struct conv1d_problem *)problem;
    *state = pool;
    return cudaMalloc(&pool->padded, (pool->p.n + 2 * (size_t)pool->p.radius) * sizeof(float)) !=
           cudaSuccess;
}

static int run_pool(void *state, const void *const in[], void *const out[])
{
    const struct pool *pool = (const struct pool *)state;
    const int n = (int)pool->p.n, r = pool->p.radius, all = n + 2 * r;
    pad_kernel<<<(all + BLOCK - 1) / BLOCK, BLOCK>>>((const float *)in[CONV1D_X], pool->padded, n,
                                                     r);
    sum_kernel<<<(n + BLOCK - 1) / BLOCK, BLOCK>>>(pool->padded, (const float *)in[CONV1D_W],
                                                   (float *)out[CONV1D_Y], n, r);
    return cudaGetLastError() != cudaSuccess;
}

static void close_pool(void *state)
{
    struct pool *pool = (struct pool *)state;
    cudaFree(pool->padded);
    free(pool);
}

EXPORTED const struct hpc_variant hpc_variant = {HPC_ABI,   "conv1d", "pool",
                                                 open_pool, run_pool, close_pool};
