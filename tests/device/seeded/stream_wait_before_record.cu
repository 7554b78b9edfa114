// expect: race-stream
// The second stream waits for an event that is not recorded yet, which is no wait at all.
// Without BUG: the record comes first.
#include <stdio.h>

#define N 512

__global__ void ramp_kernel(int *x)
{
    x[threadIdx.x] = threadIdx.x;
}

__global__ void reverse_kernel(int *y, const int *x)
{
    y[threadIdx.x] = x[N - 1 - threadIdx.x];
}

int main()
{
    int y[N], *d_x, *d_y, wrong = 0;
    cudaStream_t a, b;
    cudaEvent_t ready;
    cudaMalloc(&d_x, sizeof(y));
    cudaMalloc(&d_y, sizeof(y));
    cudaStreamCreate(&a);
    cudaStreamCreate(&b);
    cudaEventCreate(&ready);
    ramp_kernel<<<1, N, 0, a>>>(d_x); // EXPECTED
#ifdef BUG
    cudaStreamWaitEvent(b, ready, 0);
    cudaEventRecord(ready, a);
#else
    cudaEventRecord(ready, a);
    cudaStreamWaitEvent(b, ready, 0);
#endif
    reverse_kernel<<<1, N, 0, b>>>(d_y, d_x); // EXPECTED
    cudaStreamSynchronize(b);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != N - 1 - i;
    cudaEventDestroy(ready);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaFree(d_x);
    cudaFree(d_y);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
