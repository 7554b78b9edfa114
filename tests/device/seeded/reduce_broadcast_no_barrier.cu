// expect: race-shared
// A block divides its numbers by their sum: thread 0 adds them up, and nobody waits for it.
// Without BUG: a barrier between thread 0's writing the sum and its use.
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void normalise_kernel(const float *x, float *y)
{
    __shared__ float s[64];
    __shared__ float total;
    int i = blockIdx.x * 64 + threadIdx.x;
    s[threadIdx.x] = x[i];
    __syncthreads();
    if (threadIdx.x == 0) {
        float sum = 0;
        for (int k = 0; k < 64; k++)
            sum += s[k];
        total = sum; // EXPECTED
    }
#ifndef BUG
    __syncthreads();
#endif
    y[i] = s[threadIdx.x] / total; // EXPECTED
}

int main()
{
    const int n = 1024;
    std::vector<float> x(n), y(n);
    for (int i = 0; i < n; i++)
        x[i] = 1 + i % 32;
    float *d_x, *d_y;
    cudaMalloc(&d_x, n * sizeof(float));
    cudaMalloc(&d_y, n * sizeof(float));
    cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    normalise_kernel<<<n / 64, 64>>>(d_x, d_y);
    cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int b = 0; b < n; b += 64) {
        float sum = 0;
        for (int k = 0; k < 64; k++)
            sum += x[b + k];
        for (int k = 0; k < 64; k++)
            wrong += !(std::fabs(y[b + k] - x[b + k] / sum) < 1e-6f);
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
