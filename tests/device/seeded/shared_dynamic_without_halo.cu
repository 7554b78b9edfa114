// expect: oob-shared
// Tiled convolution with dynamic shared memory: the launch forgets the halo.
// Without BUG: THREADS + 2 * R elements.
#include <stdio.h>

#define N       600
#define R       3
#define THREADS 60

__constant__ float mask[2 * R + 1];

__global__ void conv_kernel(const float *x, float *y)
{
    extern __shared__ float tile[];
    int start = blockIdx.x * blockDim.x - R;
    for (int k = threadIdx.x; k < blockDim.x + 2 * R; k += blockDim.x)
        tile[k] = start + k >= 0 && start + k < N ? x[start + k] : 0; // EXPECTED
    __syncthreads();
    float sum = 0;
    for (int j = 0; j <= 2 * R; j++)
        sum += mask[j] * tile[threadIdx.x + j]; // EXPECTED
    y[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

int main()
{
    float x[N], y[N], w[2 * R + 1], *d_x, *d_y;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i % 12;
    for (int j = 0; j <= 2 * R; j++)
        w[j] = j - 2;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemcpyToSymbol(mask, w, sizeof(w));
#ifdef BUG
    size_t shared = THREADS * sizeof(float);
#else
    size_t shared = (THREADS + 2 * R) * sizeof(float);
#endif
    conv_kernel<<<N / THREADS, THREADS, shared>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) {
        float sum = 0;
        for (int j = -R; j <= R; j++)
            sum += i + j >= 0 && i + j < N ? w[j + R] * x[i + j] : 0;
        wrong += y[i] != sum;
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
