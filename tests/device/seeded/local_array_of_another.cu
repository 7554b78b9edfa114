// expect: host-pointer
// A thread's own array is used by others, through a pointer in shared memory.
// Without BUG: the pointer is that of a shared array.
#include <stdio.h>

#define THREADS 64

__global__ void broadcast_kernel(const int *x, int *y)
{
    __shared__ int *first;
    int mine[4];
    for (int k = 0; k < 4; k++)
        mine[k] = x[4 * threadIdx.x + k];
#ifdef BUG
    if (threadIdx.x == 0)
        first = mine;
#else
    __shared__ int copy[4];
    if (threadIdx.x == 0) {
        for (int k = 0; k < 4; k++)
            copy[k] = mine[k];
        first = copy;
    }
#endif
    __syncthreads();
    y[threadIdx.x] = first[threadIdx.x % 4] + mine[threadIdx.x % 4]; // EXPECTED
}

int main()
{
    int x[4 * THREADS], y[THREADS], *d_x, *d_y, bad = 0;
    for (int i = 0; i < 4 * THREADS; i++)
        x[i] = i * i % 17;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    broadcast_kernel<<<1, THREADS>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < THREADS; i++)
        bad += y[i] != x[i % 4] + x[4 * i + i % 4];
    printf("%s: %d wrong\n", bad ? "FAIL" : "PASS", bad);
    cudaFree(d_x);
    cudaFree(d_y);
    return bad != 0;
}
