// expect: uninit-global
// A matrix product that adds to C, which nobody has set to zero.
// Without BUG: cudaMemset before the launch.
#include <cstdio>
#include <vector>

__global__ void matmul_add_kernel(const float *a, const float *b, float *c, int n)
{
    int row = blockIdx.y * blockDim.y + threadIdx.y;
    int col = blockIdx.x * blockDim.x + threadIdx.x;
    if (row >= n || col >= n)
        return;
    for (int k = 0; k < n; k++)
        c[row * n + col] += a[row * n + k] * b[k * n + col]; // EXPECTED
}

int main()
{
    const int n = 18;
    const size_t bytes = n * n * sizeof(float);
    std::vector<float> a(n * n, 2), b(n * n), c(n * n);
    for (int i = 0; i < n * n; i++)
        b[i] = i % 10;
    float *d_a, *d_b, *d_c;
    cudaMalloc(&d_a, bytes);
    cudaMalloc(&d_b, bytes);
    cudaMalloc(&d_c, bytes);
    cudaMemcpy(d_a, a.data(), bytes, cudaMemcpyHostToDevice);
    cudaMemcpy(d_b, b.data(), bytes, cudaMemcpyHostToDevice);
#ifndef BUG
    cudaMemset(d_c, 0, bytes);
#endif
    dim3 threads(16, 16), blocks((n + 15) / 16, (n + 15) / 16);
    matmul_add_kernel<<<blocks, threads>>>(d_a, d_b, d_c, n);
    cudaMemcpy(c.data(), d_c, bytes, cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            float sum = 0;
            for (int k = 0; k < n; k++)
                sum += a[i * n + k] * b[k * n + j];
            wrong += c[i * n + j] != sum;
        }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_a);
    cudaFree(d_b);
    cudaFree(d_c);
    return wrong != 0;
}
