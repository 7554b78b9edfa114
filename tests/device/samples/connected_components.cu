/* Labels of the least node spread over edges by atomicMin until nothing changes. */
#include <cstdio>
#include <cuda_runtime.h>

#define NODES 60
#define EDGES 57

__global__ void spread_kernel(const int2 *edges, int *labels, int *changed)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= EDGES)
        return;
    const int a = atomicAdd(&labels[edges[i].x], 0), b = atomicAdd(&labels[edges[i].y], 0);
    if (a == b)
        return;
    atomicMin(&labels[edges[i].x], min(a, b));
    atomicMin(&labels[edges[i].y], min(a, b));
    atomicExch(changed, 1);
}

int main()
{
    int2 edges[EDGES], *d_edges;
    int labels[NODES], changed = 1, *d_labels, *d_changed;
    bool right = true;
    for (int i = 0; i < EDGES; i++) /* three chains: nodes 0, 3, 6 ..; 1, 4 ..; 2, 5 .. */
        edges[i] = make_int2(EDGES - 1 - i + 3, EDGES - 1 - i);
    for (int i = 0; i < NODES; i++)
        labels[i] = i;
    cudaMalloc(&d_edges, sizeof edges);
    cudaMalloc(&d_labels, sizeof labels);
    cudaMalloc(&d_changed, sizeof changed);
    cudaMemcpy(d_edges, edges, sizeof edges, cudaMemcpyHostToDevice);
    cudaMemcpy(d_labels, labels, sizeof labels, cudaMemcpyHostToDevice);
    while (changed) {
        cudaMemset(d_changed, 0, sizeof changed);
        spread_kernel<<<2, 32>>>(d_edges, d_labels, d_changed);
        cudaMemcpy(&changed, d_changed, sizeof changed, cudaMemcpyDeviceToHost);
    }
    cudaMemcpy(labels, d_labels, sizeof labels, cudaMemcpyDeviceToHost);
    for (int i = 0; i < NODES; i++)
        right = right && labels[i] == i % 3;
    cudaFree(d_edges);
    cudaFree(d_labels);
    cudaFree(d_changed);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
