#include "device/libraries/tensor.h"

#include <stdint.h>

#include "device/libraries/gemm.h"

cudnnStatus_t dev_tensor_set(const char *call, struct cudnnTensorStruct *t,
                             cudnnTensorFormat_t format, cudnnDataType_t type, const int size[4])
{
    if (!t)
        return CUDNN_STATUS_BAD_PARAM;
    if (type != CUDNN_DATA_FLOAT && type != CUDNN_DATA_HALF) {
        dev_refuse(call, "data type %d; CUDNN_DATA_FLOAT and CUDNN_DATA_HALF are", (int)type);
        return CUDNN_STATUS_NOT_SUPPORTED;
    }
    if (format != CUDNN_TENSOR_NCHW && format != CUDNN_TENSOR_NHWC) {
        dev_refuse(call, "tensor format %d; NCHW and NHWC are", (int)format);
        return CUDNN_STATUS_NOT_SUPPORTED;
    }
    for (int d = 0; d < 4; d++) {
        if (size[d] < 1)
            return CUDNN_STATUS_BAD_PARAM;
        t->size[d] = size[d];
    }
    const long long c = size[1], h = size[2], w = size[3];
    const bool last = format == CUDNN_TENSOR_NHWC;
    t->stride[0] = c * h * w;
    t->stride[1] = last ? 1 : h * w;
    t->stride[2] = last ? w * c : w;
    t->stride[3] = last ? c : 1;
    t->type = type;
    t->set = true;
    return CUDNN_STATUS_SUCCESS;
}

struct dev_argument dev_tensor_argument(const char *name, const struct cudnnTensorStruct *t,
                                        const void *data, bool write)
{
    long long last = 0;
    for (int d = 0; d < 4; d++)
        last += (t->size[d] - 1) * t->stride[d];
    const size_t bytes = (size_t)(last + 1) * (t->type == CUDNN_DATA_HALF ? 2 : 4);
    const bool gaps = (size_t)(last + 1) != dev_tensor_count(t);
    return (struct dev_argument){name, {data, bytes, bytes, 1, write}, false, gaps};
}

size_t dev_tensor_count(const struct cudnnTensorStruct *t)
{
    return (size_t)t->size[0] * (size_t)t->size[1] * (size_t)t->size[2] * (size_t)t->size[3];
}

/* Where row (c, h) of image i begins. */
static size_t row_at(const struct cudnnTensorStruct *t, int i, int c, int h)
{
    return (size_t)(i * t->stride[0] + c * t->stride[1] + h * t->stride[2]);
}

void dev_tensor_gather(const struct cudnnTensorStruct *t, const void *data, int i, float *to)
{
    const float *floats = data;
    const uint16_t *halves = data;
    for (int c = 0; c < t->size[1]; c++)
        for (int h = 0; h < t->size[2]; h++) {
            size_t at = row_at(t, i, c, h);
            for (int w = 0; w < t->size[3]; w++, at += (size_t)t->stride[3])
                *to++ = t->type == CUDNN_DATA_HALF ? dev_from_half(halves[at]) : floats[at];
        }
}

void dev_tensor_scatter(const struct cudnnTensorStruct *t, void *data, int i, const float *from,
                        float alpha, float beta)
{
    float *floats = data;
    uint16_t *halves = data;
    const bool half = t->type == CUDNN_DATA_HALF;
    for (int c = 0; c < t->size[1]; c++)
        for (int h = 0; h < t->size[2]; h++) {
            size_t at = row_at(t, i, c, h);
            for (int w = 0; w < t->size[3]; w++, at += (size_t)t->stride[3]) {
                float value = alpha * *from++;
                if (beta != 0)
                    value += beta * (half ? dev_from_half(halves[at]) : floats[at]);
                if (half)
                    halves[at] = dev_to_half(value);
                else
                    floats[at] = value;
                dev_wrote((char *)data + at * (half ? 2 : 4), half ? 2 : 4);
            }
        }
}
