// reported: race-shared
// Rows of a sparse matrix, a warp each, as it was written before Volta: lanes in step by volatile
// memory within a loop over rows, which some lanes leave behind others.
#include <cstdio>
#include <vector>

#include <cuda_runtime.h>

template <int Lanes>
__global__ void rows_kernel(int n, const int *first, const int *column, const float *value,
                            const float *x, float *y)
{
    __shared__ volatile float sums[256 + Lanes / 2];
    __shared__ volatile int ends[256 / Lanes][2];
    const int lane = threadIdx.x % Lanes, mine = threadIdx.x / Lanes;
    const int rows = gridDim.x * (blockDim.x / Lanes);
    for (int row = blockIdx.x * (blockDim.x / Lanes) + mine; row < n; row += rows) {
        if (lane < 2)
            ends[mine][lane] = first[row + lane];
        const int begin = ends[mine][0], end = ends[mine][1];
        float sum = 0;
        for (int k = begin + lane; k < end; k += Lanes)
            sum += value[k] * x[column[k]];
        sums[threadIdx.x] = sum;
        for (int d = Lanes / 2; d > 0; d /= 2) {
            float other = sums[threadIdx.x + d];
            sums[threadIdx.x] = sum = sum + other;
        }
        if (lane == 0)
            y[row] = sums[threadIdx.x];
    }
}

template <class T> static T *on_device(const std::vector<T> &v)
{
    T *d;
    cudaMalloc(&d, v.size() * sizeof(T));
    cudaMemcpy(d, v.data(), v.size() * sizeof(T), cudaMemcpyHostToDevice);
    return d;
}

int main()
{
    const int n = 300;
    std::vector<int> first(1, 0), column;
    std::vector<float> value, x(n), y(n), expected(n, 0.0f);
    for (int i = 0; i < n; i++)
        x[i] = (float)(i % 13 - 6);
    for (int i = 0; i < n; i++) {
        for (int k = 0; k < i * 7 % 41; k++) {
            column.push_back((i * 31 + k * 17) % n);
            value.push_back((float)((i + k) % 9 - 4));
            expected[i] += value.back() * x[column.back()];
        }
        first.push_back((int)column.size());
    }
    int *d_first = on_device(first), *d_column = on_device(column);
    float *d_value = on_device(value), *d_x = on_device(x), *d_y = on_device(y);
    int bad = 0;
    rows_kernel<32><<<4, 256>>>(n, d_first, d_column, d_value, d_x, d_y);
    cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    bad += y != expected;
    cudaMemset(d_y, 0, n * sizeof(float));
    rows_kernel<4><<<1, 256>>>(n, d_first, d_column, d_value, d_x, d_y);
    cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    bad += y != expected;
    void *all[] = {d_first, d_column, d_value, d_x, d_y};
    for (void *p : all)
        cudaFree(p);
    printf(bad ? "FAIL\n" : "PASS\n");
    return bad;
}
