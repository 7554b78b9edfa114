// expect: race-stream
// Memory is freed in the order of another stream than the one that uses it.
// Without BUG: it is freed behind the kernel, on its stream.
#include <stdio.h>

#define N 1024

__global__ void cube_kernel(int *y, int *scratch)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    scratch[i] = i % 50;
    y[i] = scratch[i] * scratch[i] * scratch[i];
}

int main()
{
    int y[N], *d_y, *d_scratch, wrong = 0;
    cudaStream_t a, b;
    cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking);
    cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking);
    cudaMalloc(&d_y, sizeof(y));
    cudaMallocAsync(&d_scratch, sizeof(y), a);
    cube_kernel<<<N / 128, 128, 0, a>>>(d_y, d_scratch); // EXPECTED
#ifdef BUG
    cudaFreeAsync(d_scratch, b); // EXPECTED
#else
    cudaFreeAsync(d_scratch, a);
#endif
    cudaStreamSynchronize(a);
    cudaStreamSynchronize(b);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != (i % 50) * (i % 50) * (i % 50);
    cudaStreamDestroy(a);
    cudaStreamDestroy(b);
    cudaFree(d_y);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
