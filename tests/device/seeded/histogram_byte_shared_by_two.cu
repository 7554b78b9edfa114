// expect: race-shared
// Counters of a byte in shared memory, one for each thread and bin; two threads have the same.
// Without BUG: each has its own.
#include <stdio.h>

#define BINS    64
#define THREADS 32
#define N       2000

__global__ void count_kernel(const unsigned char *x, unsigned *y)
{
    __shared__ unsigned char counts[BINS * THREADS];
    int t = threadIdx.x;
    for (int b = 0; b < BINS; b++)
        counts[b * THREADS + t] = 0;
    __syncthreads();
    for (int i = t; i < N; i += THREADS) {
#ifdef BUG
        counts[x[i] % BINS * THREADS + t / 2]++; // EXPECTED
#else
        counts[x[i] % BINS * THREADS + t]++;
#endif
    }
    __syncthreads();
    for (int b = t; b < BINS; b += THREADS) {
        unsigned sum = 0;
        for (int k = 0; k < THREADS; k++)
            sum += counts[b * THREADS + k];
        y[b] = sum;
    }
}

int main()
{
    unsigned char x[N], *d_x;
    unsigned y[BINS], want[BINS] = {0}, *d_y;
    int bad = 0;
    for (int i = 0; i < N; i++)
        want[(x[i] = i / 2 * 7) % BINS]++;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    count_kernel<<<1, THREADS>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int b = 0; b < BINS; b++)
        bad += y[b] != want[b];
    printf("%s: %d wrong\n", bad ? "FAIL" : "PASS", bad);
    cudaFree(d_x);
    cudaFree(d_y);
    return bad != 0;
}
