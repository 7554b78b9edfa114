// expect: uninit-global
// The second input is never copied to the device; the first is copied twice.
// Without BUG: each input is copied to its own place.
#include <stdio.h>

#define N 700

__global__ void dot_kernel(const float *a, const float *b, float *products)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        products[i] = a[i] * b[i]; // EXPECTED
}

int main()
{
    float a[N], b[N], products[N], *d_a, *d_b, *d_products;
    int wrong = 0;
    for (int i = 0; i < N; i++) {
        a[i] = i;
        b[i] = N - i;
    }
    cudaMalloc(&d_a, sizeof(a));
    cudaMalloc(&d_b, sizeof(b));
    cudaMalloc(&d_products, sizeof(products));
    cudaMemcpy(d_a, a, sizeof(a), cudaMemcpyHostToDevice);
#ifdef BUG
    cudaMemcpy(d_a, b, sizeof(b), cudaMemcpyHostToDevice);
#else
    cudaMemcpy(d_b, b, sizeof(b), cudaMemcpyHostToDevice);
#endif
    dot_kernel<<<(N + 255) / 256, 256>>>(d_a, d_b, d_products);
    cudaMemcpy(products, d_products, sizeof(products), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += products[i] != a[i] * b[i];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_products);
    return wrong != 0;
}
