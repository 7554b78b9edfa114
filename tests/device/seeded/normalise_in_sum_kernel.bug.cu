// The kernel that adds up all numbers also divides by the sum, to which other blocks are still
// adding.
#include <math.h>
#include <stdio.h>

#define N 512

__global__ void normalise_kernel(const float *x, float *y, float *sum)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    atomicAdd(sum, x[i]); // EXPECT race-global
    __syncthreads();
    y[i] = x[i] / *sum; // EXPECT race-global
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
    normalise_kernel<<<N / 64, 64>>>(d_x, d_y, d_sum);
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
