// expect: race-global
// The kernel that adds up all numbers also divides by the sum, to which other blocks are still
// adding.
// Without BUG: a second kernel divides.
#include <math.h>
#include <stdio.h>

#define N 512

#ifdef BUG
__global__ void normalise_kernel(const float *x, float *y, float *sum)
#else
__global__ void sum_kernel(const float *x, float *sum)
#endif
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(sum, x[i]); // EXPECTED
#ifdef BUG
    __syncthreads();
#else
}

__global__ void divide_kernel(const float *x, float *y, const float *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#endif
    y[i] = x[i] / *sum; // EXPECTED
}

int main()
{
    float x[N], y[N], *d_x, *d_y, *d_sum;
    double sum = 0;
    for (int i = 0; i < N; i++)
        sum += x[i] = 1 + i % 4;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMalloc(&d_sum, sizeof(float));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemset(d_sum, 0, sizeof(float));
#ifdef BUG
    normalise_kernel<<<N / 64, 64>>>(d_x, d_y, d_sum);
#else
    sum_kernel<<<N / 64, 64>>>(d_x, d_sum);
    divide_kernel<<<N / 64, 64>>>(d_x, d_y, d_sum);
#endif
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += !(fabs(y[i] - x[i] / sum) < 1e-6);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_sum);
    return wrong != 0;
}
