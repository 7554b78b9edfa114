/* Launches as formatters write them that do not know CUDA, a kernel by its address, clock(). */
#include <stdio.h>
#include <time.h>

template <class T> __global__ void fill_kernel(T *x, T value)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

__global__ void clock_kernel(clock_t *ticks, float *x)
{
    const clock_t start = clock();
    float sum = 0;
    for (int i = 0; i < 1000; i++)
        sum += sqrtf(x[threadIdx.x] + i);
    x[threadIdx.x] = sum;
    ticks[threadIdx.x] = clock() - start;
}

int main()
{
    float *x, value = 3;
    clock_t *ticks;
    cudaMallocManaged(&x, 64 * sizeof *x);
    cudaMallocManaged(&ticks, 64 * sizeof *ticks);
    // clang-format off
    fill_kernel<float> << <2, 32 >> > (x, 1);
    fill_kernel << < dim3(1), dim3(16), 0 >> >(x, 2.0f);
    // clang-format on
    void *arguments[] = {&x, &value};
    cudaLaunchKernel((const void *)fill_kernel<float>, dim3(1), dim3(8), arguments, 0, 0);
    cudaDeviceSynchronize();
    bool right = x[0] == 3 && x[7] == 3 && x[8] == 2 && x[15] == 2 && x[16] == 1 && x[63] == 1;
    clock_kernel<<<1, 64>>>(ticks, x);
    cudaDeviceSynchronize();
    for (int i = 0; i < 64; i++)
        right = right && ticks[i] > 0;
    cudaFree(x);
    cudaFree(ticks);
    puts(right ? "PASS" : "FAIL");
    return !right;
}
