/* cuDNN on the CPU device against sums written out in double. */
#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include <cmocka.h>

#include "common/random.h"
#include "device/include/cuda_runtime_api.h"
#include "device/include/cudnn.h"

#define EVERYWHERE ((void *)1)

static struct hpc_random random_state;

static float draw(void)
{
    return (float)((double)hpc_random_below(&random_state, 2001) / 1000 - 1);
}

static float *drawn(size_t n)
{
    float *p = malloc(n * sizeof *p);
    for (size_t i = 0; i < n; i++)
        p[i] = draw();
    return p;
}

static void near(double got, double want, double bound)
{
    if (!(fabs(got - want) <= bound))
        fail_msg("%.9g, should be %.9g within %.2g", got, want, bound);
}

/* One convolution: n c h w, k r s, pad, stride, dilation. */
struct shape {
    int n, c, h, w, k, r, s, pad, stride, dilation;
};

static size_t at(const int size[4], bool last, int a, int b, int i, int j)
{
    return last ? (((size_t)a * size[2] + i) * size[3] + j) * size[1] + b
                : (((size_t)a * size[1] + b) * size[2] + i) * size[3] + j;
}

static double convolved(const struct shape *p, bool last, bool flipped, const float *x,
                        const float *w, int n, int k, int row, int column)
{
    const int xs[4] = {p->n, p->c, p->h, p->w}, ws[4] = {p->k, p->c, p->r, p->s};
    double sum = 0;
    for (int c = 0; c < p->c; c++)
        for (int r = 0; r < p->r; r++)
            for (int s = 0; s < p->s; s++) {
                const int i = row * p->stride - p->pad + r * p->dilation,
                          j = column * p->stride - p->pad + s * p->dilation;
                if (i >= 0 && i < p->h && j >= 0 && j < p->w)
                    sum += (double)x[at(xs, last, n, c, i, j)] *
                           w[at(ws, last, k, c, flipped ? p->r - 1 - r : r,
                                flipped ? p->s - 1 - s : s)];
            }
    return sum;
}

/* No workspace, one byte less than is asked for, and all of it. */
static void try_workspaces(cudnnHandle_t handle, const float *alpha, cudnnTensorDescriptor_t x_of,
                           const float *x, cudnnFilterDescriptor_t w_of, const float *w,
                           cudnnConvolutionDescriptor_t convolution, const float *beta,
                           cudnnTensorDescriptor_t y_of, float *y)
{
    size_t bytes = 0;
    assert_int_equal(cudnnGetConvolutionForwardWorkspaceSize(handle, x_of, w_of, convolution, y_of,
                                                             CUDNN_CONVOLUTION_FWD_ALGO_GEMM,
                                                             &bytes),
                     CUDNN_STATUS_SUCCESS);
    assert_true(bytes > 0);
    char *room = malloc(bytes);
    for (int wrong = 2; wrong >= 0; wrong--)
        assert_int_equal(cudnnConvolutionForward(handle, alpha, x_of, x, w_of, w, convolution,
                                                 CUDNN_CONVOLUTION_FWD_ALGO_GEMM,
                                                 wrong == 2 ? NULL : room, bytes - (wrong == 1),
                                                 beta, y_of, y),
                         wrong ? CUDNN_STATUS_BAD_PARAM : CUDNN_STATUS_SUCCESS);
    free(room);
}

static void try_convolution(const struct shape *p, bool last, bool flipped)
{
    const cudnnTensorFormat_t format = last ? CUDNN_TENSOR_NHWC : CUDNN_TENSOR_NCHW;
    const float alpha = 0.5F, beta = 0.25F;
    cudnnHandle_t handle;
    cudnnTensorDescriptor_t x_of, y_of;
    cudnnFilterDescriptor_t w_of;
    cudnnConvolutionDescriptor_t convolution;
    int ys[4];
    assert_int_equal(cudnnCreate(&handle), CUDNN_STATUS_SUCCESS);
    cudnnCreateTensorDescriptor(&x_of);
    cudnnCreateTensorDescriptor(&y_of);
    cudnnCreateFilterDescriptor(&w_of);
    cudnnCreateConvolutionDescriptor(&convolution);
    cudnnSetTensor4dDescriptor(x_of, format, CUDNN_DATA_FLOAT, p->n, p->c, p->h, p->w);
    cudnnSetFilter4dDescriptor(w_of, CUDNN_DATA_FLOAT, format, p->k, p->c, p->r, p->s);
    cudnnSetConvolution2dDescriptor(
        convolution, p->pad, p->pad, p->stride, p->stride, p->dilation, p->dilation,
        flipped ? CUDNN_CONVOLUTION : CUDNN_CROSS_CORRELATION, CUDNN_DATA_FLOAT);
    assert_int_equal(cudnnGetConvolution2dForwardOutputDim(convolution, x_of, w_of, &ys[0], &ys[1],
                                                           &ys[2], &ys[3]),
                     CUDNN_STATUS_SUCCESS);
    cudnnSetTensor4dDescriptor(y_of, format, CUDNN_DATA_FLOAT, ys[0], ys[1], ys[2], ys[3]);
    const size_t count = (size_t)ys[0] * ys[1] * ys[2] * ys[3];
    float *x = drawn((size_t)p->n * p->c * p->h * p->w),
          *w = drawn((size_t)p->k * p->c * p->r * p->s);
    float *y = drawn(count), *before = malloc(count * sizeof *before);
    memcpy(before, y, count * sizeof *y);
    try_workspaces(handle, &alpha, x_of, x, w_of, w, convolution, &beta, y_of, y);
    for (int n = 0; n < ys[0]; n++)
        for (int k = 0; k < ys[1]; k++)
            for (int i = 0; i < ys[2]; i++)
                for (int j = 0; j < ys[3]; j++) {
                    const size_t place = at(ys, last, n, k, i, j);
                    near(y[place],
                         0.5 * convolved(p, last, flipped, x, w, n, k, i, j) + 0.25 * before[place],
                         2e-5);
                }
    ys[2]++;
    cudnnSetTensor4dDescriptor(y_of, format, CUDNN_DATA_FLOAT, ys[0], ys[1], ys[2], ys[3]);
    assert_int_equal(cudnnConvolutionForward(handle, &alpha, x_of, x, w_of, w, convolution,
                                             CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM, NULL, 0,
                                             &beta, y_of, y),
                     CUDNN_STATUS_BAD_PARAM);
    free(x);
    free(w);
    free(y);
    free(before);
    cudnnDestroyTensorDescriptor(x_of);
    cudnnDestroyTensorDescriptor(y_of);
    cudnnDestroyFilterDescriptor(w_of);
    cudnnDestroyConvolutionDescriptor(convolution);
    cudnnDestroy(handle);
}

