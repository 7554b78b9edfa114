/* The CPU device beside a serial loop: benchmarks/device/run builds this program in run and in
 * check mode and makes the table. `bench ROUNDS [NO-SERIAL]` prints `CASE,CONTESTANT,SECONDS` for
 * each round: the same loops, the same flags, every output compared. */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

enum { N = 1 << 20, RADIUS = 4, BLOCK = 256, SIDE = 1024, TILE = 16, HALF = 2, STEPS = 64 };
enum { BINS = 256, FULL = 0xffffffff };

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

static void serial_1d(const float *x, const float *w, float *y, int n)
{
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = -RADIUS; j <= RADIUS; j++)
            if (i + j >= 0 && i + j < n)
                sum += w[j + RADIUS] * x[i + j];
        y[i] = sum;
    }
}

static void serial_2d(const float *x, const float *w, float *y, int side)
{
    for (int i = 0; i < side; i++)
        for (int k = 0; k < side; k++) {
            float sum = 0;
            for (int p = -HALF; p <= HALF; p++)
                for (int q = -HALF; q <= HALF; q++)
                    if (i + p >= 0 && i + p < side && k + q >= 0 && k + q < side)
                        sum +=
                            w[(p + HALF) * (2 * HALF + 1) + q + HALF] * x[(i + p) * side + k + q];
            y[i * side + k] = sum;
        }
}

static void serial_barriers(const float *x, const float *w, float *y, int n)
{
    for (int i = 0; i < n; i++) {
        y[i] = x[i];
        for (int s = 0; s < STEPS; s++)
            y[i] += w[0];
    }
}

static void serial_saxpy(const float *x, const float *w, float *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = w[0] * x[i] + w[1];
}

static void serial_heat(const float *x, const float *w, float *y, int side)
{
    for (int i = 0; i < side; i++)
        for (int k = 0; k < side; k++) {
            const int at = i * side + k;
            if (i == 0 || k == 0 || i == side - 1 || k == side - 1)
                y[at] = x[at];
            else
                y[at] = x[at] +
                        w[0] * (x[at - side] + x[at + side] + x[at - 1] + x[at + 1] - 4 * x[at]);
        }
}

/* As threads of the kernels add: by halves. */
static void serial_sums(const float *x, float *y, int n, int group)
{
    float sums[BLOCK];
    for (int i = 0; i < n; i += group) {
        for (int t = 0; t < group; t++)
            sums[t] = x[i + t];
        for (int s = group / 2; s > 0; s >>= 1)
            for (int t = 0; t < s; t++)
                sums[t] += sums[t + s];
        y[i / group] = sums[0];
    }
}

static void serial_reduce(const float *x, const float *, float *y, int n)
{
    serial_sums(x, y, n, BLOCK);
}

static void serial_shuffle(const float *x, const float *, float *y, int n)
{
    serial_sums(x, y, n, 32);
}

static void serial_histogram(const float *x, const float *, float *y, int n)
{
    const int blocks = n / BLOCK / 16;
    for (int b = 0; b < blocks; b++) {
        unsigned counts[BINS] = {0};
        for (int i = b * BLOCK; i < n; i += blocks * BLOCK)
            for (int t = 0; t < BLOCK; t++)
                counts[bin_of(x[i + t])]++;
        for (int k = 0; k < BINS; k++)
            y[b * BINS + k] = counts[k];
    }
}

static void serial_scan(const float *x, const float *, float *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = i % BLOCK ? y[i - 1] + x[i] : x[i];
}

typedef void function(const float *, const float *, float *, int);

struct work {
    const char *name;
    function *serial, *kernel;
    int n, outputs; /* the last argument, and how many numbers of y it makes */
    dim3 grid, block;
};

static const work works[] = {
    {"naive", serial_1d, naive_kernel, N, N, N / BLOCK, BLOCK},
    {"tiled", serial_1d, tiled_kernel, N, N, N / BLOCK, BLOCK},
    {"tiled2d", serial_2d, tiled2d_kernel, SIDE, N, dim3(SIDE / TILE, SIDE / TILE),
     dim3(TILE, TILE)},
    {"saxpy", serial_saxpy, saxpy_kernel, N, N, N / BLOCK, BLOCK},
    {"heat", serial_heat, heat_kernel, SIDE, N, dim3(SIDE / 32, SIDE / 8), dim3(32, 8)},
    {"reduce", serial_reduce, reduce_kernel, N, N / BLOCK, N / BLOCK, BLOCK},
    {"shuffle", serial_shuffle, shuffle_kernel, N, N / 32, N / BLOCK, BLOCK},
    {"histogram", serial_histogram, histogram_kernel, N, N / 16, N / BLOCK / 16, BLOCK},
    {"scan", serial_scan, scan_kernel, N, N, N / BLOCK, BLOCK},
    {"barriers", serial_barriers, barriers_kernel, N / 16, N / 16, N / 16 / BLOCK, BLOCK},
};

/* Of one worker the processor's seconds: what else the machine does counts less. */
static double now()
{
    static const char *const workers = getenv("OMP_NUM_THREADS");
    timespec t;
    clock_gettime(workers && atoi(workers) == 1 ? CLOCK_PROCESS_CPUTIME_ID : CLOCK_MONOTONIC, &t);
    return t.tv_sec + 1e-9 * t.tv_nsec;
}

static bool same(const std::vector<float> &got, const std::vector<float> &expected)
{
    for (size_t i = 0; i < got.size(); i++)
        if (!(fabsf(got[i] - expected[i]) <= 1e-4f * (1 + fabsf(expected[i]))))
            return false;
    return true;
}

/* One round of a case: the loop, the launch, and whether they agree. */
static bool round_of(const work &c, const float *d_x, const float *d_w, float *d_y,
                     const std::vector<float> &x, const std::vector<float> &w)
{
    static std::vector<float> y(N), got(N);
    const size_t n = c.outputs;
    y.assign(n, NAN);
    got.resize(n);
    cudaMemset(d_y, 0xff, n * sizeof(float));
    function *volatile serial = c.serial; /* one copy of the loop, whatever its arguments */
    const double begin = now();
    serial(x.data(), w.data(), y.data(), c.n);
    const double middle = now();
    c.kernel<<<c.grid, c.block>>>(d_x, d_w, d_y, c.n);
    cudaDeviceSynchronize();
    const double end = now();
    cudaMemcpy(got.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    printf("%s,serial,%.9f\n%s,device,%.9f\n", c.name, middle - begin, c.name, end - middle);
    return same(got, y);
}

int main(int argc, char **argv)
{
    const int rounds = argc > 1 ? atoi(argv[1]) : 1;
    std::vector<float> x(N), w((2 * HALF + 1) * (2 * HALF + 1));
    for (float &v : x)
        v = rand() / (float)RAND_MAX - 0.5f;
    for (float &v : w)
        v = rand() / (float)RAND_MAX - 0.5f;
    float *d_x, *d_w, *d_y;
    cudaMalloc(&d_x, N * sizeof(float));
    cudaMalloc(&d_y, N * sizeof(float));
    cudaMalloc(&d_w, w.size() * sizeof(float));
    cudaMemcpy(d_x, x.data(), N * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_w, w.data(), w.size() * sizeof(float), cudaMemcpyHostToDevice);
    bool right = cudaGetLastError() == cudaSuccess;
    for (int round = 0; round < rounds; round++)
        for (const work &c : works)
            if (!round_of(c, d_x, d_w, d_y, x, w)) {
                fprintf(stderr, "bench: %s: wrong output\n", c.name);
                right = false;
            }
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_w);
    return right ? 0 : 1;
}
