/* Votes and shuffles in branches within branches, each by the mask made before its branch. */
#include <cstdio>
#include <cuda_runtime.h>

__device__ int sum_of(unsigned mask, int v)
{
    int sum = 0;
    for (unsigned left = mask; left; left &= left - 1)
        sum += __shfl_sync(mask, v, __ffs(left) - 1);
    return sum;
}

__global__ void branches(const int *x, int *y)
{
    int t = threadIdx.x, v = x[t];
    unsigned even = __ballot_sync(0xffffffff, v % 2 == 0);
    if (v % 2 == 0) {
        unsigned low = __ballot_sync(even, v < 50);
        if (v < 50) {
            y[t] = sum_of(low, v);
        } else {
            unsigned high = even & ~low;
            unsigned third = __ballot_sync(high, v % 3 == 0);
            y[t] = v % 3 == 0 ? sum_of(third, v) : -sum_of(high & ~third, 1);
        }
        y[t] += 1000 * __popc(__ballot_sync(even, 1));
    } else {
        y[t] = __any_sync(~even, v == 77) ? sum_of(~even, 2 * v) : __all_sync(~even, v > 0);
    }
}

int main()
{
    int x[64], y[64], *d_x, *d_y;
    bool right = true;

    for (int i = 0; i < 64; i++)
        x[i] = i * 29 % 97 + 1 + (i == 40 ? 0 : i / 50);
    x[3] = 77;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    branches<<<1, 64>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    for (int w = 0; w < 64; w += 32) {
        int low = 0, third = 0, others = 0, odd = 0, evens = 0, has77 = 0;
        for (int i = w; i < w + 32; i++) {
            int v = x[i];
            evens += v % 2 == 0;
            low += v % 2 == 0 && v < 50 ? v : 0;
            third += v % 2 == 0 && v >= 50 && v % 3 == 0 ? v : 0;
            others += v % 2 == 0 && v >= 50 && v % 3 != 0;
            odd += v % 2 ? 2 * v : 0;
            has77 |= v == 77;
        }
        for (int i = w; i < w + 32; i++) {
            int v = x[i], wanted = v % 2        ? has77 ? odd : 1
                                   : v < 50     ? low
                                   : v % 3 == 0 ? third
                                                : -others;
            right = right && y[i] == wanted + (v % 2 == 0 ? 1000 * evens : 0);
        }
    }
    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    cudaFree(d_x);
    cudaFree(d_y);
    return right ? 0 : 1;
}
