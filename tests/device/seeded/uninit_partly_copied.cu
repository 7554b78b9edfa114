// expect: uninit-global
// cudaMemcpy gets the number of elements where it wants bytes: a quarter of the array is copied.
// Without BUG: n * sizeof(float).
#include <cstdio>
#include <cstdlib>

__global__ void scale_kernel(const float *x, float *y, float factor, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = factor * x[i]; // EXPECTED
}

int main()
{
    const int n = 800;
    float *x = (float *)malloc(n * sizeof(float)), *y = (float *)malloc(n * sizeof(float));
    float *d_x, *d_y;
    int wrong = 0;
    for (int i = 0; i < n; i++)
        x[i] = 1 + i;
    cudaMalloc(&d_x, n * sizeof(float));
    cudaMalloc(&d_y, n * sizeof(float));
#ifdef BUG
    cudaMemcpy(d_x, x, n, cudaMemcpyHostToDevice);
#else
    cudaMemcpy(d_x, x, n * sizeof(float), cudaMemcpyHostToDevice);
#endif
    scale_kernel<<<(n + 127) / 128, 128>>>(d_x, d_y, 4, n);
    cudaMemcpy(y, d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        wrong += y[i] != 4 * x[i];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    free(x);
    free(y);
    return wrong != 0;
}
