/* Shuffles in segments of 2 to 32 lanes, of types of 1 to 8 bytes, with sources out of a segment.
 */
#include <cstdio>
#include <cuda_runtime.h>

template <typename T> __global__ void shuffles(const T *x, T *y, int width)
{
    int t = threadIdx.x, n = blockDim.x;
    T v = x[t];
    y[t] = __shfl_sync(0xffffffff, v, width + 1, width);
    y[n + t] = __shfl_up_sync(0xffffffff, v, 3, width);
    y[2 * n + t] = __shfl_down_sync(0xffffffff, v, 3, width);
    y[3 * n + t] = __shfl_xor_sync(0xffffffff, v, width - 1, width);
    y[4 * n + t] = __shfl_sync(0xffffffff, v, -1, width);
}

template <typename T> static bool try_type()
{
    const int n = 64;
    T x[n], y[5 * n], *d_x, *d_y;
    bool right = true;
    for (int i = 0; i < n; i++)
        x[i] = (T)(i + 3);
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    for (int width = 2; width <= 32; width *= 2) {
        shuffles<<<1, n>>>(d_x, d_y, width);
        cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
        for (int i = 0; i < n; i++) {
            int first = i / width * width, lane = i % width;
            right = right && y[i] == x[first + 1 % width];
            right = right && y[n + i] == x[lane >= 3 ? i - 3 : i];
            right = right && y[2 * n + i] == x[lane + 3 < width ? i + 3 : i];
            right = right && y[3 * n + i] == x[first + (lane ^ (width - 1))];
            right = right && y[4 * n + i] == x[first + width - 1];
        }
    }
    cudaFree(d_x);
    cudaFree(d_y);
    return right;
}

int main()
{
    bool right = try_type<int>() && try_type<unsigned>() && try_type<float>() &&
                 try_type<double>() && try_type<long long>() && try_type<unsigned long long>();
    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
