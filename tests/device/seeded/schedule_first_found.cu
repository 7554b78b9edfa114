// expect: schedule
// The first match is whatever thread comes first to an atomicCAS.
// Without BUG: atomicMin.
#include <stdio.h>

#define N 600

__global__ void first_match_kernel(const int *x, int *first)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] > 1000)
#ifdef BUG
        atomicCAS(first, N, i);
#else
        atomicMin(first, i);
#endif
}

int main()
{
    int x[N], *d_x, *d_first, first = N, want = N;
    for (int i = N - 1; i >= 0; i--) {
        x[i] = i * 17 % 1100;
        want = x[i] > 1000 ? i : want;
    }
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_first, sizeof(int));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemcpy(d_first, &first, sizeof(int), cudaMemcpyHostToDevice);
    first_match_kernel<<<N / 100, 100>>>(d_x, d_first);               // EXPECTED
    cudaMemcpy(&first, d_first, sizeof(int), cudaMemcpyDeviceToHost); // EXPECTED
    printf("%s: %d, expected %d\n", first == want ? "PASS" : "FAIL", first, want);
    cudaFree(d_x);
    cudaFree(d_first);
    return first != want;
}
