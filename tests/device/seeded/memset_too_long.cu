// expect: oob-global
// cudaMemset gets the bytes of doubles for an array of ints.
// Without BUG: the size of the array's own type.
#include <stdio.h>

#define N 256

__global__ void count_kernel(const int *x, int *counts)
{
    atomicAdd(&counts[x[threadIdx.x]], 1);
}

int main()
{
    int x[N], counts[N], *d_x, *d_counts, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i * 3 % N;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_counts, sizeof(counts));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
#ifdef BUG
    cudaMemset(d_counts, 0, N * sizeof(double)); // EXPECTED
#else
    cudaMemset(d_counts, 0, N * sizeof(int));
#endif
    count_kernel<<<1, N>>>(d_x, d_counts);
    cudaMemcpy(counts, d_counts, sizeof(counts), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += counts[i] != 1;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_counts);
    return wrong != 0;
}
