/* convpool/pool_cudnn_naive: cuDNN(naive) of [Suita], convolution, then pooling.
 *
 * Changes from pool_cpu: two calls of cuDNN, which is what a framework does. Any layout and
 * type.
 * What limits it: pool^2 times the products that are needed, and the convolution's output, which
 * is written and read again. */
#include "conv2d/convpool.h"
#include "conv2d/variants/pool_convolution.h"

#ifndef VARIANT
#define VARIANT pool_cudnn_naive
#endif

namespace
{

struct naive {
    pool_convolution *convolution;
    struct convpool_problem p;
    cudnnHandle_t handle;
    cudnnTensorDescriptor_t before, after;
    cudnnPoolingDescriptor_t pooling;
    char *between;
};

int naive_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct convpool_problem *p = (const struct convpool_problem *)problem;
    (void)env;
    pool_convolution *convolution =
        pool_takes(p->conv.type) ? shared<pool_convolution>::open(p->conv) : NULL;
    if (!convolution)
        return 1;
    naive *s = new naive();
    const int rows = conv2d_rows(&p->conv), columns = conv2d_columns(&p->conv);
    const cudnnDataType_t type = cudnn_type(p->conv.type);
    const cudnnTensorFormat_t layout = cudnn_layout(p->conv.layout);
    s->convolution = convolution;
    CUDNN(cudnnCreate(&s->handle));
    CUDNN(cudnnSetStream(s->handle, cudaStreamPerThread));
    CUDNN(cudnnCreateTensorDescriptor(&s->before));
    CUDNN(cudnnCreateTensorDescriptor(&s->after));
    CUDNN(cudnnCreatePoolingDescriptor(&s->pooling));
    CUDNN(cudnnSetTensor4dDescriptor(s->before, layout, type, p->conv.n, p->conv.k, rows, columns));
    CUDNN(cudnnSetTensor4dDescriptor(s->after, layout, type, p->conv.n, p->conv.k, convpool_rows(p),
                                     convpool_columns(p)));
    CUDNN(cudnnSetPooling2dDescriptor(s->pooling, CUDNN_POOLING_AVERAGE_COUNT_EXCLUDE_PADDING,
                                      CUDNN_NOT_PROPAGATE_NAN, p->pool, p->pool, 0, 0, p->pool,
                                      p->pool));
    s->between = gpu_alloc<char>(conv2d_y_count(&p->conv) * conv_type_bytes(p->conv.type));
    *state = s;
    return 0;
}

int naive_run(void *state, const void *const in[], void *const out[])
{
    const naive *s = (const naive *)state;
    const float one = 1, zero = 0;
    s->convolution->run(in[CONV2D_X], in[CONV2D_W], s->between);
    CUDNN(cudnnPoolingForward(s->handle, s->pooling, &one, s->before, s->between, &zero, s->after,
                              out[CONV2D_Y]));
    return 0;
}

void naive_close(void *state)
{
    naive *s = (naive *)state;
    CUDA(cudaFree(s->between));
    CUDNN(cudnnDestroyPoolingDescriptor(s->pooling));
    CUDNN(cudnnDestroyTensorDescriptor(s->after));
    CUDNN(cudnnDestroyTensorDescriptor(s->before));
    CUDNN(cudnnDestroy(s->handle));
    shared<pool_convolution>::close(s->convolution);
    delete s;
}

} // namespace

extern "C" const struct hpc_variant hpc_variant = {
    HPC_ABI, "convpool", GPU_NAME(VARIANT), naive_open, naive_run, naive_close,
};
