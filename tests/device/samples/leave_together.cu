/* Loops around barriers that all threads leave or go on with together, the block's group that is
 * there for its sync alone, and atomic operations as statements between barriers. */
#include <cooperative_groups.h>
#include <cstdio>

namespace cg = cooperative_groups;
enum { BLOCK = 128, BLOCKS = 5, N = BLOCK * BLOCKS, ROUNDS = 6 };

__global__ void rounds(const int *x, int *y, int n)
{
    __shared__ int s[BLOCK];
    int t = threadIdx.x, v = x[blockIdx.x * BLOCK + t];
    bool last;
    for (int k = 0; k < n; k++) {
        last = false;
        s[t] = v + k;
        __syncthreads();
        if (k == n - 1)
            break;
        if (k % 2 == 1) {
            __syncthreads();
            continue;
        }
        v += s[BLOCK - 1 - t];
        last = t % 3 == 0;
        __syncthreads();
    }
    y[blockIdx.x * BLOCK + t] = last ? -1 : v + s[t];
}

static void rounds_of(const int *x, int *y)
{
    int v[BLOCK], s[BLOCK];
    for (int t = 0; t < BLOCK; t++)
        v[t] = x[t];
    for (int k = 0; k < ROUNDS; k++) {
        for (int t = 0; t < BLOCK; t++)
            s[t] = v[t] + k;
        for (int t = 0; t < BLOCK && k < ROUNDS - 1 && k % 2 == 0; t++)
            v[t] += s[BLOCK - 1 - t];
    }
    for (int t = 0; t < BLOCK; t++)
        y[t] = v[t] + s[t];
}

/* sums: of all x, of all threads' numbers, the largest sum of a block. */
__global__ void grouped(const int *x, int *sums)
{
    cg::thread_block all = cg::this_thread_block();
    __shared__ int s[BLOCK];
    const unsigned t = threadIdx.x;
    s[t] = x[blockIdx.x * BLOCK + t];
    cg::sync(all);
    for (unsigned d = 1; d < BLOCK; d *= 2) {
        if (t % (2 * d) == 0)
            s[t] += s[t + d];
        all.sync();
    }
    if (t == 0)
        atomicAdd(&sums[0], s[0]);
    atomicAdd(&sums[1], (int)t);
    __syncthreads();
    atomicMax(&sums[2], s[0]);
}

int main()
{
    static int x[N], y[N], expected[N];
    int *d_x, *d_y, *d_sums, sums[3] = {0}, all = 0, most = 0, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i * 37 % 101;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMalloc(&d_sums, sizeof sums);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemcpy(d_sums, sums, sizeof sums, cudaMemcpyHostToDevice);
    rounds<<<BLOCKS, BLOCK>>>(d_x, d_y, ROUNDS);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    grouped<<<BLOCKS, BLOCK>>>(d_x, d_sums);
    cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
    for (int b = 0; b < BLOCKS; b++) {
        int sum = 0;
        for (int t = 0; t < BLOCK; t++)
            sum += x[b * BLOCK + t];
        rounds_of(x + b * BLOCK, expected + b * BLOCK);
        all += sum;
        most = sum > most ? sum : most;
    }
    for (int i = 0; i < N; i++)
        wrong += y[i] != expected[i];
    wrong += sums[0] != all || sums[1] != BLOCKS * BLOCK * (BLOCK - 1) / 2 || sums[2] != most;
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_sums);
    printf(wrong ? "FAIL: %d differ\n" : "PASS\n", wrong);
    return wrong != 0;
}
