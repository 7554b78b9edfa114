// expect: launch-error
// A block of 33 x 32 threads, which is more than 1024: the kernel never runs, and nobody asks.
// Without BUG: 16 x 16 threads.
#include <stdio.h>

#define W 66
#define H 64

__global__ void fill_kernel(int *a)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < W && y < H)
        a[y * W + x] = x + 100 * y;
}

int main()
{
    static int a[W * H];
    int *d_a, wrong = 0;
    cudaMalloc(&d_a, sizeof(a));
    cudaMemset(d_a, 0, sizeof(a));
#ifdef BUG
    dim3 block(33, 32);
#else
    dim3 block(16, 16);
#endif
    dim3 grid((W + block.x - 1) / block.x, (H + block.y - 1) / block.y);
    fill_kernel<<<grid, block>>>(d_a); // EXPECTED
    cudaMemcpy(a, d_a, sizeof(a), cudaMemcpyDeviceToHost);
    for (int i = 0; i < W * H; i++)
        wrong += a[i] != i % W + 100 * (i / W);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_a);
    return wrong != 0;
}
