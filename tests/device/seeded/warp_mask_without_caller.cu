// expect: divergent-barrier
// All lanes take the first lane's value, but the mask names the lower half alone.
// Without BUG: the mask names all.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void broadcast(int *x)
{
#ifdef BUG
    unsigned mask = 0x0000ffff;
#else
    unsigned mask = 0xffffffff;
#endif
    x[threadIdx.x] = __shfl_sync(mask, x[threadIdx.x], 0); // EXPECTED
}

int main()
{
    int x[32], *d_x;
    bool right = true;
    for (int i = 0; i < 32; i++)
        x[i] = 50 - i;
    cudaMalloc(&d_x, sizeof x);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    broadcast<<<1, 32>>>(d_x);
    cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    for (int i = 0; i < 32; i++)
        right = right && x[i] == 50;
    printf("%s\n", right ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
