// expect: race-shared
// Blelloch's scan: one thread clears the root while another still adds to it.
// Without BUG: a barrier between the way up and clearing the root.
#include <stdio.h>

#define N 128

__global__ void scan_kernel(const int *x, int *y, int *total)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[2 * t] = x[2 * t];
    s[2 * t + 1] = x[2 * t + 1];
    int d = 1;
    for (int active = N / 2; active > 0; active /= 2) {
        __syncthreads();
        if (t < active)
            s[2 * d * (t + 1) - 1] += s[2 * d * (t + 1) - 1 - d]; // EXPECTED
        d *= 2;
    }
#ifndef BUG
    __syncthreads();
#endif
    if (t == 1) {
        *total = s[N - 1]; // EXPECTED
        s[N - 1] = 0;      // EXPECTED
    }
    for (int active = 1; active < N; active *= 2) {
        d /= 2;
        __syncthreads();
        if (t < active) {
            int right = 2 * d * (t + 1) - 1, left = s[right - d];
            s[right - d] = s[right];
            s[right] += left;
        }
    }
    __syncthreads();
    y[2 * t] = s[2 * t];
    y[2 * t + 1] = s[2 * t + 1];
}

int main()
{
    int x[N], y[N], total, *d_x, *d_y, *d_total;
    for (int i = 0; i < N; i++)
        x[i] = i % 11;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMalloc(&d_total, sizeof(int));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    scan_kernel<<<1, N / 2>>>(d_x, d_y, d_total);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    cudaMemcpy(&total, d_total, sizeof(int), cudaMemcpyDeviceToHost);
    int wrong = 0, sum = 0;
    for (int i = 0; i < N; i++) {
        wrong += y[i] != sum;
        sum += x[i];
    }
    wrong += total != sum;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_total);
    return wrong != 0;
}
