/* Threads take work from a queue by an atomic counter and add to it, until all is done. */
#include <cstdio>
#include <cuda_runtime.h>

#define ROOM 4096

/* A piece of work is a number; one above 1 leaves its two halves. */
__global__ void work_kernel(int *queue, int first, int last, int *end, int *done)
{
    __shared__ int next;
    if (threadIdx.x == 0)
        next = first;
    __syncthreads();
    for (int i = atomicAdd(&next, 1); i < last; i = atomicAdd(&next, 1)) {
        const int n = queue[i];
        if (n == 1) {
            atomicAdd(done, 1);
        } else {
            const int place = atomicAdd(end, 2);
            queue[place] = n / 2;
            queue[place + 1] = n - n / 2;
        }
    }
}

int main()
{
    int first = 0, last = 1, done, rounds = 0, *d_queue, *d_end, *d_done;
    const int work = 1000;
    cudaMalloc(&d_queue, ROOM * sizeof(int));
    cudaMalloc(&d_end, sizeof(int));
    cudaMalloc(&d_done, sizeof(int));
    cudaMemcpy(d_queue, &work, sizeof work, cudaMemcpyHostToDevice);
    cudaMemcpy(d_end, &last, sizeof last, cudaMemcpyHostToDevice);
    cudaMemset(d_done, 0, sizeof(int));
    while (first < last) {
        work_kernel<<<1, 64>>>(d_queue, first, last, d_end, d_done);
        first = last;
        cudaMemcpy(&last, d_end, sizeof last, cudaMemcpyDeviceToHost);
        rounds++;
    }
    cudaMemcpy(&done, d_done, sizeof done, cudaMemcpyDeviceToHost);
    const bool right = done == 1000 && last == 1999 && rounds == 11;
    cudaFree(d_queue);
    cudaFree(d_end);
    cudaFree(d_done);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
