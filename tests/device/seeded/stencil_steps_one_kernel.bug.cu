// Time steps of a stencil in a loop inside the kernel: a barrier holds for one block, but the
// neighbours are other blocks.
#include <cstdio>
#include <utility>
#include <vector>

const int n = 512, steps = 6, threads = 64;

__global__ void heat_kernel(float *a, float *b)
{
    int i = blockIdx.x * threads + threadIdx.x;
    for (int s = 0; s < steps; s++) {
        float left = i > 0 ? a[i - 1] : 0, right = i + 1 < n ? a[i + 1] : 0; // EXPECT race-global
        b[i] = 0.5f * a[i] + 0.25f * (left + right);                         // EXPECT race-global
        __syncthreads();
        float *swap = a;
        a = b;
        b = swap;
    }
}

int main()
{
    std::vector<float> x(n, 0), y(n), got(n);
    x[n / 2] = 4096;
    float *d_a, *d_b;
    cudaMalloc(&d_a, n * sizeof(float));
    cudaMalloc(&d_b, n * sizeof(float));
    cudaMemcpy(d_a, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    heat_kernel<<<n / threads, threads>>>(d_a, d_b);
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
