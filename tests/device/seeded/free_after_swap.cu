// expect: oob-global
// After an odd number of swaps the pointer that is freed early is the one that holds the result.
// Without BUG: the array is freed that does not hold the result.
#include <cstdio>
#include <utility>
#include <vector>

__global__ void step_kernel(const int *now, int *next, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        next[i] = now[i] + now[(i + 1) % n];
}

__global__ void halve_kernel(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] /= 2; // EXPECTED
}

int main()
{
    const int n = 200, steps = 3;
    std::vector<int> x(n), y(n), got(n);
    for (int i = 0; i < n; i++)
        x[i] = i % 20;
    int *d_a, *d_b;
    cudaMalloc(&d_a, n * sizeof(int));
    cudaMalloc(&d_b, n * sizeof(int));
    cudaMemcpy(d_a, x.data(), n * sizeof(int), cudaMemcpyHostToDevice);
    int *now = d_a, *next = d_b;
    for (int s = 0; s < steps; s++) {
        step_kernel<<<4, 64>>>(now, next, n);
        std::swap(now, next);
    }
#ifdef BUG
    cudaFree(d_b); // the second array is not needed any more
#else
    cudaFree(next); // the second array is not needed any more
#endif
    halve_kernel<<<4, 64>>>(now, n);
    cudaMemcpy(got.data(), now, n * sizeof(int), cudaMemcpyDeviceToHost); // EXPECTED
#ifdef BUG
    cudaFree(d_a);
#else
    cudaFree(now);
#endif
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < n; i++)
            y[i] = x[i] + x[(i + 1) % n];
        std::swap(x, y);
    }
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += got[i] != x[i] / 2;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
