// A helper header checks the statuses of cuBLAS where it finds that cuBLAS has been included: y = A x.
#include <cstdio>

#include <cublas_v2.h>
#include <cuda_runtime.h>

#include "helper_cuda.h"

int main()
{
    const int m = 3, n = 2;
    const float a[m * n] = {1, 2, 3, 4, 5, 6}, x[n] = {1, 10}, one = 1, zero = 0; // by columns
    float y[m], *d_a, *d_x, *d_y;
    cublasHandle_t handle;
    checkCudaErrors(cublasCreate(&handle));
    checkCudaErrors(cudaMalloc(&d_a, sizeof a));
    checkCudaErrors(cudaMalloc(&d_x, sizeof x));
    checkCudaErrors(cudaMalloc(&d_y, sizeof y));
    checkCudaErrors(cublasSetMatrix(m, n, sizeof *a, a, m, d_a, m));
    checkCudaErrors(cublasSetVector(n, sizeof *x, x, 1, d_x, 1));
    checkCudaErrors(cublasSgemv(handle, CUBLAS_OP_N, m, n, &one, d_a, m, d_x, 1, &zero, d_y, 1));
    checkCudaErrors(cublasGetVector(m, sizeof *y, d_y, 1, y, 1));
    printf("%g %g %g\n", y[0], y[1], y[2]);
    checkCudaErrors(cudaFree(d_a));
    checkCudaErrors(cudaFree(d_x));
    checkCudaErrors(cudaFree(d_y));
    checkCudaErrors(cublasDestroy(handle));
    const bool right = y[0] == 41 && y[1] == 52 && y[2] == 63;
    puts(right ? "PASS" : "FAIL");
    return !right;
}
