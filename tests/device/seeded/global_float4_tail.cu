// expect: oob-global
// Elements are loaded four at a time, and the last load reaches past the end.
// Without BUG: the elements of the last, incomplete group are loaded one by one.
#include <stdio.h>

#define N 1002

__global__ void scale_kernel(const float *x, float *y, int n)
{
    int first = 4 * (blockIdx.x * blockDim.x + threadIdx.x);
#ifdef BUG
    if (first < n) {
#else
    if (first + 3 < n) {
#endif
        float4 v = *(const float4 *)(x + first); // EXPECTED
        y[first] = 3 * v.x;
#ifdef BUG
        if (first + 1 < n)
            y[first + 1] = 3 * v.y;
        if (first + 2 < n)
            y[first + 2] = 3 * v.z;
        if (first + 3 < n)
            y[first + 3] = 3 * v.w;
#else
        y[first + 1] = 3 * v.y;
        y[first + 2] = 3 * v.z;
        y[first + 3] = 3 * v.w;
    } else {
        for (int i = first; i < n; i++)
            y[i] = 3 * x[i];
#endif
    }
}

int main()
{
    float x[N], y[N], *d_x, *d_y;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    scale_kernel<<<(N + 255) / 256, 64>>>(d_x, d_y, N);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != 3 * x[i];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
