// expect: host-pointer device-pointer
// Source and destination of a cudaMemcpy are swapped.
// Without BUG: the destination comes first.
#include <stdio.h>

#define N 300

__global__ void decrement_kernel(int *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x]--;
}

int main()
{
    int x[N], y[N], *d_x, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = 4 * i;
    cudaMalloc(&d_x, sizeof(x));
#ifdef BUG
    cudaMemcpy(x, d_x, sizeof(x), cudaMemcpyHostToDevice); // EXPECTED
#else
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
#endif
    decrement_kernel<<<N / 100, 100>>>(d_x);
    cudaMemcpy(y, d_x, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != x[i] - 1;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    return wrong != 0;
}
