// expect: uninit-global
// The number of blocks is rounded down, and the host sums up elements that no thread wrote.
// Without BUG: it is rounded up.
#include <stdio.h>

#define N 1000

__global__ void odd_kernel(int *x)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < N)
        x[i] = 2 * i + 1;
}

int main()
{
    int x[N], *d_x, sum = 0;
    cudaMalloc(&d_x, sizeof(x));
#ifdef BUG
    odd_kernel<<<N / 64, 64>>>(d_x);
#else
    odd_kernel<<<(N + 63) / 64, 64>>>(d_x);
#endif
    cudaMemcpy(x, d_x, sizeof(x), cudaMemcpyDeviceToHost); // EXPECTED
    for (int i = 0; i < N; i++)
        sum += x[i];
    printf("%s: the sum is %d\n", sum == N * N ? "PASS" : "FAIL", sum);
    cudaFree(d_x);
    return sum != N * N;
}
