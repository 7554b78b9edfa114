// expect: race-global
// The index leaves the block out, so that all blocks write the same elements.
// Without BUG: blockIdx.x * blockDim.x is added.
#include <stdio.h>

#define N 1024

__global__ void scale_kernel(float *y, float step)
{
#ifdef BUG
    int i = threadIdx.x;
#else
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#endif
    y[i] = step * (blockIdx.x + 1); // EXPECTED
}

int main()
{
    float y[N], *d_y;
    cudaMalloc(&d_y, sizeof(y));
    cudaMemset(d_y, 0, sizeof(y));
    scale_kernel<<<N / 128, 128>>>(d_y, 0.5f);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < N; i++)
        wrong += y[i] != 0.5f * (i / 128 + 1);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_y);
    return wrong != 0;
}
