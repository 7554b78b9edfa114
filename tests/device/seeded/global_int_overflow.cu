// expect: oob-global
// The place of a cell is a product of ints that passes 2^31 in the last planes and becomes negative:
// far before the array.
// Without BUG: the key is cut to a plane that there is before it is multiplied.
#include <cstdio>
#include <cuda_runtime.h>

#define PLANES 16
#define CELLS  4096

/* Counts in the plane that a key of 24 bits belongs to. */
__global__ void count_kernel(const int *keys, int *count)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BUG
    const int plane = keys[i] * CELLS;
#else
    const int plane = keys[i] % PLANES * CELLS;
#endif
    atomicAdd(&count[plane + i % CELLS], 1); // EXPECTED
}

int main()
{
    int keys[128], *d_keys, *d_count, count[PLANES * CELLS], wrong = 0;
    for (int i = 0; i < 128; i++)
        keys[i] = i < 100 ? i % PLANES : 0xE8000 + i;
    cudaMalloc(&d_keys, sizeof keys);
    cudaMalloc(&d_count, sizeof count);
    cudaMemcpy(d_keys, keys, sizeof keys, cudaMemcpyHostToDevice);
    cudaMemset(d_count, 0, sizeof count);
    count_kernel<<<1, 128>>>(d_keys, d_count);
    cudaMemcpy(count, d_count, sizeof count, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 128; i++)
        wrong += count[keys[i] % PLANES * CELLS + i] != 1;
    cudaFree(d_keys);
    cudaFree(d_count);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
