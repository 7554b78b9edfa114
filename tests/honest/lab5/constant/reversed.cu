/* The mask reversed by a kernel in open(), from a buffer that is freed there; reads it back by
 * cudaMemcpyFromSymbol; double precision sums; launches by cudaLaunchKernel. */
#include "conv1d/gpu.h"

__constant__ float c_mask[CONV1D_MAX_MASK];

__global__ void reverse(const float *from, float *to, int taps)
{
    const int j = blockIdx.x * blockDim.x + threadIdx.x;
    if (j < taps)
        to[taps - 1 - j] = from[j];
}

__global__ void kernel(const float *x, float *y, int64_t n, int radius)
{
    for (int64_t i = blockIdx.x * (int64_t)blockDim.x + threadIdx.x; i < n;
         i += (int64_t)gridDim.x * blockDim.x) {
        double sum = 0;
        for (int j = radius; j >= -radius; --j)
            if (i + j >= 0 && i + j < n)
                sum = fma((double)c_mask[radius - j], (double)x[i + j], sum);
        y[i] = __double2float_rn(sum);
    }
}

static cudaError_t keep_mask(const struct conv *s, const float *mask)
{
    const size_t taps = 2 * (size_t)s->radius + 1, bytes = taps * sizeof *mask;
    float *buffer, first;
    if (cudaMalloc(&buffer, 2 * bytes) != cudaSuccess ||
        cudaMemcpy(buffer, mask, bytes, cudaMemcpyHostToDevice) != cudaSuccess)
        return cudaGetLastError();
    reverse<<<(unsigned)((taps + 127) / 128), 128>>>(buffer, buffer + taps, (int)taps);
    cudaMemcpyToSymbol(c_mask, buffer + taps, bytes, 0, cudaMemcpyDeviceToDevice);
    cudaMemcpyFromSymbol(&first, c_mask, sizeof first);
    cudaFree(buffer);
    return first == mask[taps - 1] ? cudaGetLastError() : cudaErrorUnknown;
}

static void launch(const struct conv *s, const float *x, const float *, float *y)
{
    int64_t n = s->n;
    int radius = s->radius;
    void *arguments[] = {&x, &y, &n, &radius};
    cudaLaunchKernel((const void *)kernel, dim3(conv_blocks(s)), dim3(s->block), arguments, 0,
                     cudaStreamPerThread);
}

extern "C" const struct hpc_variant hpc_variant = conv_variant<256, launch, keep_mask>("constant");
