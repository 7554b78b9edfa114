/* A cooperative launch whose blocks wait for each other: steps of diffusion in one kernel, and
 * variables that are shared by a block's threads, of a function, of the file and dynamic, through
 * them. */
#include <cooperative_groups.h>
#include <cstdio>
#include <utility>

namespace cg = cooperative_groups;

enum { BLOCKS = 4, THREADS = 64, N = 900, STEPS = 7 };

__shared__ int edges[2];
extern __shared__ float kept[];

__device__ static void note_edges(int first, int last)
{
    if (threadIdx.x == 0) {
        edges[0] = first;
        edges[1] = last;
    }
}

__global__ void diffuse(float *x, float *y, int n, int steps, float *sums, float *total)
{
    cg::grid_group grid = cg::this_grid();
    cg::thread_block block = cg::this_thread_block();
    __shared__ float part[THREADS];
    const int per = (n + gridDim.x - 1) / gridDim.x;
    note_edges(blockIdx.x * per, min(n, (int)(blockIdx.x + 1) * per));
    block.sync();
    kept[threadIdx.x] = edges[1] - edges[0];
    for (int s = 0; s < steps; s++) {
        for (int i = edges[0] + (int)threadIdx.x; i < edges[1]; i += blockDim.x)
            y[i] = i == 0 || i == n - 1 ? x[i] : 0.25f * x[i - 1] + 0.5f * x[i] + 0.25f * x[i + 1];
        grid.sync();
        float *t = x;
        x = y;
        y = t;
    }
    float sum = 0;
    for (int i = edges[0] + (int)threadIdx.x; i < edges[1]; i += blockDim.x)
        sum += x[i];
    part[threadIdx.x] = sum;
    block.sync();
    for (int k = THREADS / 2; k > 0; k /= 2) {
        if ((int)threadIdx.x < k)
            part[threadIdx.x] += part[threadIdx.x + k];
        block.sync();
    }
    if (threadIdx.x == 0)
        sums[blockIdx.x] = part[0] / kept[0];
    grid.sync();
    if (grid.thread_rank() == 0) {
        *total = 0;
        for (unsigned b = 0; b < gridDim.x; b++)
            *total += sums[b];
    }
}

int main()
{
    float h[N], r[N], next[N], *x, *y, *sums, *total, got = 0, want = 0;
    int n = N, steps = STEPS, bad = 0;
    for (int i = 0; i < N; i++)
        h[i] = r[i] = i % 17;
    cudaMalloc(&x, sizeof h);
    cudaMalloc(&y, sizeof h);
    cudaMalloc(&sums, BLOCKS * sizeof *sums);
    cudaMalloc(&total, sizeof *total);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    void *arguments[] = {&x, &y, &n, &steps, &sums, &total};
    cudaError_t error = cudaLaunchCooperativeKernel((void *)diffuse, BLOCKS, THREADS, arguments,
                                                    THREADS * sizeof(float), 0);
    cudaMemcpy(h, STEPS % 2 ? y : x, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpy(&got, total, sizeof got, cudaMemcpyDeviceToHost);
    for (int s = 0; s < STEPS; s++) {
        for (int i = 0; i < N; i++)
            next[i] =
                i == 0 || i == N - 1 ? r[i] : 0.25f * r[i - 1] + 0.5f * r[i] + 0.25f * r[i + 1];
        std::swap(next, r);
    }
    for (int i = 0; i < N; i++) {
        bad += h[i] - r[i] > 1e-4f || r[i] - h[i] > 1e-4f;
        want += r[i] / (N / BLOCKS);
    }
    bad += got - want > 1e-2f || want - got > 1e-2f || error != cudaSuccess;
    puts(bad ? "FAIL" : "PASS");
    cudaFree(x);
    cudaFree(y);
    cudaFree(sums);
    cudaFree(total);
    return bad != 0;
}
