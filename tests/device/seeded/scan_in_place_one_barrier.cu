// expect: race-shared
// Hillis and Steele's scan in one array: each step reads what others write, with one barrier
// where two are due.
// Without BUG: a second barrier, between reading and writing.
#include <stdio.h>

#define N 256

__global__ void scan_kernel(const int *x, int *y)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int d = 1; d < N; d *= 2) {
        int add = t >= d ? s[t - d] : 0; // EXPECTED
#ifndef BUG
        __syncthreads();
#endif
        s[t] += add; // EXPECTED
        __syncthreads();
    }
    y[t] = s[t];
}

int main()
{
    int x[N], y[N], *d_x, *d_y;
    for (int i = 0; i < N; i++)
        x[i] = i % 6;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    scan_kernel<<<1, N>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    int wrong = 0, sum = 0;
    for (int i = 0; i < N; i++)
        wrong += y[i] != (sum += x[i]);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
