/* Shuffles in branches that some threads take: the first warp, half of each warp by a mask of its
 * own, other lanes in each round of a loop, and a branch that has variables of its own. */
#include <cstdio>

enum { BLOCK = 192, BLOCKS = 3, N = BLOCK * BLOCKS, ROUNDS = 3 };
#define FULL 0xffffffffu

__global__ void block_sums(const int *x, int *y)
{
    __shared__ int part[32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int v = x[blockIdx.x * BLOCK + threadIdx.x];
    for (int o = 16; o > 0; o >>= 1)
        v += __shfl_xor_sync(FULL, v, o);
    if (lane == 0)
        part[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = lane < (int)blockDim.x / 32 ? part[lane] : 0;
        for (int o = 16; o > 0; o >>= 1)
            v += __shfl_down_sync(FULL, v, o);
        if (lane == 0)
            y[blockIdx.x] = v;
    }
}

__global__ void halves(const int *x, int *y)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x, lane = threadIdx.x % 32;
    int v = x[i], of = 7;
    if (lane < 16)
        v = __shfl_sync(0xffffu, v, 15 - lane) + of;
    for (int k = 0; k < ROUNDS; k++) {
        if ((lane >> 4) == k % 2) {
            const unsigned mask = k % 2 ? 0xffff0000u : 0xffffu;
            int w = v * 2, more = 3;
            more += k;
            v = __shfl_xor_sync(mask, w, 1) + more;
        }
        v += of;
    }
    y[i] = v;
}

static int half_of(const int *warp, int lane)
{
    int v[32], w[32];
    for (int l = 0; l < 32; l++)
        v[l] = l < 16 ? warp[15 - l] + 7 : warp[l];
    for (int k = 0; k < ROUNDS; k++) {
        for (int l = 0; l < 32; l++)
            w[l] = v[l] * 2;
        for (int l = 0; l < 32; l++)
            v[l] = (l >> 4 == k % 2 ? w[l ^ 1] + 3 + k : v[l]) + 7;
    }
    return v[lane];
}

int main()
{
    static int x[N], y[N];
    int *d_x, *d_y, sums[BLOCKS], wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i * 37 % 101;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    block_sums<<<BLOCKS, BLOCK>>>(d_x, d_y);
    cudaMemcpy(sums, d_y, sizeof sums, cudaMemcpyDeviceToHost);
    halves<<<BLOCKS, BLOCK>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) {
        sums[i / BLOCK] -= x[i];
        wrong += y[i] != half_of(x + i / 32 * 32, i % 32);
    }
    for (int b = 0; b < BLOCKS; b++)
        wrong += sums[b] != 0;
    cudaFree(d_x);
    cudaFree(d_y);
    printf(wrong ? "FAIL: %d differ\n" : "PASS\n", wrong);
    return wrong != 0;
}
