/* lab8: direct_cudnn, right and plain; each patch in direct_cudnn/ is a mistake in it. */
#include <cudnn.h>
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
#define CUDA(call)  CHECK(call, cudaSuccess)
#define CUDNN(call) CHECK(call, CUDNN_STATUS_SUCCESS)

struct direct {
    struct convpool_problem p;
    int rows, columns; /* of sums */
    float *sums;
    cudnnHandle_t handle;
    cudnnTensorDescriptor_t x, y;
    cudnnFilterDescriptor_t w;
    cudnnConvolutionDescriptor_t convolution;
    cudnnConvolutionFwdAlgo_t algorithm;
    void *workspace;
    size_t bytes;
};

__global__ void sums_kernel(struct convpool_problem p, const float *x, float *sums, int rows,
                            int columns)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, map = blockIdx.y;
    if (i >= rows * columns)
        return;
    const int h = i / columns - p.conv.pad, v = i % columns - p.conv.pad;
    const float *from = x + map * p.conv.h * p.conv.w;
    float sum = 0;
    for (int a = 0; a < p.pool; a++)
        for (int b = 0; b < p.pool; b++)
            if (h + a >= 0 && h + a < p.conv.h && v + b >= 0 && v + b < p.conv.w)
                sum += from[(h + a) * p.conv.w + v + b];
    sums[map * rows * columns + i] = sum / (p.pool * p.pool);
}

static int direct_open(const struct hpc_env *env, const void *problem, void **state)
{
    struct direct *s = (struct direct *)calloc(1, sizeof *s);
    if (!s)
        return 1;
    (void)env;
    s->p = *(const struct convpool_problem *)problem;
    const struct conv2d_problem *p = &s->p.conv;
    s->rows = (convpool_rows(&s->p) - 1) * s->p.pool + p->r;
    s->columns = (convpool_columns(&s->p) - 1) * s->p.pool + p->s;
    CUDA(cudaMalloc((void **)&s->sums, sizeof(float) * p->n * p->c * s->rows * s->columns));
    CUDNN(cudnnCreate(&s->handle));
    CUDNN(cudnnSetStream(s->handle, cudaStreamPerThread));
    CUDNN(cudnnCreateTensorDescriptor(&s->x));
    CUDNN(cudnnCreateTensorDescriptor(&s->y));
    CUDNN(cudnnCreateFilterDescriptor(&s->w));
    CUDNN(cudnnCreateConvolutionDescriptor(&s->convolution));
    CUDNN(cudnnSetTensor4dDescriptor(s->x, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, p->n, p->c, s->rows,
                                     s->columns));
    CUDNN(cudnnSetTensor4dDescriptor(s->y, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, p->n, p->k,
                                     convpool_rows(&s->p), convpool_columns(&s->p)));
    CUDNN(cudnnSetFilter4dDescriptor(s->w, CUDNN_DATA_FLOAT, CUDNN_TENSOR_NCHW, p->k, p->c, p->r,
                                     p->s));
    CUDNN(cudnnSetConvolution2dDescriptor(s->convolution, 0, 0, s->p.pool, s->p.pool, 1, 1,
                                          CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
    CUDNN(cudnnSetConvolutionMathType(s->convolution, CUDNN_FMA_MATH));
    cudnnConvolutionFwdAlgoPerf_t found[8];
    int n = 0, best = 0;
    CUDNN(cudnnGetConvolutionForwardAlgorithm_v7(s->handle, s->x, s->w, s->convolution, s->y, 8, &n,
                                                 found));
    while (best < n && found[best].status != CUDNN_STATUS_SUCCESS)
        best++;
    if (best == n)
        return 1;
    s->algorithm = found[best].algo;
    CUDNN(cudnnGetConvolutionForwardWorkspaceSize(s->handle, s->x, s->w, s->convolution, s->y,
                                                  s->algorithm, &s->bytes));
    CUDA(cudaMalloc(&s->workspace, s->bytes + 1));
    *state = s;
    return 0;
}

static int direct_run(void *state, const void *const in[], void *const out[])
{
    struct direct *s = (struct direct *)state;
    const dim3 grid((s->rows * s->columns + 255) / 256, s->p.conv.n * s->p.conv.c);
    sums_kernel<<<grid, 256>>>(s->p, (const float *)in[CONV2D_X], s->sums, s->rows, s->columns);
    const float one = 1, zero = 0;
    CUDNN(cudnnConvolutionForward(s->handle, &one, s->x, s->sums, s->w, in[CONV2D_W],
                                  s->convolution, s->algorithm, s->workspace, s->bytes, &zero, s->y,
                                  out[CONV2D_Y]));
    return cudaGetLastError() != cudaSuccess;
}

static void direct_close(void *state)
{
    struct direct *s = (struct direct *)state;
    CUDNN(cudnnDestroyConvolutionDescriptor(s->convolution));
    CUDNN(cudnnDestroyFilterDescriptor(s->w));
    CUDNN(cudnnDestroyTensorDescriptor(s->y));
    CUDNN(cudnnDestroyTensorDescriptor(s->x));
    CUDNN(cudnnDestroy(s->handle));
    CUDA(cudaFree(s->workspace));
    CUDA(cudaFree(s->sums));
    free(s);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,     "convpool", "direct_cudnn",
                                                   direct_open, direct_run, direct_close};
