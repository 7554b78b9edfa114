// expect: host-pointer
// A kernel is given a table of the host's own constants, which no GPU can read.
// Without BUG: a copy of it on the device.
#include <stdio.h>

#define N 64

static const float table[N] = {3, 1, 4, 1, 5, 9, 2, 6};

__global__ void scale_kernel(const float *t, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = 2 * t[i]; // EXPECTED
}

int main()
{
    float y[N], *d_t, *d_y;
    int wrong = 0;
    cudaMalloc(&d_t, sizeof table);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_t, table, sizeof table, cudaMemcpyHostToDevice);
#ifdef BUG
    scale_kernel<<<2, N / 2>>>(table, d_y, N); // EXPECTED
#else
    scale_kernel<<<2, N / 2>>>(d_t, d_y, N);
#endif
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != 2 * table[i];
    cudaFree(d_t);
    cudaFree(d_y);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
