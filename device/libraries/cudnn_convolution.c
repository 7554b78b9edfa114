/* cuDNN on the CPU device: forward convolution, by im2col and a matrix product. */
#include <stdlib.h>

#include "device/include/cudnn.h"
#include "device/libraries/gemm.h"
#include "device/libraries/tensor.h"

/* Outputs along one of the two dimensions. */
static int outputs(const struct cudnnConvolutionStruct *conv, int dimension, int size, int taps)
{
    return (size + 2 * conv->pad[dimension] - (conv->dilation[dimension] * (taps - 1) + 1)) /
               conv->stride[dimension] +
           1;
}

cudnnStatus_t cudnnGetConvolution2dForwardOutputDim(cudnnConvolutionDescriptor_t convolution,
                                                    cudnnTensorDescriptor_t x,
                                                    cudnnFilterDescriptor_t w, int *n, int *c,
                                                    int *h, int *width)
{
    if (!convolution || !convolution->set || !x || !x->set || !w || !w->of.set ||
        x->size[1] != w->of.size[1])
        return CUDNN_STATUS_BAD_PARAM;
    *n = x->size[0];
    *c = w->of.size[0];
    *h = outputs(convolution, 0, x->size[2], w->of.size[2]);
    *width = outputs(convolution, 1, x->size[3], w->of.size[3]);
    return *h > 0 && *width > 0 ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_BAD_PARAM;
}

/* Whether x, w and the convolution have outputs, and size[4] of them; else it says why not. */
static bool output_size(cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t w,
                        cudnnConvolutionDescriptor_t convolution, int size[4])
{
    if (!convolution || !convolution->set || !x || !x->set || !w || !w->of.set)
        dev_says("the descriptor of %s is not set", !convolution || !convolution->set
                                                        ? "the convolution"
                                                    : !x || !x->set ? "x"
                                                                    : "w");
    else if (x->size[1] != w->of.size[1])
        dev_says("x has %d channels, and filters of w have %d", x->size[1], w->of.size[1]);
    else if (cudnnGetConvolution2dForwardOutputDim(convolution, x, w, &size[0], &size[1], &size[2],
                                                   &size[3]) != CUDNN_STATUS_SUCCESS)
        dev_says("filters of %d x %d, which their dilation spreads, are larger than x, %d x %d "
                 "with its padding",
                 w->of.size[2], w->of.size[3], x->size[2] + 2 * convolution->pad[0],
                 x->size[3] + 2 * convolution->pad[1]);
    else
        return true;
    return false;
}

/* Whether y has the shape that x, w and the convolution give it; else it says what it has. */
static bool fits(cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t w,
                 cudnnConvolutionDescriptor_t convolution, cudnnTensorDescriptor_t y)
{
    int size[4];
    if (!output_size(x, w, convolution, size))
        return false;
    if (!y || !y->set) {
        dev_says("the descriptor of y is not set");
        return false;
    }
    for (int d = 0; d < 4; d++)
        if (size[d] != y->size[d]) {
            dev_says("y is %d x %d x %d x %d, should be %d x %d x %d x %d: x is %d x %d x %d x %d, "
                     "w %d x %d x %d x %d, pad %d %d, stride %d %d, dilation %d %d",
                     y->size[0], y->size[1], y->size[2], y->size[3], size[0], size[1], size[2],
                     size[3], x->size[0], x->size[1], x->size[2], x->size[3], w->of.size[0],
                     w->of.size[1], w->of.size[2], w->of.size[3], convolution->pad[0],
                     convolution->pad[1], convolution->stride[0], convolution->stride[1],
                     convolution->dilation[0], convolution->dilation[1]);
            return false;
        }
    if (x->type != w->of.type || (y->type != x->type && y->type != CUDNN_DATA_FLOAT)) {
        dev_says("x, w and y are not of one type");
        return false;
    }
    return true;
}

/* The workspace that an algorithm asks for: as cuDNN's, the implicit product and the direct sums
 * ask for none, others for some. Nothing is kept there. */
static size_t room_of(cudnnConvolutionFwdAlgo_t algorithm, cudnnFilterDescriptor_t w,
                      cudnnTensorDescriptor_t y)
{
    if (algorithm == CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_GEMM ||
        algorithm == CUDNN_CONVOLUTION_FWD_ALGO_DIRECT)
        return 0;
    return 4 * ((size_t)w->of.size[1] * (size_t)w->of.size[2] * (size_t)w->of.size[3] +
                (size_t)y->size[2] * (size_t)y->size[3]);
}

