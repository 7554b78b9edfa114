// expect: uninit-array
// A median of five in a local array, of which the threads at both ends set less than five elements.
// Without BUG: what is missing there is the nearest element that is there.
#include <cstdio>
#include <cuda_runtime.h>

#define N 96

__global__ void median_kernel(const int *x, int *y)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    int window[5];
    for (int k = -2; k <= 2; k++) {
#ifdef BUG
        if (i + k >= 0 && i + k < N)
            window[k + 2] = x[i + k];
#else
        window[k + 2] = x[max(0, min(N - 1, i + k))];
#endif
    }
    for (int a = 0; a < 4; a++)
        for (int b = a + 1; b < 5; b++)
            if (window[b] < window[a]) { // EXPECTED
                const int larger = window[a];
                window[a] = window[b];
                window[b] = larger;
            }
    y[i] = window[2];
}

int main()
{
    int x[N], y[N], *d_x, *d_y, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = 2 * i;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    median_kernel<<<N / 32, 32>>>(d_x, d_y);
    if (cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    cudaFree(d_x);
    cudaFree(d_y);
    for (int i = 2; i < N - 2; i++)
        wrong += y[i] != x[i];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
