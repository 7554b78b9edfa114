/* Calls that fail where nobody minds: asked for the last error, or answered by a query. */
#include <cstdio>
#include <cuda_runtime.h>

__global__ void one_kernel(int *x)
{
    *x = 1;
}

int main()
{
    int *d_x, x = 0;
    cudaEvent_t event;
    cudaSetDevice(1000); /* no such device */
    bool right = cudaGetLastError() == cudaErrorInvalidDevice;
    cudaMalloc(&d_x, sizeof x);
    one_kernel<<<1, 4096>>>(d_x); /* too many threads */
    right = right && cudaGetLastError() != cudaSuccess; /* CUDA 13 has another than those before */
    cudaEventCreate(&event);
    one_kernel<<<1, 1>>>(d_x);
    cudaEventRecord(event);
    cudaEventQuery(event); /* whatever it says */
    cudaEventSynchronize(event);
    cudaMemcpy(&x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    cudaEventDestroy(event);
    cudaFree(d_x);
    cudaFree(NULL);
    right = right && x == 1;
    cudaGetLastError(); /* of the query */

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
