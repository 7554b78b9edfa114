// expect: host-pointer
// A kernel is given a __device__ array by its name: that is its address on the host.
// Without BUG: the address of cudaGetSymbolAddress.
#include <cstdio>
#include <cuda_runtime.h>

__device__ int table[32];

__global__ void fill(int *y)
{
    y[threadIdx.x] = 3 * threadIdx.x;
}

int main()
{
    int h[32];
    bool right = true;
#ifdef BUG
    int *p = table;
#else
    int *p;
    cudaGetSymbolAddress((void **)&p, table);
#endif
    fill<<<1, 32>>>(p); // EXPECTED
    cudaMemcpyFromSymbol(h, table, sizeof h);
    for (int i = 0; i < 32; i++)
        right = right && h[i] == 3 * i;
    printf("%s\n", right ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
