// not in check mode
// A tree's nodes are numbered from the root down: each waits for its parent's number, which a thread
// of another block may give. Between two looks a block meets at a barrier, as tree codes on GPUs do,
// and threads without nodes left have ended.
#include <cstdio>

#include <cuda_runtime.h>

// start[k]: the number of node k in the order parent, left subtree, right subtree; -1 as long as it
// is not known. size[k]: the nodes of its subtree. Children of k are 2k + 1 and 2k + 2.
__global__ void number_kernel(int n, const int *size, volatile int *start)
{
    const int step = gridDim.x * blockDim.x;
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    while (k < n) {
        int number = start[k];
        if (number >= 0) {
            number++;
            for (int child = 2 * k + 1; child <= 2 * k + 2 && child < n; child++) {
                start[child] = number;
                number += size[child];
            }
            k += step;
        }
        __syncthreads();
    }
}

static int number_by_host(int n, const int *size, const int *start, int k, int number)
{
    if (k >= n)
        return 0;
    int wrong = start[k] != number++;
    wrong += number_by_host(n, size, start, 2 * k + 1, number);
    if (2 * k + 1 < n)
        number += size[2 * k + 1];
    return wrong + number_by_host(n, size, start, 2 * k + 2, number);
}

int main()
{
    const int n = 5000, blocks = 24, threads = 64;
    static int size[n], start[n];
    for (int k = n - 1; k >= 0; k--) {
        size[k] = 1;
        for (int child = 2 * k + 1; child <= 2 * k + 2 && child < n; child++)
            size[k] += size[child];
        start[k] = k == 0 ? 0 : -1;
    }
    int *d_size, *d_start;
    cudaMalloc(&d_size, sizeof size);
    cudaMalloc(&d_start, sizeof start);
    cudaMemcpy(d_size, size, sizeof size, cudaMemcpyHostToDevice);
    cudaMemcpy(d_start, start, sizeof start, cudaMemcpyHostToDevice);
    number_kernel<<<blocks, threads>>>(n, d_size, d_start);
    const cudaError_t error = cudaMemcpy(start, d_start, sizeof start, cudaMemcpyDeviceToHost);
    const int wrong = number_by_host(n, size, start, 0, 0);
    printf("%s, %d of %d numbers wrong\n", cudaGetErrorString(error), wrong, n);
    cudaFree(d_size);
    cudaFree(d_start);
    puts(error == cudaSuccess && wrong == 0 ? "PASS" : "FAIL");
    return error != cudaSuccess || wrong != 0;
}
