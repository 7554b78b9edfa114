// expect: race-stream
// The taps of the second filter are copied, on its stream, while the first filter may still read
// those of its own from the same constants.
// Without BUG: both filters are on one stream.
#include <stdio.h>

#define N 1000

__constant__ float c_taps[3];

__global__ void filter_kernel(float *y, const float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i > 0 && i < n - 1)
        y[i] = c_taps[0] * x[i - 1] + c_taps[1] * x[i] + c_taps[2] * x[i + 1];
}

int main()
{
    const float taps[2][3] = {{1, 2, 1}, {-1, 0, 1}};
    float x[N], y[N], *d_x, *d_y[2];
    int wrong = 0;
    cudaStream_t s[2];
    for (int i = 0; i < N; i++)
        x[i] = i % 7;
    cudaMalloc(&d_x, sizeof(x));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    for (int k = 0; k < 2; k++) {
        cudaStreamCreate(&s[k]);
        cudaMalloc(&d_y[k], sizeof(y));
    }
    for (int k = 0; k < 2; k++) {
#ifdef BUG
        cudaStream_t stream = s[k];
#else
        cudaStream_t stream = s[0];
#endif
        const cudaMemcpyKind kind = cudaMemcpyHostToDevice;
        cudaMemcpyToSymbolAsync(c_taps, taps[k], sizeof(c_taps), 0, kind, stream); // EXPECTED
        filter_kernel<<<(N + 127) / 128, 128, 0, stream>>>(d_y[k], d_x, N);        // EXPECTED
    }
    for (int k = 0; k < 2; k++) {
        cudaMemcpy(y + 1, d_y[k] + 1, (N - 2) * sizeof(float), cudaMemcpyDeviceToHost);
        for (int i = 1; i < N - 1; i++)
            wrong += y[i] != taps[k][0] * x[i - 1] + taps[k][1] * x[i] + taps[k][2] * x[i + 1];
        cudaFree(d_y[k]);
        cudaStreamDestroy(s[k]);
    }
    cudaFree(d_x);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
