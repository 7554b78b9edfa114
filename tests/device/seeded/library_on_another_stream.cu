// expect: race-stream
// cuBLAS multiplies on the default stream what a kernel writes on a stream that does not wait for it.
// Without BUG: the handle works on the kernel's stream.
#include <cublas_v2.h>
#include <stdio.h>

#define N 8

__global__ void unit_kernel(float *x)
{
    x[threadIdx.x] = threadIdx.x % N == threadIdx.x / N;
}

int main()
{
    float y[N * N], *d_x, *d_y, one = 1, zero = 0;
    int wrong = 0;
    cublasHandle_t handle;
    cudaStream_t stream;
    cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking);
    cublasCreate(&handle);
#ifndef BUG
    cublasSetStream(handle, stream);
#endif
    cudaMalloc(&d_x, sizeof y);
    cudaMalloc(&d_y, sizeof y);
    unit_kernel<<<1, N * N, 0, stream>>>(d_x); // EXPECTED
    cublasSgemm(handle, CUBLAS_OP_N, CUBLAS_OP_N, N, N, N, &one, d_x, N, d_x, N, &zero, d_y, N); // EXPECTED
    cudaStreamSynchronize(stream);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N * N; i++)
        wrong += y[i] != (i % N == i / N);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    cublasDestroy(handle);
    cudaStreamDestroy(stream);
    return wrong != 0;
}