/* Whether the caller gives an algorithm its workspace; else it says what there is. */
static bool has_room(cudnnConvolutionFwdAlgo_t algorithm, cudnnFilterDescriptor_t w,
                     cudnnTensorDescriptor_t y, const void *workspace, size_t bytes)
{
    const size_t needed = room_of(algorithm, w, y);
    if (bytes >= needed && (workspace || needed == 0))
        return true;
    if (bytes >= needed)
        dev_says("the workspace is NULL, and algorithm %d needs %zu bytes of the device's memory "
                 "there: cudaMalloc them in open()",
                 (int)algorithm, needed);
    else
        dev_says("a workspace of %zu bytes, and algorithm %d needs %zu: "
                 "cudnnGetConvolutionForwardWorkspaceSize says how many, cudaMalloc them in open()",
                 bytes, (int)algorithm, needed);
    return false;
}

cudnnStatus_t cudnnGetConvolutionForwardAlgorithmMaxCount(cudnnHandle_t handle, int *count)
{
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    *count = CUDNN_CONVOLUTION_FWD_ALGO_COUNT;
    return CUDNN_STATUS_SUCCESS;
}

/* Algorithms, best first: as on most GPUs that is one that needs a workspace. */
static cudnnConvolutionFwdAlgo_t in_order(int i)
{
    const int first = CUDNN_CONVOLUTION_FWD_ALGO_IMPLICIT_PRECOMP_GEMM;
    return (cudnnConvolutionFwdAlgo_t)(i == 0 ? first : i <= first ? i - 1 : i);
}

cudnnStatus_t cudnnGetConvolutionForwardAlgorithm_v7(
    cudnnHandle_t handle, cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t w,
    cudnnConvolutionDescriptor_t convolution, cudnnTensorDescriptor_t y, int asked, int *returned,
    cudnnConvolutionFwdAlgoPerf_t *results)
{
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    if (asked < 1 || !returned || !results || !fits(x, w, convolution, y))
        return CUDNN_STATUS_BAD_PARAM;
    *returned = asked < CUDNN_CONVOLUTION_FWD_ALGO_COUNT ? asked : CUDNN_CONVOLUTION_FWD_ALGO_COUNT;
    for (int i = 0; i < *returned; i++) {
        const cudnnConvolutionFwdAlgo_t algorithm = in_order(i);
        results[i] = (cudnnConvolutionFwdAlgoPerf_t){.algo = algorithm,
                                                     .memory = room_of(algorithm, w, y),
                                                     .status = CUDNN_STATUS_SUCCESS,
                                                     .time = -1,
                                                     .determinism = CUDNN_DETERMINISTIC,
                                                     .mathType = CUDNN_FMA_MATH};
    }
    return CUDNN_STATUS_SUCCESS;
}

/* Nothing is timed: no algorithm is faster than another here. */
cudnnStatus_t cudnnFindConvolutionForwardAlgorithm(cudnnHandle_t handle, cudnnTensorDescriptor_t x,
                                                   cudnnFilterDescriptor_t w,
                                                   cudnnConvolutionDescriptor_t convolution,
                                                   cudnnTensorDescriptor_t y, int asked,
                                                   int *returned,
                                                   cudnnConvolutionFwdAlgoPerf_t *results)
{
    return cudnnGetConvolutionForwardAlgorithm_v7(handle, x, w, convolution, y, asked, returned,
                                                  results);
}

cudnnStatus_t cudnnGetConvolutionForwardWorkspaceSize(
    cudnnHandle_t handle, cudnnTensorDescriptor_t x, cudnnFilterDescriptor_t w,
    cudnnConvolutionDescriptor_t convolution, cudnnTensorDescriptor_t y,
    cudnnConvolutionFwdAlgo_t algorithm, size_t *bytes)
{
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    if (!bytes || !fits(x, w, convolution, y))
        return CUDNN_STATUS_BAD_PARAM;
    *bytes = room_of(algorithm, w, y);
    return CUDNN_STATUS_SUCCESS;
}

/* What one convolution works with: an image [c][h][w], its columns [p q][c r s], filters
 * [k][c r s], outputs [k][p q]. */
struct work {
    float *image, *columns, *filters, *outputs;
    int patch, places; /* c r s, p q */
};

static void free_work(struct work *work)
{
    free(work->image);
    free(work->columns);
    free(work->filters);
    free(work->outputs);
}

static float *floats(size_t count)
{
    return malloc(count * sizeof(float));
}

static bool make_work(struct work *work, const struct cudnnTensorStruct *x,
                      const struct cudnnTensorStruct *w, const struct cudnnTensorStruct *y)
{
    work->patch = w->size[1] * w->size[2] * w->size[3];
    work->places = y->size[2] * y->size[3];
    work->image = floats((size_t)x->size[1] * (size_t)x->size[2] * (size_t)x->size[3]);
    work->columns = floats((size_t)work->patch * (size_t)work->places);
    work->filters = floats(dev_tensor_count(w));
    work->outputs = floats((size_t)w->size[0] * (size_t)work->places);
    return work->image && work->columns && work->filters && work->outputs;
}

