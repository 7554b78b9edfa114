// expect: race-host
// The host clears a counter in managed memory for the next round while the kernel may still count.
// Without BUG: it waits, reads, and then clears.
#include <stdio.h>

#define N      1000
#define ROUNDS 3

__global__ void count_kernel(int *counter, int n, int divisor)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n && i % divisor == 0)
        atomicAdd(counter, 1);
}

int main()
{
    int *counter, wrong = 0;
    cudaMallocManaged(&counter, sizeof(int));
    *counter = 0;
    for (int k = 1; k <= ROUNDS; k++) {
        count_kernel<<<(N + 127) / 128, 128>>>(counter, N, k); // EXPECTED
#ifndef BUG
        cudaDeviceSynchronize();
        wrong += *counter != (N + k - 1) / k;
#endif
        *counter = 0; // EXPECTED
    }
    cudaDeviceSynchronize();
    wrong += *counter != 0;
    cudaFree(counter);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
