/* Points find the nearest of three centres, which move to the mean of theirs, until none moves. */
#include <cstdio>
#include <cuda_runtime.h>

#define POINTS  300
#define CENTRES 3

struct sums {
    int x, y, n;
};

__global__ void nearest_kernel(const int2 *points, const int2 *centres, sums *all)
{
    __shared__ sums s[CENTRES];
    if (threadIdx.x < CENTRES)
        s[threadIdx.x] = {0, 0, 0};
    __syncthreads();
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < POINTS) {
        int best = 0, least = 1 << 30;
        for (int c = 0; c < CENTRES; c++) {
            const int dx = points[i].x - centres[c].x, dy = points[i].y - centres[c].y;
            if (dx * dx + dy * dy < least) {
                least = dx * dx + dy * dy;
                best = c;
            }
        }
        atomicAdd(&s[best].x, points[i].x);
        atomicAdd(&s[best].y, points[i].y);
        atomicAdd(&s[best].n, 1);
    }
    __syncthreads();
    if (threadIdx.x < CENTRES) {
        atomicAdd(&all[threadIdx.x].x, s[threadIdx.x].x);
        atomicAdd(&all[threadIdx.x].y, s[threadIdx.x].y);
        atomicAdd(&all[threadIdx.x].n, s[threadIdx.x].n);
    }
}

__global__ void move_kernel(int2 *centres, const sums *all, int *moved)
{
    const int c = threadIdx.x;
    const int2 to = make_int2(all[c].x / all[c].n, all[c].y / all[c].n);
    if (to.x != centres[c].x || to.y != centres[c].y)
        atomicAdd(moved, 1);
    centres[c] = to;
}

int main()
{
    const int2 middle[CENTRES] = {{100, 100}, {900, 200}, {500, 800}};
    int2 points[POINTS], centres[CENTRES] = {{0, 0}, {999, 0}, {0, 999}}, *d_points, *d_centres;
    sums *d_all;
    int moved = 1, *d_moved;
    bool right = true;
    for (int i = 0; i < POINTS; i++) /* a square of ten by ten around each */
        points[i] =
            make_int2(middle[i % 3].x + i / 3 % 10 * 2 - 9, middle[i % 3].y + i / 30 * 2 - 9);
    cudaMalloc(&d_points, sizeof points);
    cudaMalloc(&d_centres, sizeof centres);
    cudaMalloc(&d_all, CENTRES * sizeof(sums));
    cudaMalloc(&d_moved, sizeof moved);
    cudaMemcpy(d_points, points, sizeof points, cudaMemcpyHostToDevice);
    cudaMemcpy(d_centres, centres, sizeof centres, cudaMemcpyHostToDevice);
    while (moved) {
        cudaMemset(d_all, 0, CENTRES * sizeof(sums));
        cudaMemset(d_moved, 0, sizeof moved);
        nearest_kernel<<<(POINTS + 127) / 128, 128>>>(d_points, d_centres, d_all);
        move_kernel<<<1, CENTRES>>>(d_centres, d_all, d_moved);
        cudaMemcpy(&moved, d_moved, sizeof moved, cudaMemcpyDeviceToHost);
    }
    cudaMemcpy(centres, d_centres, sizeof centres, cudaMemcpyDeviceToHost);
    for (int c = 0; c < CENTRES; c++)
        right = right && centres[c].x == middle[c].x && centres[c].y == middle[c].y;
    cudaFree(d_points);
    cudaFree(d_centres);
    cudaFree(d_all);
    cudaFree(d_moved);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
