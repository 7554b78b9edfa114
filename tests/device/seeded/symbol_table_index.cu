// expect: oob-symbol
// A table of 16 entries in device memory is asked for entry 16.
// Without BUG: the last interval uses the last entry.
#include <stdio.h>

#define ENTRIES 16
#define N       400

__device__ float table[ENTRIES];

__global__ void lookup_kernel(const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    int k = (int)(x[i] * ENTRIES);
#ifndef BUG
    k = k < ENTRIES ? k : ENTRIES - 1;
#endif
    y[i] = table[k]; // EXPECTED
}

int main()
{
    float x[N], y[N], h_table[ENTRIES], *d_x, *d_y;
    int wrong = 0;
    for (int k = 0; k < ENTRIES; k++)
        h_table[k] = k * k;
    for (int i = 0; i < N; i++)
        x[i] = i / (float)(N - 1);
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(table, h_table, sizeof(h_table));
    lookup_kernel<<<N / 50, 50>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) {
        int k = (int)(x[i] * ENTRIES);
        wrong += y[i] != h_table[k < ENTRIES ? k : ENTRIES - 1];
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
