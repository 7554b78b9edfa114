// expect: race-global
// The largest element by comparing and then writing: between the two another thread may write.
// Without BUG: atomicMax.
#include <stdio.h>

#define N 1000

__global__ void max_kernel(const int *x, int *largest, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
#ifdef BUG
    if (i < n && x[i] > *largest) // EXPECTED
        *largest = x[i];          // EXPECTED
#else
    if (i < n)
        atomicMax(largest, x[i]);
#endif
}

int main()
{
    int x[N], *d_x, *d_largest, want = 0, got;
    for (int i = 0; i < N; i++) {
        x[i] = i * 733 % 991;
        want = x[i] > want ? x[i] : want;
    }
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_largest, sizeof(int));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemset(d_largest, 0, sizeof(int));
    max_kernel<<<(N + 99) / 100, 100>>>(d_x, d_largest, N);
    cudaMemcpy(&got, d_largest, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%s: %d, expected %d\n", got == want ? "PASS" : "FAIL", got, want);
    cudaFree(d_x);
    cudaFree(d_largest);
    return got != want;
}
