// expect: race-shared
// Hillis and Steele's scan with two arrays in turn, without a barrier after a step.
// Without BUG: a barrier at the end of each step.
#include <stdio.h>

#define N 200

__global__ void scan_kernel(const int *x, int *y)
{
    __shared__ int s[2][N];
    int t = threadIdx.x, from = 0;
    s[from][t] = x[t];
    __syncthreads();
    for (int d = 1; d < N; d *= 2) {
        int to = 1 - from;
        s[to][t] = t >= d ? s[from][t] + s[from][t - d] : s[from][t]; // EXPECTED
#ifndef BUG
        __syncthreads();
#endif
        from = to;
    }
    y[t] = s[from][t];
}

int main()
{
    int x[N], y[N], *d_x, *d_y;
    for (int i = 0; i < N; i++)
        x[i] = 7 * i % 10;
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
