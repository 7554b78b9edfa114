// expect: race-shared
// A block's histogram is merged into the whole before all of the block's threads have counted.
// Without BUG: a barrier before merging.
#include <cstdio>
#include <vector>

template <int Bins> __global__ void histogram_kernel(const int *x, int *bins, int n)
{
    __shared__ int s_bins[Bins];
    for (int b = threadIdx.x; b < Bins; b += blockDim.x)
        s_bins[b] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        atomicAdd(&s_bins[x[i] % Bins], 1); // EXPECTED
#ifndef BUG
    __syncthreads();
#endif
    for (int b = threadIdx.x; b < Bins; b += blockDim.x)
        atomicAdd(&bins[b], s_bins[b]); // EXPECTED
}

int main()
{
    const int n = 3001, bins = 64;
    std::vector<int> x(n), got(bins), want(bins, 0);
    for (int i = 0; i < n; i++) {
        x[i] = i * 17 % 1021;
        want[x[i] % bins]++;
    }
    int *d_x, *d_bins;
    cudaMalloc(&d_x, n * sizeof(int));
    cudaMalloc(&d_bins, bins * sizeof(int));
    cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    cudaMemset(d_bins, 0, bins * sizeof(int));
    histogram_kernel<bins><<<4, 128>>>(d_x, d_bins, n);
    cudaMemcpy(got.data(), d_bins, bins * sizeof(int), cudaMemcpyDeviceToHost);
    bool right = got == want;
    printf("%s\n", right ? "PASS" : "FAIL");
    cudaFree(d_x);
    cudaFree(d_bins);
    return !right;
}
