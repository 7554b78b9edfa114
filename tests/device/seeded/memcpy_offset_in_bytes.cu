// expect: oob-global
// The second half's place is counted in bytes, where a pointer counts elements: the copy begins behind the
// allocation.
// Without BUG: it is counted in elements.
#include <stdio.h>

#define HALF 128

__global__ void negate_kernel(int *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    x[i] = -x[i];
}

int main()
{
    int x[2 * HALF], *d_x, wrong = 0;
    for (int i = 0; i < 2 * HALF; i++)
        x[i] = i;
    cudaMalloc(&d_x, sizeof(x));
    cudaMemset(d_x, 0, sizeof(x));
    cudaMemcpy(d_x, x, HALF * sizeof(int), cudaMemcpyHostToDevice);
#ifdef BUG
    int *second = d_x + HALF * sizeof(int);
#else
    int *second = d_x + HALF;
#endif
    cudaMemcpy(second, x + HALF, HALF * sizeof(int), cudaMemcpyHostToDevice); // EXPECTED
    negate_kernel<<<2, HALF>>>(d_x);
    cudaMemcpy(x, d_x, sizeof(x), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 2 * HALF; i++)
        wrong += x[i] != -i;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    return wrong != 0;
}
