/* lab8, fused_cublas: the filters are summed instead of x, once, in open(); then the windows of x
 * that lie `pool` apart become a matrix, and cuBLAS multiplies. [Suita], sections 2.2 and 3,
 * cuBLAS(fused).
 *
 * Contract: as in direct_cudnn (conv2d/convpool.h). Floats, NCHW.
 *
 *   fused[k][c][i][j] = 1 / pool^2 sum of w[k][c][i - a][j - b], a, b < pool, where that is there:
 *     (R + pool - 1) x (S + pool - 1)
 *   D[n][(c, i, j)][(u, v)] = x[n][c][u * pool + i - pad][v * pool + j - pad]
 *   y[n] = fused * D[n]: K x (c, i, j) times (c, i, j) x (u, v), all stored by rows
 *
 * TODO 1: in open(): the fused filters, on the host from env->fixed[CONV2D_W] or by a kernel, and
 *   room for D. (c, i, j) is numbered as the filter's floats lie: c (R + pool - 1)(S + pool - 1) +
 *   ..
 * TODO 2: a kernel that writes D, each element once, neighbours side by side. Asked for: at most
 *   0.27 requests of stores an output (16 channels out, 8 in), 4.2 sectors a request.
 * TODO 3: cublasSgemmStridedBatched, one product for each image. cuBLAS stores matrices by columns:
 *   what is a matrix by rows to you is its transpose to cuBLAS. So ask for y^T = D^T fused^T, in
 *   which nothing needs to be transposed: which are m, n, k, and the three leading dimensions? The
 *   filters are the same for all images: which stride have they?
 * TODO 4: the handle gets its stream in open(): cudaStreamPerThread. */
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
    float *filters; /* TODO: on the device, [K][C][R + pool - 1][S + pool - 1] */
    float *d;       /* TODO: [N][C (R + pool - 1)(S + pool - 1)][outputs of a map] */
};

__global__ void windows_kernel(struct convpool_problem p, const float *x, float *d)
{
    /* TODO */
}

static int fused_open(const struct hpc_env *env, const void *problem, void **state)
{
    struct fused *s = (struct fused *)calloc(1, sizeof *s);
    if (!s)
        return 1;
    (void)env; /* TODO: env->fixed[CONV2D_W] are the filters, on the host */
    s->p = *(const struct convpool_problem *)problem;
    *state = s;
    return 0;
}

static int fused_run(void *state, const void *const in[], void *const out[])
{
    struct fused *s = (struct fused *)state;
    (void)s, (void)in, (void)out; /* TODO: windows_kernel, then cublasSgemmStridedBatched */
    return cudaGetLastError() != cudaSuccess;
}

static void fused_close(void *state)
{
    struct fused *s = (struct fused *)state;
    /* TODO */
    free(s);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,    "convpool", "fused_cublas",
                                                   fused_open, fused_run,  fused_close};
