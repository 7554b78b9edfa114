/* Kernels whose lanes part in loops, for the traffic model. What a warp asks for is counted by
 * hand: lanes that are in the same round at the same place make one request. x is at the beginning
 * of a sector of 8 floats; the blocks are one warp but where it says so. */
#include <cstdio>

/* Round j reads x[32] to x[31 + j] by its last j lanes: 31 requests, in 1 sector for 8 of the
 * rounds, in 2 for 8, in 3 for 8, in 4 for 7: 76. */
__global__ void edge(const float *x, float *y)
{
    const int lane = threadIdx.x;
    float sum = 0;
    for (int j = 0; j < 32; j++)
        if (lane + j >= 32)
            sum += x[lane + j];
    y[lane] = sum;
}

/* Lanes go round the inner loop 0 to n - 1 times: in each of n rounds n - 1 requests of 1 sector. */
__global__ void inner(const float *x, float *y, int n)
{
    const int lane = threadIdx.x;
    float sum = 0;
#pragma unroll
    for (int a = 0; a < n; a++)
        for (int b = 0; b < lane % n; b++)
            sum += x[8 * a + b];
    y[lane] = sum;
}

/* 0, 1, 2, .. from x on: `stop`, found in round `stop`. */
__device__ int find(const float *x, int stop)
{
    int i = 0;
    while (true) {
        if (x[i] >= stop)
            return i;
        i++;
    }
}

/* In each of 3 rounds 4 requests of 1 sector by find, whose lanes come back from different rounds,
 * then one of 4 sectors by all of them: 15 and 24. */
__global__ void returns(const float *x, float *y)
{
    const int lane = threadIdx.x;
    float sum = 0;
    for (int a = 0; a < 3; a++) {
        sum += find(x, lane % 4);
        sum += x[lane];
    }
    y[lane] = sum;
}

/* Two warps; in each of 3 rounds half of the lanes ask for 4 sectors, then, behind a barrier, all.
 */
__global__ void waits(const float *x, float *y)
{
    const int i = threadIdx.x;
    float sum = 0;
    for (int a = 0; a < 3; a++) {
        if (i % 2 == a % 2)
            sum += x[i];
        __syncthreads();
        sum += x[i];
    }
    y[i] = sum;
}

int main()
{
    float h[64], *x, *y;
    for (int i = 0; i < 64; i++)
        h[i] = i;
    cudaMalloc(&x, sizeof h);
    cudaMalloc(&y, sizeof h);
    cudaMemcpy(x, h, sizeof h, cudaMemcpyHostToDevice);
    edge<<<1, 32>>>(x, y);
    inner<<<1, 32>>>(x, y, 4);
    returns<<<1, 32>>>(x, y);
    waits<<<1, 64>>>(x, y);
    cudaFree(x);
    cudaFree(y);
    puts(cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
}
