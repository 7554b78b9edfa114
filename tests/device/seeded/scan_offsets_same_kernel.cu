// expect: race-global
// A scan over several blocks: each block adds the totals of the blocks before it, in the kernel
// that makes them.
// Without BUG: the totals are added in a second kernel.
#include <cstdio>
#include <vector>

const int threads = 64, blocks = 12, n = threads * blocks;

__global__ void scan_kernel(const int *x, int *y, int *totals)
{
    __shared__ int s[threads];
    int t = threadIdx.x, i = blockIdx.x * threads + t;
    s[t] = x[i];
    __syncthreads();
    for (int d = 1; d < threads; d *= 2) {
        int add = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += add;
        __syncthreads();
    }
    if (t == threads - 1)
        totals[blockIdx.x] = s[t]; // EXPECTED
#ifdef BUG
    __syncthreads();
    int before = 0;
#else
    y[i] = s[t];
}

__global__ void offset_kernel(int *y, const int *totals)
{
    int i = blockIdx.x * threads + threadIdx.x, before = 0;
#endif
    for (int b = 0; b < blockIdx.x; b++)
        before += totals[b]; // EXPECTED
#ifdef BUG
    y[i] = before + s[t];
#else
    y[i] += before;
#endif
}

int main()
{
    std::vector<int> x(n), y(n);
    for (int i = 0; i < n; i++)
        x[i] = i * i % 7;
    int *d_x, *d_y, *d_totals;
    cudaMalloc(&d_x, n * sizeof(int));
    cudaMalloc(&d_y, n * sizeof(int));
    cudaMalloc(&d_totals, blocks * sizeof(int));
    cudaMemcpy(d_x, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    scan_kernel<<<blocks, threads>>>(d_x, d_y, d_totals);
#ifndef BUG
    offset_kernel<<<blocks, threads>>>(d_y, d_totals);
#endif
    cudaMemcpy(y.data(), d_y, n * sizeof(int), cudaMemcpyDeviceToHost);
    int wrong = 0, sum = 0;
    for (int i = 0; i < n; i++)
        wrong += y[i] != (sum += x[i]);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_totals);
    return wrong != 0;
}
