/* Shuffles and votes where all lanes come: in a row, in loops, of several types and widths, in a
 * block whose last warp is half one, and beside barriers and shared memory. */
#include <cstdio>

enum { X = 16, Y = 3, N = X * Y, BLOCKS = 4, ROUNDS = 3 };

struct result {
    int value, first, turned;
    unsigned odd, votes;
    double halves;
    long long wide;
};

__global__ void exchange(const int *x, result *y, int width)
{
    const int t = threadIdx.y * blockDim.x + threadIdx.x, i = blockIdx.x * N + t;
    const unsigned here = t < 32 ? 0xffffffff : 0xffff;
    int v = x[i];
    v += __shfl_up_sync(here, v, 3, width);
    v ^= __shfl_down_sync(here, v, 2, width) + 1;
    v = max(v, __shfl_xor_sync(here, v, 5, width));
    const int first = __shfl_sync(here, v, 1, width);
    const int turned = __shfl_sync(here, v + t, t + 7, width);
    unsigned odd = __ballot_sync(here, v & 1);
    const int some = __any_sync(here, v > 90);
    const int every = __all_sync(0xffffffff, v > -10);
    __syncwarp(here);
    for (int d = 1; d < width; d *= 2)
        v += __shfl_xor_sync(here, v, d, width);
    double halves = v * 0.5 + t;
    for (int round = 0; round < ROUNDS; round++) {
        halves += __shfl_up_sync(here, halves, 1, width);
        if (t % 3 == 0)
            halves -= round;
    }
    long long wide = (1LL << 40) * t;
    wide -= __shfl_down_sync(here, wide, 1, width);
    y[i] = {v, first, turned, odd, some * 2u + every, halves, wide};
}

/* A sum a block: warps, then the first warp's lanes of what each warp has left. */
__global__ void sums(const int *x, int *y)
{
    __shared__ int of_warps[32];
    const int t = threadIdx.x;
    int v = x[blockIdx.x * blockDim.x + t];
#pragma unroll
    for (int d = warpSize / 2; d > 0; d /= 2)
        v += __shfl_down_sync(0xffffffff, v, d);
    if (t % 32 == 0)
        of_warps[t / 32] = v;
    __syncthreads();
    v = t % 32 < blockDim.x / 32 ? of_warps[t % 32] : 0;
    for (int d = 16; d > 0; d /= 2) {
        int other = __shfl_down_sync(0xffffffff, v, d);
        v += other;
    }
    if (t == 0)
        y[blockIdx.x] = v;
}

/* The thread that thread t reads; `wanted` within the segment counts, else t itself. */
static int source(int t, int wanted, int width)
{
    return wanted >= 0 && wanted < width ? t - t % width + wanted : t;
}

static void block_of(const int *x, result *y, int width)
{
    int v[N], u[N];
    double h[N], g[N];
    for (int t = 0; t < N; t++)
        u[t] = x[t] + x[source(t, t % width - 3, width)];
    for (int t = 0; t < N; t++)
        v[t] = u[t] ^ (u[source(t, t % width + 2, width)] + 1);
    for (int t = 0; t < N; t++) {
        const int other = (t % 32) ^ 5;
        const bool reached = other < t % 32 - t % width + width;
        const int w = v[reached ? t - t % 32 + other : t];
        u[t] = v[t] > w ? v[t] : w;
    }
    for (int t = 0; t < N; t++) {
        const int end = t < 32 ? 32 : N;
        unsigned odd = 0, some = 0, every = 1;
        for (int k = t / 32 * 32; k < end; k++) {
            odd |= (unsigned)(u[k] & 1) << k % 32;
            some |= u[k] > 90;
            every &= u[k] > -10;
        }
        y[t].odd = odd;
        y[t].votes = some * 2 + every;
        y[t].first = u[t - t % width + 1 % width];
        const int from = t - t % width + (t + 7) % width;
        y[t].turned = u[from] + from;
        y[t].value = 0;
        for (int k = 0; k < width; k++)
            y[t].value += u[t - t % width + k];
        h[t] = y[t].value * 0.5 + t;
        y[t].wide = (1LL << 40) * (t - source(t, t % width + 1, width));
    }
    for (int round = 0; round < ROUNDS; round++) {
        for (int t = 0; t < N; t++)
            g[t] = h[t] + h[source(t, t % width - 1, width)];
        for (int t = 0; t < N; t++)
            h[t] = g[t] - (t % 3 == 0 ? round : 0);
    }
    for (int t = 0; t < N; t++)
        y[t].halves = h[t];
}

static bool same(const result &a, const result &b)
{
    return a.value == b.value && a.first == b.first && a.turned == b.turned && a.odd == b.odd &&
           a.votes == b.votes && a.halves == b.halves && a.wide == b.wide;
}

int main()
{
    static int x[BLOCKS * 256], got[BLOCKS];
    static result y[BLOCKS * N], expected[N];
    int *d_x, *d_sums, wrong = 0;
    result *d_y;
    for (int i = 0; i < BLOCKS * 256; i++)
        x[i] = i * 37 % 101 - 20;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMalloc(&d_sums, sizeof got);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    for (int width = 1; width <= 16; width *= 2) {
        exchange<<<BLOCKS, dim3(X, Y)>>>(d_x, d_y, width);
        cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
        int differ = 0;
        for (int b = 0; b < BLOCKS; b++) {
            block_of(x + b * N, expected, width);
            for (int t = 0; t < N; t++)
                differ += !same(y[b * N + t], expected[t]);
        }
        if (differ)
            printf("exchange, width %d: %d differ\n", width, differ);
        wrong += differ;
    }
    sums<<<BLOCKS, 256>>>(d_x, d_sums);
    cudaMemcpy(got, d_sums, sizeof got, cudaMemcpyDeviceToHost);
    for (int b = 0; b < BLOCKS; b++) {
        int sum = 0;
        for (int t = 0; t < 256; t++)
            sum += x[b * 256 + t];
        if (sum != got[b])
            printf("sums, block %d: %d, expected %d\n", b, got[b], sum), wrong++;
    }
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_sums);
    printf(wrong ? "FAIL\n" : "PASS\n");
    return wrong != 0;
}
