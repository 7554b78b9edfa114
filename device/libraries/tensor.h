/* cuDNN's descriptors on the CPU device, and elements of tensors as floats. */
#ifndef HPC_DEVICE_TENSOR_H
#define HPC_DEVICE_TENSOR_H

#include <stdbool.h>
#include <stddef.h>

#include "device/include/cudnn.h"
#include "device/runtime/device.h"

/* Four sizes (n c h w, or k c r s of filters) and the distance of neighbours in each, in elements.
 */
struct cudnnTensorStruct {
    bool set;
    cudnnDataType_t type;
    int size[4];
    long long stride[4];
};

struct cudnnFilterStruct {
    struct cudnnTensorStruct of; /* as a tensor */
};

struct cudnnConvolutionStruct {
    bool set;
    int pad[2], stride[2], dilation[2]; /* rows, columns */
    int groups;
    bool flipped; /* CUDNN_CONVOLUTION */
};

struct cudnnPoolingStruct {
    bool set;
    cudnnPoolingMode_t mode;
    int window[2], pad[2], stride[2];
};

/* Fill in a tensor of a format, contiguous. */
cudnnStatus_t dev_tensor_set(const char *call, struct cudnnTensorStruct *t,
                             cudnnTensorFormat_t format, cudnnDataType_t type, const int size[4]);
/* A tensor's memory as an argument of a call; the stream that a handle works on. */
struct dev_argument dev_tensor_argument(const char *name, const struct cudnnTensorStruct *t,
                                        const void *data, bool write);
const void *dev_cudnn_stream(const struct cudnnContext *handle);
size_t dev_tensor_count(const struct cudnnTensorStruct *t);
/* Image i (or filter i) as floats, [c][h][w] without gaps, into `to`. */
void dev_tensor_gather(const struct cudnnTensorStruct *t, const void *data, int i, float *to);
/* And back, times alpha, plus beta times what was there. */
void dev_tensor_scatter(const struct cudnnTensorStruct *t, void *data, int i, const float *from,
                        float alpha, float beta);

#endif
