// expect: uninit-global
// A stencil writes the inner elements only, and the next step reads the border as well.
// Without BUG: the border keeps its value.
#include <cstdio>
#include <utility>
#include <vector>

__global__ void blur_kernel(const int *x, int *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        y[i] = x[i - 1] + x[i] + x[i + 1]; // EXPECTED
#ifndef BUG
    else if (i < n)
        y[i] = x[i];
#endif
}

int main()
{
    const int n = 333;
    std::vector<int> x(n), y(n), got(n);
    for (int i = 0; i < n; i++)
        x[i] = i % 15;
    int *d_x, *d_y, wrong = 0;
    cudaMalloc(&d_x, n * sizeof(int));
    cudaMalloc(&d_y, n * sizeof(int));
    cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    for (int s = 0; s < 2; s++) {
        blur_kernel<<<6, 64>>>(d_x, d_y, n);
        std::swap(d_x, d_y);
        y = x;
        for (int i = 1; i < n - 1; i++)
            y[i] = x[i - 1] + x[i] + x[i + 1];
        std::swap(x, y);
    }
    cudaMemcpy(got.data(), d_x, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        wrong += got[i] != x[i];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
