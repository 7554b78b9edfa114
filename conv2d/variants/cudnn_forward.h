/* A convolution by cuDNN's legacy interface: descriptors, one algorithm, its workspace.
 *
 * Type CONV_F32 is asked for as CUDNN_FMA_MATH, so that no product is in TF32; CONV_TF32 and
 * CONV_F16 as CUDNN_TENSOR_OP_MATH. Sums are fp32. */
#ifndef HPC_CONV2D_CUDNN_FORWARD_H
#define HPC_CONV2D_CUDNN_FORWARD_H

#include <cudnn.h>

#include "conv2d/variants/gpu.h"

static inline const char *gpu_error(cudnnStatus_t status)
{
    return status == CUDNN_STATUS_SUCCESS ? NULL : cudnnGetErrorString(status);
}

namespace
{

inline cudnnDataType_t cudnn_type(int type)
{
    return type == CONV_F16 ? CUDNN_DATA_HALF : CUDNN_DATA_FLOAT;
}

inline cudnnTensorFormat_t cudnn_layout(int layout)
{
    return layout == CONV_NHWC ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW;
}

/* Measured with cuDNN 9.19 on an H200: 5 x 5 filters by non-fused Winograd err as TF32 does, though
 * CUDNN_FMA_MATH is asked for. */
inline bool in_tf32_anyway(int algorithm, const struct conv2d_problem &p)
{
    return algorithm == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED && p.type == CONV_F32 &&
           p.r == 5;
}

enum { CUDNN_CHOOSES = -1 }; /* the first of cudnnGetConvolutionForwardAlgorithm_v7 that works */

struct cudnn_forward {
    cudnnHandle_t handle;
    cudnnTensorDescriptor_t x, y;
    cudnnFilterDescriptor_t w;
    cudnnConvolutionDescriptor_t convolution;
    cudnnConvolutionFwdAlgo_t algorithm;
    void *workspace;
    size_t bytes;

    void describe(const struct conv2d_problem &p)
    {
        const cudnnDataType_t type = cudnn_type(p.type);
        const cudnnTensorFormat_t layout = cudnn_layout(p.layout);
        CUDNN(cudnnCreate(&handle));
        CUDNN(cudnnSetStream(handle, cudaStreamPerThread));
        CUDNN(cudnnCreateTensorDescriptor(&x));
        CUDNN(cudnnCreateTensorDescriptor(&y));
        CUDNN(cudnnCreateFilterDescriptor(&w));
        CUDNN(cudnnCreateConvolutionDescriptor(&convolution));
        CUDNN(cudnnSetTensor4dDescriptor(x, layout, type, p.n, p.c, p.h, p.w));
        CUDNN(cudnnSetTensor4dDescriptor(y, layout, type, p.n, p.k, conv2d_rows(&p),
                                         conv2d_columns(&p)));
        CUDNN(cudnnSetFilter4dDescriptor(w, type, layout, p.k, p.c, p.r, p.s));
        CUDNN(cudnnSetConvolution2dDescriptor(convolution, p.pad, p.pad, p.stride, p.stride, 1, 1,
                                              CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT));
        CUDNN(cudnnSetConvolutionMathType(convolution, p.type == CONV_F32 ? CUDNN_FMA_MATH
                                                                          : CUDNN_TENSOR_OP_MATH));
    }

    /* Take an algorithm and its workspace; false where cuDNN does not support it here. */
    bool take(cudnnConvolutionFwdAlgo_t wanted)
    {
        algorithm = wanted;
        return cudnnGetConvolutionForwardWorkspaceSize(handle, x, w, convolution, y, algorithm,
                                                       &bytes) == CUDNN_STATUS_SUCCESS;
    }

    /* As the paper does: ask for the best algorithm, without a measurement. */
    bool choose(const struct conv2d_problem &p)
    {
        cudnnConvolutionFwdAlgoPerf_t found[CUDNN_CONVOLUTION_FWD_ALGO_COUNT];
        int n = 0;
        CUDNN(cudnnGetConvolutionForwardAlgorithm_v7(handle, x, w, convolution, y,
                                                     CUDNN_CONVOLUTION_FWD_ALGO_COUNT, &n, found));
        for (int i = 0; i < n; i++) {
            const bool fma = p.type != CONV_F32 || found[i].mathType == CUDNN_FMA_MATH ||
                             found[i].mathType == CUDNN_DEFAULT_MATH;
            if (found[i].status == CUDNN_STATUS_SUCCESS && fma &&
                !in_tf32_anyway(found[i].algo, p) && take(found[i].algo))
                return true;
        }
        return false;
    }

    bool open(const struct conv2d_problem &p, int wanted = CUDNN_CHOOSES)
    {
        *this = cudnn_forward();
        describe(p);
        if (wanted == CUDNN_CHOOSES ? choose(p) : take((cudnnConvolutionFwdAlgo_t)wanted)) {
            workspace = gpu_alloc<char>(bytes);
            return true;
        }
        close();
        return false;
    }

    void run(const void *x_data, const void *w_data, void *y_data) const
    {
        const float one = 1, zero = 0;
        CUDNN(cudnnConvolutionForward(handle, &one, x, x_data, w, w_data, convolution, algorithm,
                                      workspace, bytes, &zero, y, y_data));
    }

    void close()
    {
        CUDA(cudaFree(workspace));
        CUDNN(cudnnDestroyConvolutionDescriptor(convolution));
        CUDNN(cudnnDestroyFilterDescriptor(w));
        CUDNN(cudnnDestroyTensorDescriptor(y));
        CUDNN(cudnnDestroyTensorDescriptor(x));
        CUDNN(cudnnDestroy(handle));
    }
};

} // namespace

#endif
