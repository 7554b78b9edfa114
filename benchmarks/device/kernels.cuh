/* The kernels of bench.cu: each makes y of x and w. */
enum { N = 1 << 20, RADIUS = 4, BLOCK = 256, SIDE = 1024, TILE = 16, HALF = 2, STEPS = 64 };
enum { BINS = 256, FULL = 0xffffffff, ROUNDS = 4, SHORT = N - 3 * BLOCK };
namespace cg = cooperative_groups;

__global__ void naive_kernel(const float *x, const float *w, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float sum = 0;
    for (int j = -RADIUS; j <= RADIUS; j++)
        if (i + j >= 0 && i + j < n)
            sum += w[j + RADIUS] * x[i + j];
    y[i] = sum;
}

__global__ void tiled_kernel(const float *x, const float *w, float *y, int n)
{
    __shared__ float tile[BLOCK + 2 * RADIUS];
    const int i = blockIdx.x * BLOCK + threadIdx.x, t = threadIdx.x;
    tile[t + RADIUS] = i < n ? x[i] : 0;
    if (t < RADIUS) {
        tile[t] = i >= RADIUS ? x[i - RADIUS] : 0;
        tile[t + BLOCK + RADIUS] = i + BLOCK < n ? x[i + BLOCK] : 0;
    }
    __syncthreads();
    if (i >= n)
        return;
    float sum = 0;
    for (int j = 0; j <= 2 * RADIUS; j++)
        sum += w[j] * tile[t + j];
    y[i] = sum;
}

__global__ void tiled2d_kernel(const float *x, const float *w, float *y, int side)
{
    __shared__ float tile[TILE + 2 * HALF][TILE + 2 * HALF];
    const int row = blockIdx.y * TILE, column = blockIdx.x * TILE;
    for (int p = threadIdx.y; p < TILE + 2 * HALF; p += TILE)
        for (int q = threadIdx.x; q < TILE + 2 * HALF; q += TILE) {
            const int a = row + p - HALF, b = column + q - HALF;
            tile[p][q] = a >= 0 && a < side && b >= 0 && b < side ? x[a * side + b] : 0;
        }
    __syncthreads();
    float sum = 0;
    for (int p = 0; p <= 2 * HALF; p++)
        for (int q = 0; q <= 2 * HALF; q++)
            sum += w[p * (2 * HALF + 1) + q] * tile[threadIdx.y + p][threadIdx.x + q];
    y[(row + threadIdx.y) * side + column + threadIdx.x] = sum;
}

/* STEPS barriers and little else. */
__global__ void barriers_kernel(const float *x, const float *w, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    float v = i < n ? x[i] : 0;
    for (int s = 0; s < STEPS; s++) {
        v += w[0];
        __syncthreads();
    }
    if (i < n)
        y[i] = v;
}

__global__ void saxpy_kernel(const float *x, const float *w, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = w[0] * x[i] + w[1];
}

/* One step of the heat equation. */
__global__ void heat_kernel(const float *x, const float *w, float *y, int side)
{
    const int k = blockIdx.x * blockDim.x + threadIdx.x, i = blockIdx.y * blockDim.y + threadIdx.y;
    const int at = i * side + k;
    if (i == 0 || k == 0 || i == side - 1 || k == side - 1)
        y[at] = x[at];
    else
        y[at] = x[at] + w[0] * (x[at - side] + x[at + side] + x[at - 1] + x[at + 1] - 4 * x[at]);
}

