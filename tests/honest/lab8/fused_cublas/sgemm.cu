/* A product for each image, one after another. */
#include <cublas_v2.h>
#include <stdio.h>
#include <stdlib.h>

#include "conv2d/convpool.h"

/* A call that fails ends the process, and says where. */
#define CHECK(call, good)                                                                          \
    do {                                                                                           \
        int status_ = (int)(call);                                                                 \
        if (status_ != (int)(good)) {                                                              \
            fprintf(stderr, "%s:%d: %s: status %d\n", __FILE__, __LINE__, #call, status_);         \
            exit(EXIT_FAILURE);                                                                    \
        }                                                                                          \
    } while (0)
#define CUDA(call)   CHECK(call, cudaSuccess)
#define CUBLAS(call) CHECK(call, CUBLAS_STATUS_SUCCESS)

struct fused {
    struct convpool_problem p;
    cublasHandle_t handle;
    float *filters;
    float *d;
    int r, s, outputs, depth; /* of fused filters; of a map; C r s */
};

__global__ void windows_kernel(struct convpool_problem p, const float *x, float *d)
{
    const int columns = convpool_columns(&p), outputs = convpool_rows(&p) * columns;
    const int r = p.conv.r + p.pool - 1, s = p.conv.s + p.pool - 1;
    const int i = blockIdx.x * blockDim.x + threadIdx.x, n = blockIdx.z;
    if (i >= outputs)
        return;
    for (int row = blockIdx.y; row < p.conv.c * r * s; row += gridDim.y) {
        const int c = row / (r * s), h = i / columns * p.pool + row / s % r - p.conv.pad;
        const int v = i % columns * p.pool + row % s - p.conv.pad;
        const bool inside = h >= 0 && h < p.conv.h && v >= 0 && v < p.conv.w;
        const float *map = x + ((size_t)n * p.conv.c + c) * p.conv.h * p.conv.w;
        d[((size_t)n * p.conv.c * r * s + row) * outputs + i] = inside ? map[h * p.conv.w + v] : 0;
    }
}

static int fused_open(const struct hpc_env *env, const void *problem, void **state)
{
    struct fused *s = (struct fused *)calloc(1, sizeof *s);
    if (!s)
        return 1;
    s->p = *(const struct convpool_problem *)problem;
    const struct conv2d_problem *p = &s->p.conv;
    const int pool = s->p.pool, count = p->k * p->c;
    const float *w = (const float *)env->fixed[CONV2D_W];
    s->r = p->r + pool - 1;
    s->s = p->s + pool - 1;
    s->outputs = convpool_rows(&s->p) * convpool_columns(&s->p);
    s->depth = p->c * s->r * s->s;
    float *fused = (float *)calloc((size_t)count * s->r * s->s, sizeof *fused);
    for (int f = 0; f < count; f++)
        for (int i = 0; i < p->r * p->s; i++)
            for (int a = 0; a < pool * pool; a++)
                fused[(f * s->r + i / p->s + a / pool) * s->s + i % p->s + a % pool] +=
                    w[f * p->r * p->s + i] / (pool * pool);
    const size_t bytes = (size_t)count * s->r * s->s * sizeof *fused;
    CUDA(cudaMalloc((void **)&s->filters, bytes));
    CUDA(cudaMemcpy(s->filters, fused, bytes, cudaMemcpyHostToDevice));
    free(fused);
    CUDA(cudaMalloc((void **)&s->d, (size_t)p->n * s->depth * s->outputs * sizeof *s->d));
    CUBLAS(cublasCreate(&s->handle));
    CUBLAS(cublasSetStream(s->handle, cudaStreamPerThread));
    *state = s;
    return 0;
}

static int fused_run(void *state, const void *const in[], void *const out[])
{
    struct fused *s = (struct fused *)state;
    const float one = 1, zero = 0;
    const dim3 grid((s->outputs + 127) / 128, s->depth < 1024 ? s->depth : 1024, s->p.conv.n);
    windows_kernel<<<grid, 128>>>(s->p, (const float *)in[CONV2D_X], s->d);
    for (int n = 0; n < s->p.conv.n; n++)
        CUBLAS(cublasSgemm(
            s->handle, CUBLAS_OP_N, CUBLAS_OP_N, s->outputs, s->p.conv.k, s->depth, &one,
            s->d + (size_t)n * s->depth * s->outputs, s->outputs, s->filters, s->depth, &zero,
            (float *)out[CONV2D_Y] + (size_t)n * s->p.conv.k * s->outputs, s->outputs));
    return cudaGetLastError() != cudaSuccess;
}

static void fused_close(void *state)
{
    struct fused *s = (struct fused *)state;
    CUBLAS(cublasDestroy(s->handle));
    CUDA(cudaFree(s->d));
    CUDA(cudaFree(s->filters));
    free(s);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,    "convpool", "fused_cublas",
                                                   fused_open, fused_run,  fused_close};
