// expect: schedule
// The last match is whatever thread comes last to an atomicExch.
// Without BUG: atomicMax.
#include <stdio.h>

#define N 400

__global__ void last_match_kernel(const int *x, int wanted, int *last)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] == wanted)
#ifdef BUG
        atomicExch(last, i);
#else
        atomicMax(last, i);
#endif
}

int main()
{
    int x[N], *d_x, *d_last, last = -1, want = -1;
    for (int i = 0; i < N; i++) {
        x[i] = i % 37;
        want = x[i] == 11 ? i : want;
    }
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_last, sizeof(int));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemcpy(d_last, &last, sizeof(int), cudaMemcpyHostToDevice);
    last_match_kernel<<<N / 50, 50>>>(d_x, 11, d_last);             // EXPECTED
    cudaMemcpy(&last, d_last, sizeof(int), cudaMemcpyDeviceToHost); // EXPECTED
    printf("%s: %d, expected %d\n", last == want ? "PASS" : "FAIL", last, want);
    cudaFree(d_x);
    cudaFree(d_last);
    return last != want;
}
