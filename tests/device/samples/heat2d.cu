/* Heat on a plate: two-dimensional blocks with a halo in shared memory, two arrays in turn; the
 * tile and the number of steps are macros that the command line may set (-DTILE=8 -DSTEPS=3). */
#include <algorithm>
#include <cstdio>
#include <vector>
#include <cuda_runtime.h>

#ifndef TILE
#define TILE 16
#endif
#ifndef STEPS
#define STEPS 10
#endif

#define AT(a, x, y) (a)[(y)*W + (x)]

static constexpr int W = 70, H = 50;

__global__ void step(const float *in, float *out)
{
    __shared__ float t[TILE + 2][TILE + 2];
    const int x = blockIdx.x * TILE + threadIdx.x, y = blockIdx.y * TILE + threadIdx.y;
    const int tx = threadIdx.x + 1, ty = threadIdx.y + 1;
    const int cx = min(x, W - 1), cy = min(y, H - 1);

    t[ty][tx] = AT(in, cx, cy);
    if (threadIdx.x == 0)
        t[ty][0] = AT(in, max(cx - 1, 0), cy);
    if (threadIdx.x == TILE - 1)
        t[ty][TILE + 1] = AT(in, min(cx + 1, W - 1), cy);
    if (threadIdx.y == 0)
        t[0][tx] = AT(in, cx, max(cy - 1, 0));
    if (threadIdx.y == TILE - 1)
        t[TILE + 1][tx] = AT(in, cx, min(cy + 1, H - 1));
    __syncthreads();
    if (x < W && y < H)
        AT(out, x, y) = t[ty][tx] + 0.125f * (t[ty][tx - 1] + t[ty][tx + 1] + t[ty - 1][tx] +
                                              t[ty + 1][tx] - 4 * t[ty][tx]);
}

int main()
{
    std::vector<float> a(W * H, 0.f), b(W * H), got(W * H);
    float *d_in, *d_out;
    int wrong = 0;

    for (int k = 20; k < 40; k++)
        AT(a, k, k) = 1024;
    cudaMalloc(&d_in, a.size() * sizeof(float));
    cudaMalloc(&d_out, a.size() * sizeof(float));
    cudaMemcpy(d_in, a.data(), a.size() * sizeof(float), cudaMemcpyHostToDevice);
    const dim3 block{TILE, TILE}, grid{(W + TILE - 1) / TILE, (H + TILE - 1) / TILE};
    for (int s = 0; s < STEPS; s++) {
        step<<<grid, block>>>(d_in, d_out);
        std::swap(d_in, d_out);
    }
    cudaMemcpy(got.data(), d_in, a.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (int s = 0; s < STEPS; s++) {
        for (int y = 0; y < H; y++)
            for (int x = 0; x < W; x++) {
                float left = AT(a, std::max(x - 1, 0), y), right = AT(a, std::min(x + 1, W - 1), y);
                float up = AT(a, x, std::max(y - 1, 0)), down = AT(a, x, std::min(y + 1, H - 1));
                AT(b, x, y) = AT(a, x, y) + 0.125f * (left + right + up + down - 4 * AT(a, x, y));
            }
        std::swap(a, b);
    }
    for (int i = 0; i < W * H; i++)
        wrong += !(got[i] - a[i] < 1e-3f && a[i] - got[i] < 1e-3f);
    printf("tile %d, %d steps: %s, %d wrong\n", TILE, STEPS, wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_in);
    cudaFree(d_out);
    return wrong != 0;
}
