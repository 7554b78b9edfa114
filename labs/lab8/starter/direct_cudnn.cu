/* lab8, direct_cudnn: sums of x over each pool first, by a kernel of yours; then ONE convolution of
 * the sums, with stride `pool`, by cuDNN. [Suita], section 2.3, cuDNN(direct).
 *
 * Contract (conv2d/convpool.h): y[n][k][u][v] = 1 / pool^2 sum over a, b < pool of conv[n][k][u *
 *   pool + a][v * pool + b], with conv the convolution of conv2d.h, stride 1, for u <
 *   convpool_rows(p), v < convpool_columns(p). Floats, NCHW: x [N][C][H][W] is in[CONV2D_X], w
 *   [K][C][R][S] in[CONV2D_W], y out[CONV2D_Y], all on the device. Any size, padding and pool; rows
 *   and columns of the convolution that fill no pool are left out. In fp32: on a GPU, products in
 *   TF32 are wrong.
 *
 *   sums[n][c][i][j] = 1 / pool^2 sum over a, b < pool of x[n][c][i + a - pad][j + b - pad]
 *   y = the convolution of sums with w, stride pool, no padding
 *
 * TODO 1: how many rows and columns of sums does some output need? (convpool_rows(p) - 1) * pool +
 *   R, the first of them reaching over the map's edge by pad.
 * TODO 2: the kernel: neighbours load neighbours. Asked for: at most 5.3 sectors a request of
 *   loads, 5.1 of stores.
 * TODO 3: in open(): a handle with its stream (cudaStreamPerThread), three descriptors, the
 *   convolution's: CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT. cuDNN takes TF32 for floats unless
 *   cudnnSetConvolutionMathType says CUDNN_FMA_MATH.
 * TODO 4: an algorithm and its workspace: cudnnGetConvolutionForwardAlgorithm_v7, which returns
 *   several, best first; take the first whose status is CUDNN_STATUS_SUCCESS. Nothing is allocated
 *   in run().
 * TODO 5: close() frees all that open() made. */
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
    float *sums; /* TODO: on the device */
    /* TODO: handle, descriptors, algorithm, workspace */
};

__global__ void sums_kernel(struct convpool_problem p, const float *x, float *sums)
{
    /* TODO */
}

static int direct_open(const struct hpc_env *env, const void *problem, void **state)
{
    struct direct *s = (struct direct *)calloc(1, sizeof *s);
    if (!s)
        return 1;
    (void)env;
    s->p = *(const struct convpool_problem *)problem;
    /* TODO */
    *state = s;
    return 0;
}

static int direct_run(void *state, const void *const in[], void *const out[])
{
    struct direct *s = (struct direct *)state;
    (void)s, (void)in, (void)out; /* TODO: sums_kernel, then cudnnConvolutionForward */
    return cudaGetLastError() != cudaSuccess;
}

static void direct_close(void *state)
{
    struct direct *s = (struct direct *)state;
    /* TODO */
    free(s);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,     "convpool", "direct_cudnn",
                                                   direct_open, direct_run, direct_close};
