// expect: race-shared
// Each warp scans its own 32 numbers in shared memory as if its threads moved in step.
// Without BUG: __syncwarp between reading and writing, and after writing.
#include <stdio.h>

#define N 256

__global__ void warp_scan_kernel(const int *x, int *y)
{
    __shared__ int s[N];
    int t = threadIdx.x, lane = t % 32;
    s[t] = x[t]; // EXPECTED
#ifndef BUG
    __syncwarp();
#endif
    for (int d = 1; d < 32; d *= 2) {
#ifdef BUG
        if (lane >= d)
            s[t] += s[t - d]; // EXPECTED
#else
        int add = lane >= d ? s[t - d] : 0;
        __syncwarp();
        s[t] += add;
        __syncwarp();
#endif
    }
    y[t] = s[t];
}

int main()
{
    int x[N], y[N], *d_x, *d_y;
    for (int i = 0; i < N; i++)
        x[i] = i % 9 - 4;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    warp_scan_kernel<<<1, N>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    int wrong = 0, sum = 0;
    for (int i = 0; i < N; i++) {
        sum = (i % 32 ? sum : 0) + x[i];
        wrong += y[i] != sum;
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
