/* Distances in a graph, a frontier at a time: atomicCAS gives each node to one parent. */
#include <cstdio>
#include <cuda_runtime.h>

#define NODES  127
#define ABSENT -1

/* A binary tree in compressed rows: node i has neighbours 2i + 1, 2i + 2 and (i - 1) / 2. */
__global__ void level_kernel(const int *rows, const int *columns, const int *frontier, int n,
                             int *next, int *next_n, int *distance, int level)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    const int node = frontier[i];
    for (int k = rows[node]; k < rows[node + 1]; k++)
        if (atomicCAS(&distance[columns[k]], ABSENT, level) == ABSENT)
            next[atomicAdd(next_n, 1)] = columns[k];
}

int main()
{
    int rows[NODES + 1], columns[2 * NODES], distance[NODES], n = 1, edges = 0, levels = 0;
    int *d_rows, *d_columns, *d_distance, *d_now, *d_next, *d_n;
    bool right = true;
    for (int i = 0; i < NODES; i++) {
        rows[i] = edges;
        for (int child = 2 * i + 1; child <= 2 * i + 2 && child < NODES; child++)
            columns[edges++] = child;
        if (i > 0)
            columns[edges++] = (i - 1) / 2;
        distance[i] = i == 0 ? 0 : ABSENT;
    }
    rows[NODES] = edges;
    cudaMalloc(&d_rows, sizeof rows);
    cudaMalloc(&d_columns, edges * sizeof(int));
    cudaMalloc(&d_distance, sizeof distance);
    cudaMalloc(&d_now, NODES * sizeof(int));
    cudaMalloc(&d_next, NODES * sizeof(int));
    cudaMalloc(&d_n, sizeof(int));
    cudaMemcpy(d_rows, rows, sizeof rows, cudaMemcpyHostToDevice);
    cudaMemcpy(d_columns, columns, edges * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemcpy(d_distance, distance, sizeof distance, cudaMemcpyHostToDevice);
    cudaMemset(d_now, 0, sizeof(int));
    while (n > 0) {
        cudaMemset(d_n, 0, sizeof(int));
        level_kernel<<<(n + 31) / 32, 32>>>(d_rows, d_columns, d_now, n, d_next, d_n, d_distance,
                                            ++levels);
        cudaMemcpy(&n, d_n, sizeof n, cudaMemcpyDeviceToHost);
        int *other = d_now;
        d_now = d_next;
        d_next = other;
    }
    cudaMemcpy(distance, d_distance, sizeof distance, cudaMemcpyDeviceToHost);
    for (int i = 0, depth = 0; i < NODES; i++) {
        depth += i + 1 == 2 << depth;
        right = right && distance[i] == depth;
    }
    right = right && levels == 7;
    cudaFree(d_rows);
    cudaFree(d_columns);
    cudaFree(d_distance);
    cudaFree(d_now);
    cudaFree(d_next);
    cudaFree(d_n);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
