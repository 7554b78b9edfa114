// expect: race-global
// The game of life, each generation in place: cells are counted while others already hold the
// next generation.
// Without BUG: two arrays.
#include <stdio.h>
#include <string.h>

#define W 24

__device__ __host__ int survives(const unsigned char *cells, int x, int y)
{
    int count = 0;
    for (int dy = -1; dy <= 1; dy++)
        for (int dx = -1; dx <= 1; dx++)
            if (dx != 0 || dy != 0)
                count += cells[(y + dy + W) % W * W + (x + dx + W) % W]; // EXPECTED
    return count == 3 || (count == 2 && cells[y * W + x]);
}

#ifdef BUG
__global__ void life_kernel(unsigned char *cells)
#else
__global__ void life_kernel(const unsigned char *cells, unsigned char *out)
#endif
{
    int x = blockIdx.x * 8 + threadIdx.x, y = blockIdx.y * 8 + threadIdx.y;
#ifdef BUG
    cells[y * W + x] = survives(cells, x, y); // EXPECTED
#else
    out[y * W + x] = survives(cells, x, y);
#endif
}

int main()
{
    unsigned char h[W * W], want[W * W], *d_now, *d_next;
    for (int i = 0; i < W * W; i++)
        h[i] = i * i % 7 < 3;
    cudaMalloc(&d_now, sizeof(h));
    cudaMalloc(&d_next, sizeof(h));
    cudaMemcpy(d_now, h, sizeof(h), cudaMemcpyHostToDevice);
    for (int g = 0; g < 2; g++) {
#ifdef BUG
        life_kernel<<<dim3(3, 3), dim3(8, 8)>>>(d_now);
        cudaMemcpy(d_next, d_now, sizeof(h), cudaMemcpyDeviceToDevice);
#else
        life_kernel<<<dim3(3, 3), dim3(8, 8)>>>(d_now, d_next);
        cudaMemcpy(d_now, d_next, sizeof(h), cudaMemcpyDeviceToDevice);
#endif
        for (int i = 0; i < W * W; i++)
            want[i] = survives(h, i % W, i / W);
        memcpy(h, want, sizeof(h));
    }
    cudaMemcpy(h, d_next, sizeof(h), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < W * W; i++)
        wrong += h[i] != want[i];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_now);
    cudaFree(d_next);
    return wrong != 0;
}
