// expect: race-stream
// cudaMemset works on the default stream, for which a stream made with cudaStreamNonBlocking does
// not wait: the kernel may count into bins that are cleared after it.
// Without BUG: the bins are cleared on the kernel's stream.
#include <stdio.h>

#define N    10000
#define BINS 32

__global__ void count_kernel(unsigned *bins, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(&bins[i % BINS], 1u);
}

int main()
{
    unsigned bins[BINS], *d_bins;
    int wrong = 0;
    cudaStream_t s;
    cudaStreamCreateWithFlags(&s, cudaStreamNonBlocking);
    cudaMalloc(&d_bins, sizeof(bins));
#ifdef BUG
    cudaMemset(d_bins, 0, sizeof(bins)); // EXPECTED
#else
    cudaMemsetAsync(d_bins, 0, sizeof(bins), s);
#endif
    count_kernel<<<(N + 255) / 256, 256, 0, s>>>(d_bins, N); // EXPECTED
    cudaStreamSynchronize(s);
    cudaMemcpy(bins, d_bins, sizeof(bins), cudaMemcpyDeviceToHost);
    for (int b = 0; b < BINS; b++)
        wrong += bins[b] != N / BINS + (b < N % BINS);
    cudaStreamDestroy(s);
    cudaFree(d_bins);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
