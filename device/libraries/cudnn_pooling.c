/* cuDNN on the CPU device: forward pooling, average and maximum. */
#include <math.h>
#include <stdlib.h>

#include "device/include/cudnn.h"
#include "device/libraries/gemm.h"
#include "device/libraries/tensor.h"

cudnnStatus_t cudnnGetPooling2dForwardOutputDim(cudnnPoolingDescriptor_t pooling,
                                                cudnnTensorDescriptor_t x, int *n, int *c, int *h,
                                                int *w)
{
    if (!pooling || !pooling->set || !x || !x->set)
        return CUDNN_STATUS_BAD_PARAM;
    int size[2];
    for (int d = 0; d < 2; d++) {
        const int room = x->size[2 + d] + 2 * pooling->pad[d] - pooling->window[d];
        if (room < 0)
            return CUDNN_STATUS_BAD_PARAM;
        size[d] = room / pooling->stride[d] + 1;
    }
    *n = x->size[0];
    *c = x->size[1];
    *h = size[0];
    *w = size[1];
    return CUDNN_STATUS_SUCCESS;
}

/* One window of a map of h x w; it begins at row i, column j, which may be negative. */
static float pool(const struct cudnnPoolingStruct *of, const float *map, int h, int w, int i, int j)
{
    const bool largest =
        of->mode == CUDNN_POOLING_MAX || of->mode == CUDNN_POOLING_MAX_DETERMINISTIC;
    float sum = 0, most = -INFINITY;
    int inside = 0;
    for (int row = i; row < i + of->window[0]; row++)
        for (int column = j; column < j + of->window[1]; column++) {
            if (row < 0 || row >= h || column < 0 || column >= w)
                continue;
            const float value = map[(size_t)row * (size_t)w + (size_t)column];
            inside++;
            sum += value;
            most = value > most || value != value ? value : most;
        }
    if (largest)
        return most;
    return sum / (float)(of->mode == CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING
                             ? inside
                             : of->window[0] * of->window[1]);
}

cudnnStatus_t cudnnPoolingForward(cudnnHandle_t handle, cudnnPoolingDescriptor_t pooling,
                                  const void *alpha, cudnnTensorDescriptor_t x_of, const void *x,
                                  const void *beta, cudnnTensorDescriptor_t y_of, void *y)
{
    int size[4];
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    if (!alpha || !beta || !x || !y || !y_of || !y_of->set ||
        cudnnGetPooling2dForwardOutputDim(pooling, x_of, &size[0], &size[1], &size[2], &size[3]) !=
            CUDNN_STATUS_SUCCESS)
        return CUDNN_STATUS_BAD_PARAM;
    for (int d = 0; d < 4; d++)
        if (size[d] != y_of->size[d])
            return CUDNN_STATUS_BAD_PARAM;
    if (x_of->type != y_of->type)
        return CUDNN_STATUS_BAD_PARAM;
    const struct dev_argument all[] = {
        dev_scalar("alpha", alpha, 4, false), dev_scalar("beta", beta, 4, false),
        dev_tensor_argument("x", x_of, x, false), dev_tensor_argument("y", y_of, y, true)};
    if (!dev_library_takes(&(struct dev_library_call){__func__, dev_cudnn_stream(handle),
                                                      __builtin_return_address(0), false},
                           all, 4))
        return CUDNN_STATUS_EXECUTION_FAILED;
    const int h = x_of->size[2], w = x_of->size[3];
    const size_t map = (size_t)h * (size_t)w, pooled = (size_t)size[2] * (size_t)size[3];
    float *image = malloc((size_t)size[1] * map * sizeof(float));
    float *outputs = malloc((size_t)size[1] * pooled * sizeof(float));
    dev_library_works(true);
    for (int i = 0; image && outputs && i < size[0]; i++) {
        dev_tensor_gather(x_of, x, i, image);
#pragma omp parallel for schedule(static)
        for (int c = 0; c < size[1]; c++)
            for (int p = 0; p < size[2]; p++)
                for (int q = 0; q < size[3]; q++)
                    outputs[(size_t)c * pooled + (size_t)p * (size_t)size[3] + (size_t)q] =
                        pool(pooling, image + (size_t)c * map, h, w,
                             p * pooling->stride[0] - pooling->pad[0],
                             q * pooling->stride[1] - pooling->pad[1]);
        dev_tensor_scatter(y_of, y, i, outputs, *(const float *)alpha, *(const float *)beta);
    }
    dev_library_works(false);
    const bool have = image && outputs;
    free(image);
    free(outputs);
    return have ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_ALLOC_FAILED;
}
