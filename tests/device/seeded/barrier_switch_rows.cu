// expect: divergent-barrier
// The rows of a block do different work by a switch, and one case has a barrier of its own.
// Without BUG: the barrier after the switch.
#include <stdio.h>

#define N 32

__global__ void rows_kernel(const int *x, int *y)
{
    __shared__ int twice[N], square[N];
    int t = threadIdx.x;
    switch (threadIdx.y) {
    case 0:
        twice[t] = 2 * x[t];
#ifdef BUG
        __syncthreads(); // EXPECTED
#endif
        break;
    case 1:
        square[t] = x[t] * x[t];
        break;
    }
#ifndef BUG
    __syncthreads();
#endif
    y[threadIdx.y * N + t] = threadIdx.y == 0 ? square[t] : twice[t];
}

int main()
{
    int x[N], y[2 * N], *d_x, *d_y, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i - 9;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    rows_kernel<<<1, dim3(N, 2)>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += (y[i] != x[i] * x[i]) + (y[N + i] != 2 * x[i]);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
