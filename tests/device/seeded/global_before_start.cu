// expect: oob-global
// The first thread reads the element before the first.
// Without BUG: the first element has no neighbour on its left.
#include <stdio.h>

#define N 512

__global__ void delta_kernel(const int *x, int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BUG
    y[i] = x[i] - x[i - 1]; // EXPECTED
#else
    y[i] = i > 0 ? x[i] - x[i - 1] : x[i];
#endif
}

int main()
{
    int x[N], y[N], *d_x, *d_y, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i * i;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    delta_kernel<<<N / 64, 64>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != x[i] - (i > 0 ? x[i - 1] : 0);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
