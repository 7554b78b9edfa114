// expect: race-global
// Time steps of a stencil in a loop inside the kernel: a barrier holds for one block, but the
// neighbours are other blocks.
// Without BUG: one launch a time step.
#include <cstdio>
#include <utility>
#include <vector>

const int n = 512, steps = 6, threads = 64;

#ifdef BUG
__global__ void heat_kernel(float *a, float *b)
#else
__global__ void heat_kernel(const float *a, float *b)
#endif
{
    int i = blockIdx.x * threads + threadIdx.x;
#ifdef BUG
    for (int s = 0; s < steps; s++) {
        float left = i > 0 ? a[i - 1] : 0, right = i + 1 < n ? a[i + 1] : 0; // EXPECTED
        b[i] = 0.5f * a[i] + 0.25f * (left + right);                         // EXPECTED
        __syncthreads();
        float *swap = a;
        a = b;
        b = swap;
    }
#else
    float left = i > 0 ? a[i - 1] : 0, right = i + 1 < n ? a[i + 1] : 0;
    b[i] = 0.5f * a[i] + 0.25f * (left + right);
#endif
}

int main()
{
    std::vector<float> x(n, 0), y(n), got(n);
    x[n / 2] = 4096;
    float *d_a, *d_b;
    cudaMalloc(&d_a, n * sizeof(float));
    cudaMalloc(&d_b, n * sizeof(float));
    cudaMemcpy(d_a, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
#ifdef BUG
    heat_kernel<<<n / threads, threads>>>(d_a, d_b);
#else
    for (int s = 0; s < steps; s++) {
        heat_kernel<<<n / threads, threads>>>(d_a, d_b);
        std::swap(d_a, d_b);
    }
#endif
    cudaMemcpy(got.data(), d_a, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int s = 0; s < steps; s++) {
        for (int i = 0; i < n; i++)
            y[i] = 0.5f * x[i] + 0.25f * ((i > 0 ? x[i - 1] : 0) + (i + 1 < n ? x[i + 1] : 0));
        std::swap(x, y);
    }
    int wrong = 0;
    for (int i = 0; i < n; i++)
        wrong += got[i] != x[i];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_a);
    cudaFree(d_b);
    return wrong != 0;
}
