// expect: misaligned
// Doubles carved from dynamic shared memory, behind a number of bytes that is no multiple of 8.
// Without BUG: they begin at a multiple of 8.
#include <stdio.h>

#define THREADS 60

__global__ void carve_kernel(double *y)
{
    extern __shared__ char raw[];
    char *flags = raw;
#ifdef BUG
    double *values = (double *)(flags + THREADS);
#else
    double *values = (double *)(flags + (THREADS + 7) / 8 * 8);
#endif
    int t = threadIdx.x;
    flags[t] = t % 2;
    values[t] = t; // EXPECTED
    __syncthreads();
    y[t] = values[t] + flags[THREADS - 1 - t];
}

int main()
{
    double y[THREADS], *d_y;
    int bad = 0;
    cudaMalloc(&d_y, sizeof(y));
    carve_kernel<<<1, THREADS, 64 + sizeof(y)>>>(d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < THREADS; i++)
        bad += y[i] != i + (THREADS - 1 - i) % 2;
    printf("%s: %d wrong\n", bad ? "FAIL" : "PASS", bad);
    cudaFree(d_y);
    return bad != 0;
}