static void convolutions(void **state)
{
    const struct shape shapes[] = {
        {1, 1, 1, 1, 1, 1, 1, 0, 1, 1},  {2, 3, 7, 5, 4, 3, 3, 1, 1, 1},
        {1, 2, 11, 9, 3, 5, 5, 2, 2, 1}, {3, 5, 6, 6, 2, 1, 1, 0, 3, 1},
        {1, 4, 9, 8, 5, 3, 2, 1, 1, 2},
    };
    (void)state;
    for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++)
        for (int t = 0; t < 4; t++)
            try_convolution(&shapes[i], t & 1, t & 2);
}

static void pooling(void **state)
{
    const float one = 1, zero = 0, x[] = {1, 2, 3, -4, 5, 6, 7, 8, 9};
    const float want[3][4] = {/* 2 x 2, stride 2, pad 1 on 3 x 3 */
                              {1, 3, 7, 9},
                              {0.25F, 1.25F, 0.75F, 7},
                              {1, 2.5F, 1.5F, 7}};
    float y[4];
    cudnnHandle_t handle;
    cudnnTensorDescriptor_t x_of, y_of;
    cudnnPoolingDescriptor_t pool;
    (void)state;
    cudnnCreate(&handle);
    cudnnCreateTensorDescriptor(&x_of);
    cudnnCreateTensorDescriptor(&y_of);
    cudnnCreatePoolingDescriptor(&pool);
    cudnnSetTensor4dDescriptor(x_of, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 3, 3);
    cudnnSetTensor4dDescriptor(y_of, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 1, 2, 2);
    for (int mode = 0; mode < 3; mode++) {
        assert_int_equal(cudnnSetPooling2dDescriptor(pool, (cudnnPoolingMode_t)mode,
                                                     CUDNN_NOT_PROPAGATE_NAN, 2, 2, 1, 1, 2, 2),
                         CUDNN_STATUS_SUCCESS);
        assert_int_equal(cudnnPoolingForward(handle, pool, &one, x_of, x, &zero, y_of, y),
                         CUDNN_STATUS_SUCCESS);
        for (int i = 0; i < 4; i++)
            near(y[i], want[mode][i], 1e-6);
    }
    cudnnDestroyPoolingDescriptor(pool);
    cudnnDestroyTensorDescriptor(x_of);
    cudnnDestroyTensorDescriptor(y_of);
    cudnnDestroy(handle);
}

static void refusals(void **state)
{
    cudnnTensorDescriptor_t tensor;
    cudnnConvolutionDescriptor_t convolution;
    (void)state;
    cudnnCreateTensorDescriptor(&tensor);
    cudnnCreateConvolutionDescriptor(&convolution);
    assert_int_equal(
        cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_DOUBLE, 1, 1, 1, 1),
        CUDNN_STATUS_NOT_SUPPORTED);
    assert_int_equal(
        cudnnSetTensor4dDescriptor(tensor, CUDNN_TENSOR_NCHW, CUDNN_DATA_FLOAT, 1, 0, 1, 1),
        CUDNN_STATUS_BAD_PARAM);
    assert_int_equal(cudnnSetConvolutionGroupCount(convolution, 2), CUDNN_STATUS_NOT_SUPPORTED);
    cudnnDestroyTensorDescriptor(tensor);
    cudnnDestroyConvolutionDescriptor(convolution);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(convolutions), cmocka_unit_test(pooling),
                                       cmocka_unit_test(refusals)};
    hpc_random_init(&random_state, 5, 5);
    /* A device may use memory of the host that is registered: here all. */
    cudaHostRegister(EVERYWHERE, SIZE_MAX / 2, cudaHostRegisterDefault);
    return cmocka_run_group_tests(tests, NULL, NULL);
}
