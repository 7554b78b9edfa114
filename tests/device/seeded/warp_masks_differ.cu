// expect: divergent-barrier
// Lanes that meet give different masks: each names itself and all lanes above it.
// Without BUG: all name all.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void count_above(const int *x, int *count)
{
    unsigned above = 0xffffffffu << threadIdx.x;
#ifdef BUG
    unsigned positive = __ballot_sync(above, x[threadIdx.x] > 0); // EXPECTED
#else
    unsigned positive = __ballot_sync(0xffffffff, x[threadIdx.x] > 0);
#endif
    count[threadIdx.x] = __popc(positive & above);
}

int main()
{
    int x[32], count[32], wanted = 0, *d_x, *d_count;
    bool right = true;
    for (int i = 0; i < 32; i++)
        x[i] = i % 3 - 1;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_count, sizeof count);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    count_above<<<1, 32>>>(d_x, d_count);
    cudaMemcpy(count, d_count, sizeof count, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_count);
    for (int i = 31; i >= 0; i--) {
        wanted += x[i] > 0;
        right = right && count[i] == wanted;
    }
    printf("%s\n", right ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
