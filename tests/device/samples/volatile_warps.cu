// reported: race-shared
/* Old code for warps without barriers: volatile shared memory, lanes in step. Right only where lanes
 * take turns (a GPU before Volta; later ones in practice): the checker reports each of these races. */
#include <cstdio>
#include <cuda_runtime.h>

#define LANES 32
#define WARPS 2

/* By a pointer, as in the first slides on reductions. */
template <typename T> __device__ void warp_sum(volatile T *s, int lane)
{
    if (lane < 16) {
        s[lane] += s[lane + 16];
        s[lane] += s[lane + 8];
        s[lane] += s[lane + 4];
        *(s + lane) += *(s + lane + 2);
        s[lane] += s[lane + 1];
    }
}

/* An inclusive scan: lane 0 has nothing to add, and reads the end when all others are through. */
__device__ int warp_scan(volatile int *s, int lane)
{
    for (int d = 1; d < LANES; d *= 2)
        if (lane >= d)
            s[lane] += s[lane - d];
    int all = s[LANES - 1];
    return all;
}

__global__ void sums(const int *x, int *y, float *z)
{
    volatile __shared__ int ints[WARPS][LANES];
    __shared__ float floats[WARPS * LANES];
    int warp = threadIdx.x / LANES, lane = threadIdx.x % LANES;

    ints[warp][lane] = x[threadIdx.x];
    floats[threadIdx.x] = (float)x[threadIdx.x];
    warp_sum(floats + warp * LANES, lane);
    int all = warp_scan(ints[warp], lane);
    y[threadIdx.x] = ints[warp][lane];
    if (lane == 0) {
        y[WARPS * LANES + warp] = all;
        z[warp] = floats[warp * LANES];
    }
}

/* Rotation through two rows: what is read is what the neighbour has just written. */
__global__ void rotate(int *x)
{
    __shared__ volatile int row[LANES];
    int t = threadIdx.x;
    row[t] = x[t];
    for (int round = 0; round < 5; round++)
        row[t] = row[(t + 1) % LANES];
    x[t] = row[t];
}

int main()
{
    const int n = WARPS * LANES;
    int h_x[n], h_y[n + WARPS], *d_x, *d_y;
    float h_z[WARPS], *d_z;
    bool right = true;

    for (int i = 0; i < n; i++)
        h_x[i] = i * 7 % 31;
    cudaMalloc(&d_x, sizeof h_x);
    cudaMalloc(&d_y, sizeof h_y);
    cudaMalloc(&d_z, sizeof h_z);
    cudaMemcpy(d_x, h_x, sizeof h_x, cudaMemcpyHostToDevice);
    sums<<<1, n>>>(d_x, d_y, d_z);
    cudaMemcpy(h_y, d_y, sizeof h_y, cudaMemcpyDeviceToHost);
    cudaMemcpy(h_z, d_z, sizeof h_z, cudaMemcpyDeviceToHost);
    for (int w = 0; w < WARPS; w++) {
        int sum = 0;
        for (int i = w * LANES; i < (w + 1) * LANES; i++) {
            sum += h_x[i];
            right = right && h_y[i] == sum;
        }
        right = right && h_y[n + w] == sum && h_z[w] == (float)sum;
    }

    rotate<<<1, LANES>>>(d_x);
    cudaMemcpy(h_y, d_x, LANES * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < LANES; i++)
        right = right && h_y[i] == h_x[(i + 5) % LANES];
    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");

    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_z);
    return right ? 0 : 1;
}
