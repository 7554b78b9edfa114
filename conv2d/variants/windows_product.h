/* A convolution as a matrix product, by cuBLAS: D holds the windows of x, W the filters.
 *
 * NCHW: y[n] (filters x pixels) = W (filters x C R S) D[n] (C R S x pixels), a batch.
 * NHWC: y (images pixels x filters) = D (images pixels x R S C) W^T, one product.
 * All row-major; cuBLAS, column-major, is given the transposed problem. */
#ifndef HPC_CONV2D_WINDOWS_PRODUCT_H
#define HPC_CONV2D_WINDOWS_PRODUCT_H

#include <cublas_v2.h>

#include "conv2d/variants/windows.h"

static inline const char *gpu_error(cublasStatus_t status)
{
    return status == CUBLAS_STATUS_SUCCESS ? NULL : cublasGetStatusString(status);
}

namespace
{

struct windows_product {
    struct conv2d_problem p;
    cublasHandle_t handle;
    void *d;

    bool open(const struct conv2d_problem &problem)
    {
        p = problem;
        if ((double)pixels() * depth() >= 0x1p31 || p.n > MOST_GRID)
            return false;
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
        if (p.type == CONV_F16)
            fill_windows(p, (const __half *)x, (__half *)d);
        else
            fill_windows(p, (const float *)x, (float *)d);
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
