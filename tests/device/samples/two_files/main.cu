/* A program in two files with a header between them; this one launches the other's kernel too. */
#include <cstdio>
#include <cstdlib>
#include <vector>
#include <cuda_runtime.h>
#include "signal.h"

static __global__ void fill_kernel(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = i % 10;
}

int main(int argc, char **argv)
{
    const int n = argc > 1 ? atoi(argv[1]) : 1000;
    const window w = {argc > 2 ? atoi(argv[2]) : 3};
    std::vector<float> x(n), y(n), z(n);
    float *d_x, *d_y;
    int wrong = 0;

    cudaMalloc(&d_x, n * sizeof(float));
    cudaMalloc(&d_y, n * sizeof(float));
    fill_kernel<<<(n + 63) / 64, 64>>>(d_x, n);
    mean_kernel<<<(n + 63) / 64, 64>>>(w, d_x, d_y, n);
    cudaMemcpy(x.data(), d_x, n * sizeof(float), cudaMemcpyDeviceToHost);
    cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    mean_on_device(w, x.data(), z.data(), n);
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int k = w.first(i); k < w.end(i, n); k++)
            sum += x[k];
        wrong += y[i] != sum / (w.end(i, n) - w.first(i)) || z[i] != y[i] || x[i] != i % 10;
    }
    printf("%s: n %d, radius %d, %d wrong\n", wrong || launches != 1 ? "FAIL" : "PASS", n, w.radius,
           wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong || launches != 1;
}
