// The twin of host_variable_result.bug.cu: into device memory, which is copied back.
#include <stdio.h>

#define N 512

__global__ void last_negative_kernel(const int *x, int *last)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] < 0)
        atomicMax(last, i);
}

int main()
{
    int x[N], *d_x, *d_last, last = -1, want = -1;
    for (int i = 0; i < N; i++) {
        x[i] = i * 7 % 20 - 2;
        want = x[i] < 0 ? i : want;
    }
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_last, sizeof(int));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemcpy(d_last, &last, sizeof(int), cudaMemcpyHostToDevice);
    last_negative_kernel<<<N / 64, 64>>>(d_x, d_last);
    cudaMemcpy(&last, d_last, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%s: %d, expected %d\n", last == want ? "PASS" : "FAIL", last, want);
    cudaFree(d_x);
    cudaFree(d_last);
    return last != want;
}
