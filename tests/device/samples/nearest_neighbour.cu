/* For each point the nearest other one, tile by tile through shared memory. */
#include <cstdio>
#include <cuda_runtime.h>

#define N    200
#define TILE 32

__global__ void nearest_kernel(const float3 *points, int *nearest)
{
    __shared__ float3 tile[TILE];
    const int i = blockIdx.x * TILE + threadIdx.x;
    const float3 own = i < N ? points[i] : make_float3(0, 0, 0);
    float least = 1e30f;
    int best = -1;
    for (int first = 0; first < N; first += TILE) {
        if (first + threadIdx.x < N)
            tile[threadIdx.x] = points[first + threadIdx.x];
        __syncthreads();
        for (int k = 0; k < TILE && first + k < N; k++) {
            const float dx = own.x - tile[k].x, dy = own.y - tile[k].y, dz = own.z - tile[k].z;
            const float d = dx * dx + dy * dy + dz * dz;
            if (first + k != i && d < least) {
                least = d;
                best = first + k;
            }
        }
        __syncthreads();
    }
    if (i < N)
        nearest[i] = best;
}

int main()
{
    static float3 p[N];
    float3 *d_p;
    int nearest[N], *d_nearest;
    bool right = true;
    for (int i = 0; i < N; i++) /* pairs: 2k and 2k + 1 are close */
        p[i] = make_float3(i / 2 * 10.f, i % 2 * 1.f, 3);
    cudaMalloc(&d_p, sizeof p);
    cudaMalloc(&d_nearest, sizeof nearest);
    cudaMemcpy(d_p, p, sizeof p, cudaMemcpyHostToDevice);
    nearest_kernel<<<(N + TILE - 1) / TILE, TILE>>>(d_p, d_nearest);
    cudaMemcpy(nearest, d_nearest, sizeof nearest, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        right = right && nearest[i] == (i ^ 1);
    cudaFree(d_p);
    cudaFree(d_nearest);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