/* columns[place][c][r][s] = the element of the image that tap (c, r, s) of that place reads. */
static void im2col(const struct cudnnConvolutionStruct *conv, const struct cudnnTensorStruct *x,
                   const struct cudnnTensorStruct *w, const struct cudnnTensorStruct *y,
                   struct work *work)
{
    const int h = x->size[2], width = x->size[3];
#pragma omp parallel for schedule(static)
    for (int p = 0; p < y->size[2]; p++)
        for (int q = 0; q < y->size[3]; q++) {
            float *to =
                work->columns + ((size_t)p * (size_t)y->size[3] + (size_t)q) * (size_t)work->patch;
            for (int c = 0; c < w->size[1]; c++)
                for (int r = 0; r < w->size[2]; r++)
                    for (int s = 0; s < w->size[3]; s++) {
                        int i = p * conv->stride[0] - conv->pad[0] + r * conv->dilation[0];
                        int j = q * conv->stride[1] - conv->pad[1] + s * conv->dilation[1];
                        bool inside = i >= 0 && i < h && j >= 0 && j < width;
                        *to++ =
                            inside
                                ? work->image[((size_t)c * (size_t)h + (size_t)i) * (size_t)width +
                                              (size_t)j]
                                : 0;
                    }
        }
}

/* Filters as [k][c r s]; flipped where the mode is a convolution in the strict sense. */
static void gather_filters(const struct cudnnConvolutionStruct *conv,
                           const struct cudnnTensorStruct *w, const void *data, struct work *work)
{
    const int taps = w->size[2] * w->size[3];
    for (int k = 0; k < w->size[0]; k++) {
        float *filter = work->filters + (size_t)k * (size_t)work->patch;
        dev_tensor_gather(w, data, k, filter);
        for (int c = 0; conv->flipped && c < w->size[1]; c++)
            for (int i = 0; i < taps / 2; i++) {
                float *plane = filter + (size_t)c * (size_t)taps, swap = plane[i];
                plane[i] = plane[taps - 1 - i];
                plane[taps - 1 - i] = swap;
            }
    }
}

cudnnStatus_t cudnnConvolutionForward(cudnnHandle_t handle, const void *alpha,
                                      cudnnTensorDescriptor_t x_of, const void *x,
                                      cudnnFilterDescriptor_t w_of, const void *w,
                                      cudnnConvolutionDescriptor_t convolution,
                                      cudnnConvolutionFwdAlgo_t algorithm, void *workspace,
                                      size_t workspace_bytes, const void *beta,
                                      cudnnTensorDescriptor_t y_of, void *y)
{
    if (!handle)
        return CUDNN_STATUS_NOT_INITIALIZED;
    if (!alpha || !x || !w || !beta || !y || !fits(x_of, w_of, convolution, y_of) ||
        !has_room(algorithm, w_of, y_of, workspace, workspace_bytes))
        return CUDNN_STATUS_BAD_PARAM;
    const size_t needed = room_of(algorithm, w_of, y_of);
    const struct dev_argument all[] = {
        dev_scalar("alpha", alpha, 4, false),
        dev_scalar("beta", beta, 4, false),
        dev_tensor_argument("x", x_of, x, false),
        dev_tensor_argument("the filters", &w_of->of, w, false),
        {"the workspace", {workspace, needed, needed, 1, true}, false, false},
        dev_tensor_argument("y", y_of, y, true)};
    if (!dev_library_takes(&(struct dev_library_call){__func__, dev_cudnn_stream(handle),
                                                      __builtin_return_address(0), false},
                           all, 6))
        return CUDNN_STATUS_EXECUTION_FAILED;
    struct work work = {0};
    const bool have = make_work(&work, x_of, &w_of->of, y_of);
    dev_library_works(true);
    if (have)
        gather_filters(convolution, &w_of->of, w, &work);
    for (int i = 0; have && i < x_of->size[0]; i++) {
        dev_tensor_gather(x_of, x, i, work.image);
        im2col(convolution, x_of, &w_of->of, y_of, &work);
        /* By columns: outputs (places x k) = columns^T (places x patch) filters (patch x k). */
        dev_sgemm(true, false, work.places, w_of->of.size[0], work.patch, 1, work.columns,
                  work.patch, work.filters, work.patch, 0, work.outputs, work.places);
        dev_tensor_scatter(y_of, y, i, work.outputs, *(const float *)alpha, *(const float *)beta);
    }
    dev_library_works(false);
    free_work(&work);
    return have ? CUDNN_STATUS_SUCCESS : CUDNN_STATUS_ALLOC_FAILED;
}
