/* Sorted runs are merged, each element finding its place in the other run by a binary search. */
#include <cstdio>
#include <cuda_runtime.h>

#define N 256

__device__ int below(const int *run, int n, int value, bool with_equal)
{
    int low = 0, high = n;
    while (low < high) {
        const int middle = (low + high) / 2;
        if (run[middle] < value || (with_equal && run[middle] == value))
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

__global__ void merge_kernel(const int *x, int *y, int run)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x, pair = i / (2 * run) * 2 * run;
    const bool second = i - pair >= run;
    const int *other = x + pair + (second ? 0 : run);
    const int own = i - pair - (second ? run : 0);
    y[pair + own + below(other, run, x[i], second)] = x[i];
}

int main()
{
    int x[N], *d_x, *d_y;
    bool right = true;
    for (int i = 0; i < N; i++)
        x[i] = i * 77 % N / 2;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof x);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    for (int run = 1; run < N; run *= 2) {
        merge_kernel<<<N / 64, 64>>>(d_x, d_y, run);
        int *other = d_x;
        d_x = d_y;
        d_y = other;
    }
    cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        right = right && x[i] == i / 2;
    cudaFree(d_x);
    cudaFree(d_y);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
