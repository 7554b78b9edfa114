// expect: race-shared
// Blelloch's scan: no barrier between the steps on the way down.
// Without BUG: a barrier at the head of each step.
#include <stdio.h>

#define N 256

__global__ void scan_kernel(const int *x, int *y)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[2 * t] = x[2 * t];
    s[2 * t + 1] = x[2 * t + 1];
    for (int d = 1; d < N; d *= 2) {
        __syncthreads();
        int right = 2 * d * (t + 1) - 1;
        if (right < N)
            s[right] += s[right - d];
    }
    __syncthreads();
    if (t == 0)
        s[N - 1] = 0;
#ifdef BUG
    __syncthreads();
#endif
    for (int d = N / 2; d > 0; d /= 2) {
#ifndef BUG
        __syncthreads();
#endif
        int right = 2 * d * (t + 1) - 1;
        if (right < N) {
            int left = s[right - d]; // EXPECTED
            s[right - d] = s[right]; // EXPECTED
            s[right] += left;        // EXPECTED
        }
    }
    __syncthreads();
    y[2 * t] = s[2 * t];
    y[2 * t + 1] = s[2 * t + 1];
}

int main()
{
    int x[N], y[N], *d_x, *d_y;
    for (int i = 0; i < N; i++)
        x[i] = i % 3 + 2;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    scan_kernel<<<1, N / 2>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    int wrong = 0, sum = 0;
    for (int i = 0; i < N; i++) {
        wrong += y[i] != sum;
        sum += x[i];
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
