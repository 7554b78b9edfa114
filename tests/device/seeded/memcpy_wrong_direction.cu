// expect: host-pointer device-pointer
// An input is copied to the device with the direction of a copy back.
// Without BUG: cudaMemcpyHostToDevice.
#include <stdio.h>

#define N 300

__global__ void increment_kernel(int *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x]++;
}

int main()
{
    int x[N], y[N], *d_x, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = 9 * i;
    cudaMalloc(&d_x, sizeof(x));
#ifdef BUG
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyDeviceToHost); // EXPECTED
#else
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
#endif
    increment_kernel<<<N / 50, 50>>>(d_x);
    cudaMemcpy(y, d_x, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != x[i] + 1;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    return wrong != 0;
}
