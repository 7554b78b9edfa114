// expect: race-shared
// The first lane of a warp fetches work for all of its lanes through shared memory, and they do
// not wait for it.
// Without BUG: __syncwarp after the fetch and at the end of the round.
#include <stdio.h>

#define N       640
#define THREADS 64

__global__ void square_kernel(const int *x, int *y, int *next)
{
    __shared__ int start[THREADS / 32];
    int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    while (true) {
        if (lane == 0)
            start[warp] = atomicAdd(next, 32); // EXPECTED
#ifndef BUG
        __syncwarp();
#endif
        int i = start[warp] + lane; // EXPECTED
        if (i >= N)
            break;
        y[i] = x[i] * x[i];
#ifndef BUG
        __syncwarp();
#endif
    }
}

int main()
{
    int x[N], y[N], *d_x, *d_y, *d_next, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i - 300;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMalloc(&d_next, sizeof(int));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemset(d_next, 0, sizeof(int));
    square_kernel<<<2, THREADS>>>(d_x, d_y, d_next);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != x[i] * x[i];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_next);
    return wrong != 0;
}
