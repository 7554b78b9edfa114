// expect: race-shared
// A block's scan and its reversal share a union, as temporary storage of libraries does.
// Without BUG: a barrier before the second use.
#include <stdio.h>

#define THREADS 256

__global__ void scan_kernel(const int *x, int *y)
{
    __shared__ union {
        int sums[THREADS / 32];
        int all[THREADS];
    } u;
    int t = threadIdx.x, v = x[t], before = 0;
    for (int d = 1; d < 32; d *= 2) {
        int other = __shfl_up_sync(0xffffffff, v, d);
        if (t % 32 >= d)
            v += other;
    }
    if (t % 32 == 31)
        u.sums[t / 32] = v;
    __syncthreads();
    for (int k = 0; k < t / 32; k++)
        before += u.sums[k]; // EXPECTED
#ifndef BUG
    __syncthreads();
#endif
    u.all[t] = v + before; // EXPECTED
    __syncthreads();
    y[t] = u.all[THREADS - 1 - t];
}

int main()
{
    int x[THREADS], y[THREADS], *d_x, *d_y, bad = 0;
    for (int i = 0; i < THREADS; i++)
        x[i] = i % 7;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    scan_kernel<<<1, THREADS>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0, sum = 0; i < THREADS; i++)
        bad += y[THREADS - 1 - i] != (sum += x[i]);
    printf("%s: %d wrong\n", bad ? "FAIL" : "PASS", bad);
    cudaFree(d_x);
    cudaFree(d_y);
    return bad != 0;
}
