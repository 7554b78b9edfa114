/* A convolution as a matrix product, by cuBLAS: D holds the windows of x, W the filters.
 *
 * NCHW: D [n][c, r, s][row, column]; y[n] (filters x pixels) = W (filters x C R S) D[n], a batch.
 * NHWC: D [n][row, column][r, s, c]; y (images pixels x filters) = D W^T, one product.
 * All row-major; cuBLAS, column-major, is given the transposed problem. */
#ifndef HPC_CONV2D_WINDOWS_PRODUCT_H
#define HPC_CONV2D_WINDOWS_PRODUCT_H

#include <cublas_v2.h>
#include <cuda_fp16.h>

#include "conv2d/variants/gpu.h"

#define CUBLAS(call) cublas_check((call), #call, __FILE__, __LINE__)

namespace
{

inline void cublas_check(cublasStatus_t status, const char *call, const char *file, int line)
{
    if (status == CUBLAS_STATUS_SUCCESS)
        return;
    fprintf(stderr, "%s:%d: %s: status %d\n", file, line, call, (int)status);
    exit(EXIT_FAILURE);
}

/* One thread for each element of D; neighbouring threads write neighbouring elements. */
template <class T>
__global__ void windows_kernel(struct conv2d_problem p, const T *x, T *d, size_t count)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    const int columns = conv2d_columns(&p), pixels = conv2d_rows(&p) * columns;
    const int depth = p.c * p.r * p.s;
    if (i >= count)
        return;
    const int n = (int)(i / ((size_t)pixels * depth)), rest = (int)(i % ((size_t)pixels * depth));
    int pixel, c, r, s;
    if (p.layout == CONV_NCHW) {
        pixel = rest % pixels;
        s = rest / pixels % p.s, r = rest / pixels / p.s % p.r, c = rest / pixels / p.s / p.r;
    } else {
        pixel = rest / depth;
        c = rest % depth % p.c, s = rest % depth / p.c % p.s, r = rest % depth / p.c / p.s;
    }
    const int h = pixel / columns * p.stride + r - p.pad;
    const int v = pixel % columns * p.stride + s - p.pad;
    const bool inside = h >= 0 && h < p.h && v >= 0 && v < p.w;
    d[i] = inside ? x[conv2d_x_at(&p, n, c, h, v)] : T(0.0f);
}

struct windows_product {
    struct conv2d_problem p;
    cublasHandle_t handle;
    void *d;

    bool open(const struct conv2d_problem &problem)
    {
        p = problem;
        if ((double)pixels() * depth() >= 0x1p31 || (double)d_count() >= 0x1p39)
            return false; /* indices within an image, blocks of a launch */
        CUBLAS(cublasCreate(&handle));
        CUBLAS(cublasSetStream(handle, cudaStreamPerThread));
        d = gpu_alloc<char>(d_count() * conv_type_bytes(p.type));
        return true;
    }

    void close()
    {
        CUDA(cudaFree(d));
        CUBLAS(cublasDestroy(handle));
    }

    int pixels() const
    {
        return conv2d_rows(&p) * conv2d_columns(&p);
    }

    int depth() const
    {
        return p.c * p.r * p.s;
    }

    size_t d_count() const
    {
        return (size_t)p.n * pixels() * depth();
    }

    /* D from x. */
    void fill(const void *x) const
    {
        const int blocks = gpu_blocks(d_count(), 256);
        if (p.type == CONV_F16)
            windows_kernel<<<blocks, 256>>>(p, (const __half *)x, (__half *)d, d_count());
        else
            windows_kernel<<<blocks, 256>>>(p, (const float *)x, (float *)d, d_count());
        CUDA(cudaGetLastError());
    }

    /* y from D and the filters. */
    void multiply(const void *w, void *y) const
    {
        const float one = 1, zero = 0;
        const cudaDataType_t data = p.type == CONV_F16 ? CUDA_R_16F : CUDA_R_32F;
        const cublasComputeType_t compute =
            p.type == CONV_TF32 ? CUBLAS_COMPUTE_32F_FAST_TF32 : CUBLAS_COMPUTE_32F;
        const long long size = pixels();
        if (p.layout == CONV_NCHW)
            CUBLAS(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_N, CUBLAS_OP_N, pixels(), p.k,
                                              depth(), &one, d, data, pixels(), size * depth(), w,
                                              data, depth(), 0, &zero, y, data, pixels(),
                                              size * p.k, p.n, compute, CUBLAS_GEMM_DEFAULT));
        else
            CUBLAS(cublasGemmStridedBatchedEx(handle, CUBLAS_OP_T, CUBLAS_OP_N, p.k, p.n * pixels(),
                                              depth(), &one, w, data, depth(), 0, d, data, depth(),
                                              0, &zero, y, data, p.k, 0, 1, compute,
                                              CUBLAS_GEMM_DEFAULT));
    }
};

} // namespace

#endif
