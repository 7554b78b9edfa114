/* c = a + b, every call checked by hand. */
#include <stdio.h>
#include <stdlib.h>
#include <math.h>

#include <cuda_runtime.h>

__global__ void vectorAdd(const float *A, const float *B, float *C, int numElements)
{
    int i = blockDim.x * blockIdx.x + threadIdx.x;

    if (i < numElements) {
        C[i] = A[i] + B[i] + 0.0f;
    }
}

static float *device_copy(const float *host, size_t size)
{
    float *device = NULL;
    cudaError_t err = cudaMalloc((void **)&device, size);

    if (err != cudaSuccess) {
        fprintf(stderr, "no device memory for a vector (%s)\n", cudaGetErrorString(err));
        exit(EXIT_FAILURE);
    }
    if (host != NULL) {
        err = cudaMemcpy(device, host, size, cudaMemcpyHostToDevice);
        if (err != cudaSuccess) {
            fprintf(stderr, "a vector can't be copied (%s)\n", cudaGetErrorString(err));
            exit(EXIT_FAILURE);
        }
    }
    return device;
}

int main(void)
{
    cudaError_t err = cudaSuccess;
    int numElements = 50000;
    size_t size = numElements * sizeof(float);
    float *h_A = (float *)malloc(size);
    float *h_B = (float *)malloc(size);
    float *h_C = (float *)malloc(size);

    if (h_A == NULL || h_B == NULL || h_C == NULL) {
        fprintf(stderr, "no host memory\n");
        exit(EXIT_FAILURE);
    }
    for (int i = 0; i < numElements; ++i) {
        h_A[i] = rand() / (float)RAND_MAX;
        h_B[i] = rand() / (float)RAND_MAX;
    }

    float *d_A = device_copy(h_A, size);
    float *d_B = device_copy(h_B, size);
    float *d_C = device_copy(NULL, size);

    int threadsPerBlock = 256;
    int blocksPerGrid = (numElements + threadsPerBlock - 1) / threadsPerBlock;
    printf("CUDA kernel launch with %d blocks of %d threads\n", blocksPerGrid, threadsPerBlock);
    vectorAdd<<<blocksPerGrid, threadsPerBlock>>>(d_A, d_B, d_C, numElements);
    err = cudaGetLastError();
    if (err != cudaSuccess) {
        fprintf(stderr, "the kernel did not start (%s)\n", cudaGetErrorString(err));
        exit(EXIT_FAILURE);
    }

    err = cudaMemcpy(h_C, d_C, size, cudaMemcpyDeviceToHost);
    if (err != cudaSuccess) {
        fprintf(stderr, "the result can't be copied (%s)\n", cudaGetErrorString(err));
        exit(EXIT_FAILURE);
    }
    for (int i = 0; i < numElements; ++i) {
        if (fabs(h_A[i] + h_B[i] - h_C[i]) > 1e-5) {
            fprintf(stderr, "FAIL at element %d\n", i);
            exit(EXIT_FAILURE);
        }
    }
    printf("PASS\n");

    if ((err = cudaFree(d_A)) != cudaSuccess || (err = cudaFree(d_B)) != cudaSuccess ||
        (err = cudaFree(d_C)) != cudaSuccess) {
        fprintf(stderr, "a vector can't be freed (%s)\n", cudaGetErrorString(err));
        exit(EXIT_FAILURE);
    }
    free(h_A);
    free(h_B);
    free(h_C);
    return 0;
}
