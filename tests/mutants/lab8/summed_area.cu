/* lab8: summed_area, right and plain; each patch in summed_area/ is a mistake in it. */
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

struct summed {
    struct convpool_problem p;
    double *table;
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

__global__ void columns_kernel(struct convpool_problem p, const float *x, double *table)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, w = p.conv.w, plane = p.conv.h * w;
    if (i >= p.conv.n * p.conv.c * w)
        return;
    const size_t first = (size_t)(i / w) * plane + i % w;
    double sum = 0;
    for (int row = 0; row < p.conv.h; row++) {
        sum += x[first + row * w];
        table[first + row * w] = sum;
    }
}

__global__ void rows_kernel(struct convpool_problem p, double *table)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, w = p.conv.w;
    if (i >= p.conv.n * p.conv.c * p.conv.h)
        return;
    double sum = 0;
    for (int j = 0; j < w; j++) {
        sum += table[(size_t)i * w + j];
        table[(size_t)i * w + j] = sum;
    }
}

__device__ double corner(const struct convpool_problem &p, const double *table, int i, int j)
{
    const int h = p.conv.h, w = p.conv.w;
    return i < 0 || j < 0 ? 0 : table[min(i, h - 1) * w + min(j, w - 1)];
}

__global__ void corners_kernel(struct convpool_problem p, const double *table, float *sums,
                               int rows, int columns)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, map = blockIdx.y;
    if (i >= rows * columns)
        return;
    const int top = i / columns - p.conv.pad - 1, left = i % columns - p.conv.pad - 1;
    const int bottom = top + p.pool, right = left + p.pool;
    table += (size_t)map * p.conv.h * p.conv.w;
    const double sum = corner(p, table, bottom, right) - corner(p, table, top, right) -
                       corner(p, table, bottom, left) + corner(p, table, top, left);
    sums[map * rows * columns + i] = (float)(sum / (p.pool * p.pool));
}

static int summed_open(const struct hpc_env *env, const void *problem, void **state)
{
    struct summed *s = (struct summed *)calloc(1, sizeof *s);
    if (!s)
        return 1;
    (void)env;
    s->p = *(const struct convpool_problem *)problem;
    CUDA(cudaMalloc((void **)&s->table, sizeof(double) * conv2d_x_count(&s->p.conv)));
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

static int summed_run(void *state, const void *const in[], void *const out[])
{
    struct summed *s = (struct summed *)state;
    const int maps = s->p.conv.n * s->p.conv.c;
    columns_kernel<<<(maps * s->p.conv.w + 127) / 128, 128>>>(s->p, (const float *)in[CONV2D_X],
                                                              s->table);
    rows_kernel<<<(maps * s->p.conv.h + 127) / 128, 128>>>(s->p, s->table);
    const dim3 grid((s->rows * s->columns + 255) / 256, maps);
    corners_kernel<<<grid, 256>>>(s->p, s->table, s->sums, s->rows, s->columns);
    const float one = 1, zero = 0;
    CUDNN(cudnnConvolutionForward(s->handle, &one, s->x, s->sums, s->w, in[CONV2D_W],
                                  s->convolution, s->algorithm, s->workspace, s->bytes, &zero, s->y,
                                  out[CONV2D_Y]));
    return cudaGetLastError() != cudaSuccess;
}

static void summed_close(void *state)
{
    struct summed *s = (struct summed *)state;
    CUDNN(cudnnDestroyConvolutionDescriptor(s->convolution));
    CUDNN(cudnnDestroyFilterDescriptor(s->w));
    CUDNN(cudnnDestroyTensorDescriptor(s->y));
    CUDNN(cudnnDestroyTensorDescriptor(s->x));
    CUDNN(cudnnDestroy(s->handle));
    CUDA(cudaFree(s->workspace));
    CUDA(cudaFree(s->sums));
    CUDA(cudaFree(s->table));
    free(s);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,     "convpool", "summed_area",
                                                   summed_open, summed_run, summed_close};
