/* A generator of one's own that jumps ahead: each thread has the numbers that one stream would give
 * it. */
#include <cstdio>
#include <cuda_runtime.h>

#define THREADS 64
#define EACH    100

__host__ __device__ unsigned next(unsigned x)
{
    return 1664525u * x + 1013904223u;
}

/* The generator after n steps, by squaring. */
__device__ unsigned jump(unsigned x, unsigned n)
{
    unsigned a = 1664525u, c = 1013904223u;
    for (; n > 0; n /= 2) {
        if (n % 2)
            x = a * x + c;
        c *= a + 1;
        a *= a;
    }
    return x;
}

__global__ void numbers_kernel(unsigned seed, unsigned *sums)
{
    unsigned x = jump(seed, threadIdx.x * EACH), sum = 0;
    for (int i = 0; i < EACH; i++) {
        x = next(x);
        sum += x >> 16;
    }
    sums[threadIdx.x] = sum;
}

int main()
{
    unsigned sums[THREADS], *d_sums, x = 2026;
    bool right = true;
    cudaMalloc(&d_sums, sizeof sums);
    numbers_kernel<<<1, THREADS>>>(x, d_sums);
    cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
    for (int t = 0; t < THREADS; t++) {
        unsigned sum = 0;
        for (int i = 0; i < EACH; i++) {
            x = next(x);
            sum += x >> 16;
        }
        right = right && sums[t] == sum;
    }
    cudaFree(d_sums);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
