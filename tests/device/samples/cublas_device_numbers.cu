// cuBLAS with its numbers on the device: a step of conjugate gradients without a copy to the host.
#include <cstdio>
#include <cublas_v2.h>
#include <cuda_runtime.h>

__global__ void divide(const float *above, const float *below, float *quotient, float *negative)
{
    *quotient = *above / *below;
    *negative = -*quotient;
}

int main()
{
    const int n = 4;
    const float a[n * n] = {4, 1, 0, 0, 1, 4, 1, 0, 0, 1, 4, 1, 0, 0, 1, 4}, b[n] = {1, 2, 3, 4};
    const float one = 1, zero = 0;
    float *d_a, *d_x, *d_r, *d_ar, *d_number, x[n], r[n];
    int wrong = 0;
    cudaMalloc(&d_a, sizeof a);
    cudaMalloc(&d_x, sizeof b);
    cudaMalloc(&d_r, sizeof b);
    cudaMalloc(&d_ar, sizeof b);
    cudaMalloc(&d_number, 7 * sizeof(float)); // r.r, r.Ar, their quotient, -quotient, 1, 0, |r|
    cudaMemcpy(d_a, a, sizeof a, cudaMemcpyHostToDevice);
    cudaMemcpy(d_r, b, sizeof b, cudaMemcpyHostToDevice);
    cudaMemset(d_x, 0, sizeof b);
    cudaMemcpy(d_number + 4, &one, sizeof one, cudaMemcpyHostToDevice);
    cudaMemcpy(d_number + 5, &zero, sizeof zero, cudaMemcpyHostToDevice);

    cublasHandle_t handle;
    cublasPointerMode_t mode;
    cublasCreate(&handle);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_DEVICE);
    cublasGetPointerMode(handle, &mode);
    wrong += mode != CUBLAS_POINTER_MODE_DEVICE;
    cublasSgemv(handle, CUBLAS_OP_N, n, n, d_number + 4, d_a, n, d_r, 1, d_number + 5, d_ar, 1);
    cublasSdot(handle, n, d_r, 1, d_r, 1, d_number);
    cublasSdot(handle, n, d_r, 1, d_ar, 1, d_number + 1);
    divide<<<1, 1>>>(d_number, d_number + 1, d_number + 2, d_number + 3);
    cublasSaxpy(handle, n, d_number + 2, d_r, 1, d_x, 1);
    cublasSaxpy(handle, n, d_number + 3, d_ar, 1, d_r, 1);
    cublasSnrm2(handle, n, d_r, 1, d_number + 6);
    float norm, host_norm;
    cudaMemcpy(&norm, d_number + 6, sizeof norm, cudaMemcpyDeviceToHost);
    cublasSetPointerMode(handle, CUBLAS_POINTER_MODE_HOST);
    cublasSnrm2(handle, n, d_r, 1, &host_norm);
    wrong += norm != host_norm;

    cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    cudaMemcpy(r, d_r, sizeof r, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        float ax = 0;
        for (int k = 0; k < n; k++)
            ax += a[i + k * n] * x[k];
        wrong += !(ax + r[i] > b[i] - 1e-4f && ax + r[i] < b[i] + 1e-4f) || x[i] <= 0;
    }
    printf(wrong ? "FAIL\n" : "PASS\n");
    cublasDestroy(handle);
    cudaFree(d_a);
    cudaFree(d_x);
    cudaFree(d_r);
    cudaFree(d_ar);
    cudaFree(d_number);
    return wrong != 0;
}
