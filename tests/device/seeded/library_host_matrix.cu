// expect: host-pointer
// cuBLAS gets the host's matrix instead of its copy on the device.
// Without BUG: the device's.
#include <cublas_v2.h>
#include <stdio.h>

#define N 8

int main()
{
    float x[N * N], y[N * N], *d_x, *d_y, one = 1, zero = 0;
    int wrong = 0;
    cublasHandle_t handle;
    for (int i = 0; i < N * N; i++)
        x[i] = i % N == i / N;
    cublasCreate(&handle);
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
#ifdef BUG
    const float *a = x;
#else
    const float *a = d_x;
#endif
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &one, a, N, d_x, N, &zero, d_y, N); // EXPECTED
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N * N; i++)
        wrong += y[i] != x[i];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    cublasDestroy(handle);
    return wrong != 0;
}
