/* A glider on a torus comes back, one field down and right, every four generations. */
#include <cstdio>
#include <cuda_runtime.h>

#define SIDE 16

__global__ void generation_kernel(const unsigned char *now, unsigned char *next)
{
    const int x = threadIdx.x, y = threadIdx.y;
    int alive = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx || dy)
                alive += now[(y + dy + SIDE) % SIDE * SIDE + (x + dx + SIDE) % SIDE];
    next[y * SIDE + x] = alive == 3 || (alive == 2 && now[y * SIDE + x]);
}

int main()
{
    unsigned char field[SIDE][SIDE] = {}, end[SIDE][SIDE], *d_now, *d_next;
    const int glider[5][2] = {{0, 1}, {1, 2}, {2, 0}, {2, 1}, {2, 2}};
    bool right = true;
    for (int i = 0; i < 5; i++)
        field[glider[i][0]][glider[i][1]] = 1;
    cudaMalloc(&d_now, sizeof field);
    cudaMalloc(&d_next, sizeof field);
    cudaMemcpy(d_now, field, sizeof field, cudaMemcpyHostToDevice);
    for (int i = 0; i < 4 * 20; i++) {
        generation_kernel<<<1, dim3(SIDE, SIDE)>>>(d_now, d_next);
        unsigned char *other = d_now;
        d_now = d_next;
        d_next = other;
    }
    cudaMemcpy(end, d_now, sizeof end, cudaMemcpyDeviceToHost);
    for (int y = 0; y < SIDE; y++)
        for (int x = 0; x < SIDE; x++)
            right = right && end[(y + 20) % SIDE][(x + 20) % SIDE] == field[y][x];
    cudaFree(d_now);
    cudaFree(d_next);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
