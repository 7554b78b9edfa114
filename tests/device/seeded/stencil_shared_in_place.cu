// expect: race-shared
// A block smooths a row in shared memory in place, without a barrier between reading the
// neighbours and writing.
// Without BUG: a barrier between reading the neighbours and writing.
#include <stdio.h>

#define N     128
#define STEPS 4

__global__ void smooth_kernel(int *x)
{
    __shared__ int s[N];
    int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int k = 0; k < STEPS; k++) {
        int sum = s[t];
        if (t > 0 && t < N - 1)
            sum += s[t - 1] + s[t + 1]; // EXPECTED
#ifndef BUG
        __syncthreads();
#endif
        s[t] = sum; // EXPECTED
        __syncthreads();
    }
    x[t] = s[t];
}

int main()
{
    int x[N], y[N], *d_x;
    for (int i = 0; i < N; i++)
        x[i] = i % 5;
    cudaMalloc(&d_x, sizeof(x));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    smooth_kernel<<<1, N>>>(d_x);
    cudaMemcpy(y, d_x, sizeof(y), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int k = 0; k < STEPS; k++) {
        int before = x[0];
        for (int i = 1; i < N - 1; i++) {
            int now = x[i];
            x[i] += before + x[i + 1];
            before = now;
        }
    }
    for (int i = 0; i < N; i++)
        wrong += y[i] != x[i];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    return wrong != 0;
}
