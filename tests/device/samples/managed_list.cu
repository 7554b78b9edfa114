/* A linked list in managed memory, made by the host and walked by a kernel. */
#include <cstdio>
#include <cuda_runtime.h>

struct node {
    int value;
    node *next;
};

__global__ void sum_kernel(const node *first, int *sum)
{
    int s = 0;
    for (const node *n = first; n; n = n->next)
        s += n->value;
    *sum = s;
}

__global__ void double_kernel(node *first)
{
    int k = 0;
    for (node *n = first; n; n = n->next, k++)
        if (k % blockDim.x == threadIdx.x)
            n->value *= 2;
}

int main()
{
    node *first = NULL;
    int *sum;
    cudaMallocManaged(&sum, sizeof *sum);
    for (int i = 1; i <= 20; i++) {
        node *n;
        cudaMallocManaged(&n, sizeof *n);
        n->value = i;
        n->next = first;
        first = n;
    }
    double_kernel<<<1, 8>>>(first);
    sum_kernel<<<1, 1>>>(first, sum);
    cudaDeviceSynchronize();
    bool right = *sum == 420 && first->value == 40;
    while (first) {
        node *next = first->next;
        cudaFree(first);
        first = next;
    }
    cudaFree(sum);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
