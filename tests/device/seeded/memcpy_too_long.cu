// expect: oob-global
// cudaMemcpy copies a padded host array into device memory that was asked for without the
// padding.
// Without BUG: only the elements without the padding are copied.
#include <stdio.h>

#define N   1000
#define PAD 24

__global__ void negate_kernel(const int *x, int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        y[i] = -x[i];
}

int main()
{
    int x[N + PAD] = {0}, y[N], *d_x, *d_y, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i;
    cudaMalloc(&d_x, N * sizeof(int));
    cudaMalloc(&d_y, N * sizeof(int));
#ifdef BUG
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice); // EXPECTED
#else
    cudaMemcpy(d_x, x, N * sizeof(int), cudaMemcpyHostToDevice);
#endif
    negate_kernel<<<(N + 99) / 100, 100>>>(d_x, d_y);
    cudaMemcpy(y, d_y, N * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != -i;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
