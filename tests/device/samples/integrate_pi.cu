/* Pi by the midpoint rule: sums in double, blocks added by atomicAdd. */
#include <cstdio>
#include <cuda_runtime.h>

#define STEPS 100000

__global__ void quarter_circle_kernel(double *sum)
{
    __shared__ double s[128];
    double own = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < STEPS; i += gridDim.x * blockDim.x) {
        const double x = (i + 0.5) / STEPS;
        own += 4 / (1 + x * x);
    }
    s[threadIdx.x] = own;
    __syncthreads();
    for (int half = 64; half > 0; half /= 2) {
        if (threadIdx.x < half)
            s[threadIdx.x] += s[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        atomicAdd(sum, s[0] / STEPS);
}

int main()
{
    double pi, *d_pi;
    cudaMalloc(&d_pi, sizeof pi);
    cudaMemset(d_pi, 0, sizeof pi);
    quarter_circle_kernel<<<8, 128>>>(d_pi);
    cudaMemcpy(&pi, d_pi, sizeof pi, cudaMemcpyDeviceToHost);
    const bool right = pi > 3.14159265 && pi < 3.14159266;
    cudaFree(d_pi);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
