/* cuDNN on the CPU device: descriptors. */
#include "device/include/cudnn.h"

#include <stdlib.h>

#include "device/libraries/gemm.h"
#include "device/libraries/tensor.h"

static cudnnStatus_t create_object(void **object, size_t bytes, const char *call, const void *from)
{
    if (!object)
        return CUDNN_STATUS_BAD_PARAM;
    *object = calloc(1, bytes);
    if (!*object)
        return CUDNN_STATUS_ALLOC_FAILED;
    dev_object_made(*object, call, from);
    return CUDNN_STATUS_SUCCESS;
}

static cudnnStatus_t destroy_object(void *object)
{
    dev_object_gone(object);
    free(object);
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreateTensorDescriptor(cudnnTensorDescriptor_t *tensor)
{
    return create_object((void **)tensor, sizeof **tensor, __func__, __builtin_return_address(0));
}

cudnnStatus_t cudnnDestroyTensorDescriptor(cudnnTensorDescriptor_t tensor)
{
    return destroy_object(tensor);
}

cudnnStatus_t cudnnSetTensor4dDescriptor(cudnnTensorDescriptor_t tensor, cudnnTensorFormat_t format,
                                         cudnnDataType_t type, int n, int c, int h, int w)
{
    return dev_tensor_set(__func__, tensor, format, type, (const int[]){n, c, h, w});
}

cudnnStatus_t cudnnSetTensor4dDescriptorEx(cudnnTensorDescriptor_t tensor, cudnnDataType_t type,
                                           int n, int c, int h, int w, int stride_n, int stride_c,
                                           int stride_h, int stride_w)
{
    const cudnnStatus_t status =
        dev_tensor_set(__func__, tensor, CUDNN_TENSOR_NCHW, type, (const int[]){n, c, h, w});
    if (status != CUDNN_STATUS_SUCCESS)
        return status;
    const int stride[4] = {stride_n, stride_c, stride_h, stride_w};
    for (int d = 0; d < 4; d++) {
        if (stride[d] < 0 || (stride[d] == 0 && tensor->size[d] > 1))
            return CUDNN_STATUS_BAD_PARAM;
        tensor->stride[d] = stride[d];
    }
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnGetTensor4dDescriptor(cudnnTensorDescriptor_t tensor, cudnnDataType_t *type,
                                         int *n, int *c, int *h, int *w, int *stride_n,
                                         int *stride_c, int *stride_h, int *stride_w)
{
    if (!tensor || !tensor->set)
        return CUDNN_STATUS_BAD_PARAM;
    int *size[4] = {n, c, h, w}, *stride[4] = {stride_n, stride_c, stride_h, stride_w};
    *type = tensor->type;
    for (int d = 0; d < 4; d++) {
        *size[d] = tensor->size[d];
        *stride[d] = (int)tensor->stride[d];
    }
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnCreateFilterDescriptor(cudnnFilterDescriptor_t *filter)
{
    return create_object((void **)filter, sizeof **filter, __func__, __builtin_return_address(0));
}

cudnnStatus_t cudnnDestroyFilterDescriptor(cudnnFilterDescriptor_t filter)
{
    return destroy_object(filter);
}

cudnnStatus_t cudnnSetFilter4dDescriptor(cudnnFilterDescriptor_t filter, cudnnDataType_t type,
                                         cudnnTensorFormat_t format, int k, int c, int h, int w)
{
    return dev_tensor_set(__func__, filter ? &filter->of : NULL, format, type,
                          (const int[]){k, c, h, w});
}

cudnnStatus_t cudnnCreateConvolutionDescriptor(cudnnConvolutionDescriptor_t *convolution)
{
    return create_object((void **)convolution, sizeof **convolution, __func__,
                         __builtin_return_address(0));
}

cudnnStatus_t cudnnDestroyConvolutionDescriptor(cudnnConvolutionDescriptor_t convolution)
{
    return destroy_object(convolution);
}

cudnnStatus_t cudnnSetConvolution2dDescriptor(cudnnConvolutionDescriptor_t convolution, int pad_h,
                                              int pad_w, int stride_h, int stride_w, int dilation_h,
                                              int dilation_w, cudnnConvolutionMode_t mode,
                                              cudnnDataType_t compute)
{
    if (!convolution || pad_h < 0 || pad_w < 0 || stride_h < 1 || stride_w < 1 || dilation_h < 1 ||
        dilation_w < 1)
        return CUDNN_STATUS_BAD_PARAM;
    if (compute != CUDNN_DATA_FLOAT) {
        dev_refuse(__func__, "sums of type %d; CUDNN_DATA_FLOAT is", (int)compute);
        return CUDNN_STATUS_NOT_SUPPORTED;
    }
    *convolution = (struct cudnnConvolutionStruct){.set = true,
                                                   .pad = {pad_h, pad_w},
                                                   .stride = {stride_h, stride_w},
                                                   .dilation = {dilation_h, dilation_w},
                                                   .groups = 1,
                                                   .flipped = mode == CUDNN_CONVOLUTION};
    return CUDNN_STATUS_SUCCESS;
}

cudnnStatus_t cudnnSetConvolutionMathType(cudnnConvolutionDescriptor_t convolution,
                                          cudnnMathType_t math)
{
    (void)math; /* all of them are fp32 here, which is as accurate or more */
    return convolution ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
}

cudnnStatus_t cudnnSetConvolutionGroupCount(cudnnConvolutionDescriptor_t convolution, int groups)
{
    if (!convolution || groups < 1)
        return CUDNN_STATUS_BAD_PARAM;
    if (groups == 1)
        return CUDNN_STATUS_SUCCESS;
    dev_refuse(__func__, "%d groups; one is", groups);
    return CUDNN_STATUS_NOT_SUPPORTED;
}

cudnnStatus_t cudnnCreatePoolingDescriptor(cudnnPoolingDescriptor_t *pooling)
{
    return create_object((void **)pooling, sizeof **pooling, __func__, __builtin_return_address(0));
}

cudnnStatus_t cudnnDestroyPoolingDescriptor(cudnnPoolingDescriptor_t pooling)
{
    return destroy_object(pooling);
}

cudnnStatus_t cudnnSetPooling2dDescriptor(cudnnPoolingDescriptor_t pooling, cudnnPoolingMode_t mode,
                                          cudnnNanPropagation_t nan, int window_h, int window_w,
                                          int pad_h, int pad_w, int stride_h, int stride_w)
{
    (void)nan;
    if (!pooling || window_h < 1 || window_w < 1 || pad_h < 0 || pad_w < 0 || pad_h >= window_h ||
        pad_w >= window_w || stride_h < 1 || stride_w < 1)
        return CUDNN_STATUS_BAD_PARAM;
    *pooling = (struct cudnnPoolingStruct){.set = true,
                                           .mode = mode,
                                           .window = {window_h, window_w},
                                           .pad = {pad_h, pad_w},
                                           .stride = {stride_h, stride_w}};
    return CUDNN_STATUS_SUCCESS;
}
