// expect: divergent-barrier
// Both branches have a barrier of their own: the threads of a block wait in two places.
// Without BUG: one barrier after the branches.
#include <stdio.h>

#define THREADS 64

__global__ void exchange_kernel(const int *x, int *y)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    if (t % 2 == 0) {
        s[t] = x[t] + 1;
#ifdef BUG
        __syncthreads(); // EXPECTED
#endif
    } else {
        s[t] = x[t] - 1;
#ifdef BUG
        __syncthreads(); // EXPECTED
#endif
    }
#ifndef BUG
    __syncthreads();
#endif
    y[t] = s[THREADS - 1 - t];
}

int main()
{
    int x[THREADS], y[THREADS], *d_x, *d_y, wrong = 0;
    for (int i = 0; i < THREADS; i++)
        x[i] = 10 * i;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    exchange_kernel<<<1, THREADS>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < THREADS; i++) {
        int k = THREADS - 1 - i;
        wrong += y[i] != x[k] + (k % 2 ? -1 : 1);
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
