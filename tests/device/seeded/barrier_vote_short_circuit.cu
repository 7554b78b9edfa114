// expect: divergent-barrier
// A barrier that counts stands behind &&, so that only some threads reach it.
// Without BUG: all threads count, and the condition is tested afterwards.
#include <stdio.h>

#define N       512
#define THREADS 64

__global__ void clip_kernel(int *x)
{
    int t = threadIdx.x, i = blockIdx.x * THREADS + t;
    bool large = x[i] > 90;
#ifdef BUG
    if (t < THREADS / 2 && __syncthreads_count(large) > 3) // EXPECTED
#else
    int count = __syncthreads_count(large);
    if (t < THREADS / 2 && count > 3)
#endif
        x[i] = 0;
}

int main()
{
    int x[N], y[N], *d_x, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i % 100 + (i / THREADS % 2 ? 20 : 0);
    cudaMalloc(&d_x, sizeof(x));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    clip_kernel<<<N / THREADS, THREADS>>>(d_x);
    cudaMemcpy(y, d_x, sizeof(y), cudaMemcpyDeviceToHost);
    for (int b = 0; b < N; b += THREADS) {
        int count = 0;
        for (int k = 0; k < THREADS; k++)
            count += x[b + k] > 90;
        for (int k = 0; k < THREADS; k++)
            wrong += y[b + k] != (k < THREADS / 2 && count > 3 ? 0 : x[b + k]);
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    return wrong != 0;
}
