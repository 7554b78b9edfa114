// expect: schedule
// Blocks draw their part of the work by a ticket, but write the result to their own place.
// Without BUG: to the ticket's place.
#include <stdio.h>

#define PARTS   16
#define THREADS 32

__global__ void part_sum_kernel(const int *x, int *next, int *sums)
{
    __shared__ int part, sum;
    if (threadIdx.x == 0) {
        part = atomicAdd(next, 1);
        sum = 0;
    }
    __syncthreads();
    atomicAdd(&sum, x[part * THREADS + threadIdx.x]);
    __syncthreads();
    if (threadIdx.x == 0)
#ifdef BUG
        sums[blockIdx.x] = sum;
#else
        sums[part] = sum;
#endif
}

int main()
{
    int x[PARTS * THREADS], sums[PARTS], *d_x, *d_next, *d_sums, wrong = 0;
    for (int i = 0; i < PARTS * THREADS; i++)
        x[i] = i;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_next, sizeof(int));
    cudaMalloc(&d_sums, sizeof(sums));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemset(d_next, 0, sizeof(int));
    part_sum_kernel<<<PARTS, THREADS>>>(d_x, d_next, d_sums);       // EXPECTED
    cudaMemcpy(sums, d_sums, sizeof(sums), cudaMemcpyDeviceToHost); // EXPECTED
    for (int p = 0; p < PARTS; p++)
        wrong += sums[p] != THREADS * (2 * p * THREADS + THREADS - 1) / 2;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_next);
    cudaFree(d_sums);
    return wrong != 0;
}
