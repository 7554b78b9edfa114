/* The CPU device beside a serial loop: benchmarks/device/run builds this program in run and in
 * check mode and makes the table. `bench ROUNDS [NO-SERIAL]` prints `CASE,CONTESTANT,SECONDS` for
 * each round: the same loops, the same flags, every output compared. */
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <vector>

#include <cooperative_groups.h>

#include "kernels.cuh"

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

static void serial_early(const float *x, const float *, float *y, int n)
{
    for (int i = 0; i < n; i++)
        y[i] = ((i > 0 ? x[i - 1] : 0) + x[i] + (i + 1 < n ? x[i + 1] : 0)) / 3;
}

static void serial_pyramid_tile(const float *x, const float *w, float *y, int side)
{
    float a[TILE][TILE], b[TILE][TILE];
    for (int p = 0; p < TILE; p++)
        for (int q = 0; q < TILE; q++) {
            a[p][q] = x[p * side + q];
            y[p * side + q] = 0;
        }
    for (int k = 1; k <= ROUNDS; k++) {
        for (int p = k; p < TILE - k; p++)
            for (int q = k; q < TILE - k; q++)
                b[p][q] = a[p][q] + w[0] * (a[p - 1][q] + a[p + 1][q] + a[p][q - 1] + a[p][q + 1] -
                                            4 * a[p][q]);
        for (int p = k; p < TILE - k; p++)
            for (int q = k; q < TILE - k; q++)
                a[p][q] = b[p][q];
    }
    for (int p = ROUNDS; p < TILE - ROUNDS; p++)
        for (int q = ROUNDS; q < TILE - ROUNDS; q++)
            y[p * side + q] = a[p][q];
}

static void serial_pyramid(const float *x, const float *w, float *y, int side)
{
    for (int i = 0; i < side; i += TILE)
        for (int k = 0; k < side; k += TILE)
            serial_pyramid_tile(x + i * side + k, w, y + i * side + k, side);
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
    {"warps", serial_reduce, warps_kernel, N, N / BLOCK, N / BLOCK, BLOCK},
    {"group", serial_reduce, group_kernel, N, N / BLOCK, N / BLOCK, BLOCK},
    {"early", serial_early, early_kernel, SHORT, SHORT, N / BLOCK, BLOCK},
    {"pyramid", serial_pyramid, pyramid_kernel, SIDE, N, dim3(SIDE / TILE, SIDE / TILE),
     dim3(TILE, TILE)},
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
