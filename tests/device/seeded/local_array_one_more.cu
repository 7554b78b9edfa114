// expect: oob-array
// Each thread sorts its own values in a local array, and the loop that fills it goes one too far.
// Without BUG: it ends with the array.
#include <cstdio>
#include <cuda_runtime.h>

#define EACH 8

__global__ void median_kernel(const int *x, int *y, int n)
{
    int own[EACH];
    const int t = threadIdx.x;
#ifdef BUG
    for (int i = 0; i <= n; i++)
#else
    for (int i = 0; i < n; i++)
#endif
        own[i] = x[t * EACH + i]; // EXPECTED
    for (int i = 1; i < EACH; i++)
        for (int k = i; k > 0 && own[k - 1] > own[k]; k--) {
            const int larger = own[k - 1];
            own[k - 1] = own[k];
            own[k] = larger;
        }
    y[t] = own[EACH / 2];
}

int main()
{
    int x[33 * EACH], y[32], *d_x, *d_y, wrong = 0;
    for (int i = 0; i < 33 * EACH; i++)
        x[i] = i / EACH * 100 + i * 3 % EACH;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    median_kernel<<<1, 32>>>(d_x, d_y, EACH);
    if (cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost) != cudaSuccess)
        return 1;
    cudaFree(d_x);
    cudaFree(d_y);
    for (int i = 0; i < 32; i++)
        wrong += y[i] != i * 100 + EACH / 2;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
