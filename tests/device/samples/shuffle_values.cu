/* Lanes that exchange nothing but values of their own: sums, scans and broadcasts, in segments, in
 * blocks of one and two dimensions, before and behind a barrier. */
#include <cstdio>
#include <cuda_runtime.h>

enum { ALL = 0xffffffff };

template <typename T> __global__ void exchange(const T *x, T *y, int n, int width)
{
    const int t = threadIdx.y * blockDim.x + threadIdx.x;
    const int i = blockIdx.x * blockDim.x * blockDim.y + t;
    T sum = i < n ? x[i] : (T)0;
    T most = sum, before = sum, first = sum;
    for (int d = 16; d > 0; d /= 2)
        sum += __shfl_down_sync(ALL, sum, d);
    for (int d = 1; d < width; d *= 2) {
        most = max(most, __shfl_xor_sync(0xffffffffu, most, d, width));
        const T lower = __shfl_up_sync(ALL, before, d, width);
        if ((t & (width - 1)) >= d)
            before += lower;
    }
    __syncthreads();
    first = __shfl_sync(0xFFFFFFFF, first, 0, width);
    if (i < n) {
        y[4 * i] = t % 32 ? (T)0 : sum;
        y[4 * i + 1] = most;
        y[4 * i + 2] = before;
        y[4 * i + 3] = first;
    }
}

template <typename T> static bool try_type(dim3 block, int blocks, int width)
{
    const int threads = block.x * block.y, n = threads * blocks;
    T *x, *y;
    bool right = true;
    cudaMallocManaged(&x, n * sizeof *x);
    cudaMallocManaged(&y, 4 * n * sizeof *y);
    for (int i = 0; i < n; i++)
        x[i] = (T)(i * 37 % 11);
    exchange<<<blocks, block>>>(x, y, n, width);
    cudaDeviceSynchronize();
    for (int i = 0; i < n; i++) {
        const int segment = i / width * width;
        T sum = 0, most = 0, before = 0;
        for (int k = 0; k < 32 && i % 32 == 0; k++)
            sum += x[i + k];
        for (int k = 0; k < width; k++) {
            most = x[segment + k] > most ? x[segment + k] : most;
            before += segment + k <= i ? x[segment + k] : (T)0;
        }
        right = right && y[4 * i] == sum && y[4 * i + 1] == most;
        right = right && y[4 * i + 2] == before && y[4 * i + 3] == x[segment];
    }
    cudaFree(x);
    cudaFree(y);
    return right;
}

int main()
{
    bool right = true;
    for (int width = 2; width <= 32; width *= 2) {
        right = try_type<int>(64, 3, width) && right;
        right = try_type<float>(dim3(16, 8), 2, width) && right;
        right = try_type<double>(dim3(8, 128), 1, width) && right;
        right = try_type<long long>(32, 2, width) && right;
    }
    printf(right ? "PASS\n" : "FAIL\n");
    return right ? 0 : 1;
}