/* A sum a block, by halves. */
__global__ void reduce_kernel(const float *x, const float *, float *y, int n)
{
    __shared__ float sums[BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x, t = threadIdx.x;
    sums[t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int s = BLOCK / 2; s > 0; s >>= 1) {
        if (t < s)
            sums[t] += sums[t + s];
        __syncthreads();
    }
    if (t == 0)
        y[blockIdx.x] = sums[0];
}

/* A sum a warp. */
__global__ void shuffle_kernel(const float *x, const float *, float *y, int n)
{
    const int i = blockIdx.x * BLOCK + threadIdx.x;
    float sum = i < n ? x[i] : 0;
    for (int d = 16; d > 0; d >>= 1)
        sum += __shfl_down_sync(FULL, sum, d);
    if (threadIdx.x % 32 == 0)
        y[i / 32] = sum;
}

__host__ __device__ static int bin_of(float x)
{
    const int b = (int)((x + 0.5f) * BINS);
    return b < 0 ? 0 : b >= BINS ? BINS - 1 : b;
}

/* Counts a block in shared memory, then in y. */
__global__ void histogram_kernel(const float *x, const float *, float *y, int n)
{
    __shared__ unsigned counts[BINS];
    counts[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * BLOCK + threadIdx.x; i < n; i += gridDim.x * BLOCK)
        atomicAdd(&counts[bin_of(x[i])], 1);
    __syncthreads();
    y[blockIdx.x * BINS + threadIdx.x] = counts[threadIdx.x];
}

/* Sums from the block's begin on: steps of 1, 2, 4 .., two arrays in turn. */
__global__ void scan_kernel(const float *x, const float *, float *y, int n)
{
    __shared__ float sums[2][BLOCK];
    const int i = blockIdx.x * BLOCK + threadIdx.x, t = threadIdx.x;
    int now = 0;
    sums[now][t] = i < n ? x[i] : 0;
    __syncthreads();
    for (int d = 1; d < BLOCK; d *= 2) {
        sums[1 - now][t] = sums[now][t] + (t >= d ? sums[now][t - d] : 0);
        now = 1 - now;
        __syncthreads();
    }
    if (i < n)
        y[i] = sums[now][t];
}

/* A sum a block: of each warp by shuffles, then of these by the first warp. */
__global__ void warps_kernel(const float *x, const float *, float *y, int n)
{
    __shared__ float part[32];
    const int i = blockIdx.x * BLOCK + threadIdx.x, lane = threadIdx.x % 32,
              warp = threadIdx.x / 32;
    float v = i < n ? x[i] : 0;
    for (int o = 16; o > 0; o >>= 1)
        v += __shfl_down_sync(FULL, v, o);
    if (lane == 0)
        part[warp] = v;
    __syncthreads();
    if (warp == 0) {
        v = lane < BLOCK / 32 ? part[lane] : 0;
        for (int o = 16; o > 0; o >>= 1)
            v += __shfl_down_sync(FULL, v, o);
        if (lane == 0)
            y[blockIdx.x] = v;
    }
}

/* The same by halves, which wait as a group. */
__global__ void group_kernel(const float *x, const float *, float *y, int n)
{
    cg::thread_block all = cg::this_thread_block();
    __shared__ float sums[BLOCK];
    const unsigned i = blockIdx.x * BLOCK + threadIdx.x, t = threadIdx.x;
    sums[t] = i < n ? x[i] : 0;
    cg::sync(all);
    for (unsigned d = BLOCK / 2; d > 0; d >>= 1) {
        if (t < d)
            sums[t] += sums[t + d];
        cg::sync(all);
    }
    if (t == 0)
        y[blockIdx.x] = sums[0];
}

/* A mean of three through shared memory; threads behind the end return before the barrier. */
__global__ void early_kernel(const float *x, const float *, float *y, int n)
{
    __shared__ float tile[BLOCK + 2];
    const int i = blockIdx.x * BLOCK + threadIdx.x, t = threadIdx.x + 1;
    if (i >= n)
        return;
    tile[t] = x[i];
    if (t == 1)
        tile[0] = i > 0 ? x[i - 1] : 0;
    if (t == BLOCK || i == n - 1)
        tile[t + 1] = i + 1 < n ? x[i + 1] : 0;
    __syncthreads();
    y[i] = (tile[t - 1] + tile[t] + tile[t + 1]) / 3;
}

/* ROUNDS steps of the heat equation in a tile that gets smaller; the last one leaves the loop. */
__global__ void pyramid_kernel(const float *x, const float *w, float *y, int side)
{
    __shared__ float a[TILE][TILE], b[TILE][TILE];
    const int q = threadIdx.x, p = threadIdx.y;
    const int at = (blockIdx.y * TILE + p) * side + blockIdx.x * TILE + q;
    a[p][q] = x[at];
    __syncthreads();
    bool computed;
    for (int k = 1; k <= ROUNDS; k++) {
        computed = false;
        if (q >= k && q < TILE - k && p >= k && p < TILE - k) {
            computed = true;
            b[p][q] = a[p][q] +
                      w[0] * (a[p - 1][q] + a[p + 1][q] + a[p][q - 1] + a[p][q + 1] - 4 * a[p][q]);
        }
        __syncthreads();
        if (k == ROUNDS)
            break;
        if (computed)
            a[p][q] = b[p][q];
        __syncthreads();
    }
    y[at] = computed ? b[p][q] : 0;
}
