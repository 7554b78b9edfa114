// expect: launch-error
// The number of blocks is rounded down, which for a short array gives none.
// Without BUG: rounded up.
#include <stdio.h>

#define N       200
#define THREADS 256

__global__ void add_kernel(const int *a, const int *b, int *c)
{
    int i = blockIdx.x * THREADS + threadIdx.x;
    if (i < N)
        c[i] = a[i] + b[i];
}

int main()
{
    int a[N], b[N], c[N], *d_a, *d_b, *d_c, wrong = 0;
    for (int i = 0; i < N; i++) {
        a[i] = i + 1;
        b[i] = i * i;
    }
    cudaMalloc(&d_a, sizeof(a));
    cudaMalloc(&d_b, sizeof(b));
    cudaMalloc(&d_c, sizeof(c));
    cudaMemcpy(d_a, a, sizeof(a), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, sizeof(b), cudaMemcpyHostToDevice);
    cudaMemset(d_c, 0, sizeof(c));
#ifdef BUG
    int blocks = N / THREADS;
#else
    int blocks = (N + THREADS - 1) / THREADS;
#endif
    add_kernel<<<blocks, THREADS>>>(d_a, d_b, d_c); // EXPECTED
    cudaMemcpy(c, d_c, sizeof(c), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += c[i] != a[i] + b[i];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return wrong != 0;
}
