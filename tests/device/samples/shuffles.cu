/* Warps that reduce, scan and exchange by shuffles: all four kinds, several types and widths. */
#include <cstdio>
#include <cuda_runtime.h>

#define FULL 0xffffffffu

__inline__ __device__ int warpReduceSum(int val)
{
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        val += __shfl_down_sync(FULL, val, offset);
    return val;
}

template <typename T> __inline__ __device__ T warpAllMax(T val)
{
    for (int mask = 16; mask > 0; mask >>= 1) {
        T other = __shfl_xor_sync(FULL, val, mask);
        val = other > val ? other : val;
    }
    return val;
}

__inline__ __device__ int warpInclusiveScan(int val, int lane, int width = 32)
{
#pragma unroll
    for (int d = 1; d < 32; d *= 2) {
        int n = __shfl_up_sync(FULL, val, d, width);
        if (lane % width >= d && d < width)
            val += n;
    }
    return val;
}

__global__ void blockSum(const int *in, int *out, int n)
{
    static __shared__ int shared[32];
    int lane = threadIdx.x % warpSize, wid = threadIdx.x / warpSize, sum = 0;

    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        sum += in[i];
    sum = warpReduceSum(sum);
    if (lane == 0)
        shared[wid] = sum;
    __syncthreads();
    sum = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
    if (wid == 0)
        sum = warpReduceSum(sum);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

__global__ void blockScan(const int *in, int *out)
{
    __shared__ int sums[32];
    int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    int value = warpInclusiveScan(in[threadIdx.x], lane);

    if (lane == 31)
        sums[warp] = value;
    __syncthreads();
    if (warp == 0) {
        int sum = lane < (blockDim.x >> 5) ? sums[lane] : 0;
        sums[lane] = warpInclusiveScan(sum, lane);
    }
    __syncthreads();
    out[threadIdx.x] = value + (warp > 0 ? sums[warp - 1] : 0);
}

__global__ void exchanges(const double *in, double *maxima, float *rotated, int *segments,
                          unsigned long long *wide)
{
    int t = threadIdx.x, lane = t % 32;
    maxima[t] = warpAllMax(in[t]);
    rotated[t] = __shfl_sync(FULL, (float)in[t], (lane + 1) % 32);
    segments[t] = warpInclusiveScan(1, lane, 8);
    wide[t] = __shfl_sync(FULL, 1ull << 40 | (unsigned)lane, 0, 16);
}

/* What differs from the same on the host: x scanned in all, the rest in each warp of `values`. */
static int count_wrong(int n, const int *x, const int *scanned, const double *values,
                       const double *maxima, const float *rotated, const int *segments,
                       const unsigned long long *wide)
{
    int wrong = 0;
    for (int i = 0, sum = 0; i < n; i++) {
        int first = i / 32 * 32;
        double max = values[first];
        for (int k = first; k < first + 32; k++)
            max = values[k] > max ? values[k] : max;
        wrong += scanned[i] != (sum += x[i]);
        wrong += maxima[i] != max;
        wrong += rotated[i] != (float)values[first + (i + 1) % 32];
        wrong += segments[i] != i % 8 + 1;
        wrong += wide[i] != (1ull << 40 | (unsigned)(i % 32 / 16 * 16));
    }
    return wrong;
}

int main()
{
    const int n = 512;
    int x[n], scanned[n], segments[n], total = 0, want = 0, wrong;
    double values[n], maxima[n];
    float rotated[n];
    unsigned long long wide[n];
    int *d_x, *d_scanned, *d_total, *d_segments;
    double *d_values, *d_maxima;
    float *d_rotated;
    unsigned long long *d_wide;

    for (int i = 0; i < n; i++) {
        x[i] = i * 37 % 101;
        values[i] = i * 53 % 509 - 0.5;
        want += x[i];
    }
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_scanned, sizeof(x));
    cudaMalloc(&d_total, sizeof(int));
    cudaMalloc(&d_segments, sizeof(x));
    cudaMalloc(&d_values, sizeof(values));
    cudaMalloc(&d_maxima, sizeof(values));
    cudaMalloc(&d_rotated, sizeof(rotated));
    cudaMalloc(&d_wide, sizeof(wide));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemcpy(d_values, values, sizeof(values), cudaMemcpyHostToDevice);
    cudaMemset(d_total, 0, sizeof(int));

    blockSum<<<2, 128>>>(d_x, d_total, n);
    blockScan<<<1, n>>>(d_x, d_scanned);
    exchanges<<<1, n>>>(d_values, d_maxima, d_rotated, d_segments, d_wide);

    cudaMemcpy(&total, d_total, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(scanned, d_scanned, sizeof(x), cudaMemcpyDeviceToHost);
    cudaMemcpy(maxima, d_maxima, sizeof(maxima), cudaMemcpyDeviceToHost);
    cudaMemcpy(rotated, d_rotated, sizeof(rotated), cudaMemcpyDeviceToHost);
    cudaMemcpy(segments, d_segments, sizeof(segments), cudaMemcpyDeviceToHost);
    cudaMemcpy(wide, d_wide, sizeof(wide), cudaMemcpyDeviceToHost);

    wrong = (total != want) + count_wrong(n, x, scanned, values, maxima, rotated, segments, wide);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_scanned);
    cudaFree(d_total);
    cudaFree(d_segments);
    cudaFree(d_values);
    cudaFree(d_maxima);
    cudaFree(d_rotated);
    cudaFree(d_wide);
    return wrong != 0;
}
