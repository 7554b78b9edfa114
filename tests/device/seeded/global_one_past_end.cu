// expect: oob-global
// The guard lets one thread too many through.
// Without BUG: i < n.
#include <stdio.h>

#define N 1000

__global__ void add_kernel(const float *a, const float *b, float *c, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BUG
    if (i <= n)
#else
    if (i < n)
#endif
        c[i] = a[i] + b[i]; // EXPECTED
}

int main()
{
    float a[N], b[N], c[N], *d_a, *d_b, *d_c;
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = 2 * i;
    }
    cudaMalloc(&d_a, sizeof(a));
    cudaMalloc(&d_b, sizeof(b));
    cudaMalloc(&d_c, sizeof(c));
    cudaMemcpy(d_a, a, sizeof(a), cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b, sizeof(b), cudaMemcpyHostToDevice);
    add_kernel<<<(N + 255) / 256, 256>>>(d_a, d_b, d_c, N);
    cudaMemcpy(c, d_c, sizeof(c), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += c[i] != a[i] + b[i];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return wrong != 0;
}
