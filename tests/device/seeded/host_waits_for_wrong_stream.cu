// expect: race-host
// The loop that waits for the streams waits for the first one twice.
// Without BUG: it waits for each.
#include <stdio.h>

#define STREAMS 2
#define N       1024

__global__ void mark_kernel(int *y, int value)
{
    y[blockIdx.x * blockDim.x + threadIdx.x] = value;
}

int main()
{
    int *y, *d_y, wrong = 0;
    cudaStream_t s[STREAMS];
    cudaMallocHost(&y, STREAMS * N * sizeof(int));
    cudaMalloc(&d_y, STREAMS * N * sizeof(int));
    for (int k = 0; k < STREAMS; k++) {
        cudaStreamCreate(&s[k]);
        mark_kernel<<<N / 256, 256, 0, s[k]>>>(d_y + k * N, k + 5);
        const size_t at = k * N, bytes = N * sizeof(int);
        cudaMemcpyAsync(y + at, d_y + at, bytes, cudaMemcpyDeviceToHost, s[k]); // EXPECTED
    }
    for (int k = 0; k < STREAMS; k++)
#ifdef BUG
        cudaStreamSynchronize(s[0]);
#else
        cudaStreamSynchronize(s[k]);
#endif
    for (int i = 0; i < STREAMS * N; i++)
        wrong += y[i] != i / N + 5; // EXPECTED
    for (int k = 0; k < STREAMS; k++)
        cudaStreamDestroy(s[k]);
    cudaFree(d_y);
    cudaFreeHost(y);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
