// expect: launch-error
// A block has more threads than there may be; the program finds the result wrong and aborts.
// Without BUG: blocks of 256.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

#define N 2048

__global__ void square_kernel(int *x)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] *= x[i];
}

int main()
{
    static int x[N];
    int *d_x;
    for (int i = 0; i < N; i++)
        x[i] = i + 2;
    cudaMalloc(&d_x, sizeof x);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
#ifdef BUG
    const int threads = N;
#else
    const int threads = 256;
#endif
    square_kernel<<<N / threads, threads>>>(d_x); // EXPECTED
    cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    for (int i = 0; i < N; i++)
        if (x[i] != (i + 2) * (i + 2)) {
            printf("FAIL: at %d\n", i);
            fflush(stdout);
            abort();
        }
    printf("PASS\n");
    return 0;
}
