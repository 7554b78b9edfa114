// expect: race-shared
// A block convolves several tiles in a loop and loads the next tile while some threads still use
// the old one.
// Without BUG: a barrier at the end of the loop's body.
#include <cstdio>
#include <vector>

constexpr int n = 4096, radius = 2, threads = 64, tiles = 4;

__constant__ float mask[2 * radius + 1];

__global__ void conv_kernel(const float *x, float *y)
{
    __shared__ float tile[threads + 2 * radius];
    for (int t = 0; t < tiles; t++) {
        int start = (blockIdx.x * tiles + t) * threads;
        for (int k = threadIdx.x; k < threads + 2 * radius; k += threads) {
            int g = start - radius + k;
            tile[k] = g >= 0 && g < n ? x[g] : 0; // EXPECTED
        }
        __syncthreads();
        float sum = 0;
        for (int j = 0; j <= 2 * radius; j++)
            sum += mask[j] * tile[threadIdx.x + j]; // EXPECTED
        y[start + threadIdx.x] = sum;
#ifndef BUG
        __syncthreads();
#endif
    }
}

int main()
{
    std::vector<float> x(n), y(n), w = {1, -2, 3, -4, 5};
    for (int i = 0; i < n; i++)
        x[i] = i % 9;
    float *d_x, *d_y;
    cudaMalloc(&d_x, n * sizeof(float));
    cudaMalloc(&d_y, n * sizeof(float));
    cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(mask, w.data(), sizeof(mask));
    conv_kernel<<<n / (threads * tiles), threads>>>(d_x, d_y);
    cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
    int wrong = 0;
    for (int i = 0; i < n; i++) {
        float sum = 0;
        for (int j = -radius; j <= radius; j++)
            if (i + j >= 0 && i + j < n)
                sum += w[j + radius] * x[i + j];
        wrong += y[i] != sum;
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
