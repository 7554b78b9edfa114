// expect: divergent-barrier
// The halves of a warp shuffle in two branches, each with a mask that names all 32 lanes.
// Without BUG: each mask names the lanes that are there.
#include <stdio.h>

#define N 128

__global__ void swap_kernel(const int *x, int *y)
{
    int i = threadIdx.x, lane = i % 32, other;
    if (lane < 16)
#ifdef BUG
        other = __shfl_xor_sync(0xffffffffu, x[i], 1); // EXPECTED
#else
        other = __shfl_xor_sync(0x0000ffffu, x[i], 1);
#endif
    else
#ifdef BUG
        other = __shfl_xor_sync(0xffffffffu, x[i], 8); // EXPECTED
#else
        other = __shfl_xor_sync(0xffff0000u, x[i], 8);
#endif
    y[i] = other;
}

int main()
{
    int x[N], y[N], *d_x, *d_y, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = 5 * i;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    swap_kernel<<<1, N>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != x[i ^ (i % 32 < 16 ? 1 : 8)];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
