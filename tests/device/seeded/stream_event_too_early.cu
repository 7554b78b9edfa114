// expect: race-stream
// The event is recorded before the kernel that it should stand for.
// Without BUG: it is recorded behind it.
#include <stdio.h>

#define N 2048

__global__ void double_kernel(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}

__global__ void sum_pairs_kernel(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2)
        y[i] = x[2 * i] + x[2 * i + 1];
}

int main()
{
    float x[N], y[N / 2], *d_x, *d_y;
    int wrong = 0;
    cudaStream_t s[2];
    cudaEvent_t doubled;
    for (int k = 0; k < 2; k++)
        cudaStreamCreateWithFlags(&s[k], cudaStreamNonBlocking);
    cudaEventCreate(&doubled);
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    for (int i = 0; i < N; i++)
        x[i] = i % 64;
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
#ifdef BUG
    cudaEventRecord(doubled, s[0]);
#endif
    double_kernel<<<(N + 255) / 256, 256, 0, s[0]>>>(d_x, N); // EXPECTED
#ifndef BUG
    cudaEventRecord(doubled, s[0]);
#endif
    cudaStreamWaitEvent(s[1], doubled, 0);
    sum_pairs_kernel<<<(N / 2 + 255) / 256, 256, 0, s[1]>>>(d_y, d_x, N); // EXPECTED
    cudaMemcpyAsync(y, d_y, sizeof(y), cudaMemcpyDeviceToHost, s[1]);
    cudaStreamSynchronize(s[1]);
    for (int i = 0; i < N / 2; i++)
        wrong += y[i] != 2 * (x[2 * i] + x[2 * i + 1]);
    for (int k = 0; k < 2; k++)
        cudaStreamDestroy(s[k]);
    cudaEventDestroy(doubled);
    cudaFree(d_x);
    cudaFree(d_y);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
