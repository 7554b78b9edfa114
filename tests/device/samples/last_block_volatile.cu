/* A sum in one launch: the last block that comes sums up what the others left behind a fence. Each
 * block's own sum goes through volatile shared memory, as in many programs. */
#include <cooperative_groups.h>
#include <cstdio>
#include <cuda_runtime.h>

#define BLOCKS  40
#define THREADS 128
#define N       30000

namespace cg = cooperative_groups;

__device__ unsigned int finished;

__device__ float block_sum(volatile float *part, float mine, const cg::thread_block &block)
{
    cg::thread_block_tile<32> warp = cg::tiled_partition<32>(block);
    int t = threadIdx.x, lane = t % 32;
    part[t] = mine;
    warp.sync();
    for (int d = 16; d > 0; d /= 2) {
        if (lane < d)
            part[t] = mine = mine + part[t + d];
        warp.sync();
    }
    block.sync();
    float sum = 0;
    for (int first = 0; t == 0 && first < THREADS; first += 32)
        sum += part[first];
    block.sync();
    return sum;
}

__global__ void sum_kernel(const float *x, float *sums)
{
    extern __shared__ float part[];
    __shared__ bool is_last;
    cg::thread_block block = cg::this_thread_block();
    float sum = 0;
    for (int i = blockIdx.x * THREADS + threadIdx.x; i < N; i += BLOCKS * THREADS)
        sum += x[i];
    sum = block_sum(part, sum, block);
    if (threadIdx.x == 0)
        sums[blockIdx.x] = sum;
    __threadfence();
    if (threadIdx.x == 0)
        is_last = atomicInc(&finished, BLOCKS) == BLOCKS - 1;
    block.sync();
    if (!is_last)
        return;
    sum = 0;
    for (int i = threadIdx.x; i < BLOCKS; i += THREADS)
        sum += sums[i];
    sum = block_sum(part, sum, block);
    if (threadIdx.x == 0) {
        sums[0] = sum;
        finished = 0;
    }
}

int main()
{
    float *x = new float[N], *d_x, *d_sums, sum, want = 0;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        want += x[i] = (float)(i % 9);
    cudaMalloc(&d_x, N * sizeof(float));
    cudaMalloc(&d_sums, BLOCKS * sizeof(float));
    cudaMemcpy(d_x, x, N * sizeof(float), cudaMemcpyHostToDevice);
    for (int round = 0; round < 3; round++) {
        sum_kernel<<<BLOCKS, THREADS, THREADS * sizeof(float)>>>(d_x, d_sums);
        cudaMemcpy(&sum, d_sums, sizeof(sum), cudaMemcpyDeviceToHost);
        wrong += sum != want;
    }
    printf("%s: %d wrong, the sum is %.0f\n", wrong ? "FAIL" : "PASS", wrong, sum);
    cudaFree(d_x);
    cudaFree(d_sums);
    delete[] x;
    return wrong != 0;
}
