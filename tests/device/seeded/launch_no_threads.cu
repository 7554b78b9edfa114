// expect: launch-error
// A fixed number of blocks shares the work, which for a short array leaves no thread in a block.
// Without BUG: at least one thread.
#include <stdio.h>

#define BLOCKS 64

__global__ void negate_kernel(int *x, int n)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        x[i] = -x[i];
}

static void negate(int *x, int n)
{
    int *d_x, threads = n / BLOCKS;
#ifndef BUG
    if (threads == 0)
        threads = 1;
#endif
    cudaMalloc(&d_x, n * sizeof(int));
    cudaMemcpy(d_x, x, n * sizeof(int), cudaMemcpyHostToDevice);
    negate_kernel<<<BLOCKS, threads>>>(d_x, n); // EXPECTED
    cudaMemcpy(x, d_x, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
}

int main()
{
    int many[640], few[40], wrong = 0;
    for (int i = 0; i < 640; i++)
        many[i] = i;
    for (int i = 0; i < 40; i++)
        few[i] = i;
    negate(many, 640);
    negate(few, 40);
    for (int i = 0; i < 640; i++)
        wrong += many[i] != -i;
    for (int i = 0; i < 40; i++)
        wrong += few[i] != -i;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
