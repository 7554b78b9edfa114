// expect: leak
// The only pointer to an array is overwritten, and another array is freed twice.
// Without BUG: the pointers are swapped.
#include <stdio.h>

#define N 96

__global__ void add_kernel(const int *x, int *y)
{
    y[threadIdx.x] = x[threadIdx.x] + 1;
}

int main()
{
    int x[N], y[N], *d_x, *d_y, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i;
    cudaMalloc(&d_x, sizeof(x)); // EXPECTED
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    for (int k = 0; k < 2; k++) {
        add_kernel<<<1, N>>>(d_x, d_y);
#ifndef BUG
        int *swap = d_x;
#endif
        d_x = d_y;
#ifndef BUG
        d_y = swap;
#endif
    }
    cudaMemcpy(y, d_x, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != x[i] + 2;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
