// The kernel is to write its result straight into a local variable of main.
#include <stdio.h>

#define N 512

__global__ void last_negative_kernel(const int *x, int *last)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] < 0)
        atomicMax(last, i); // EXPECT host-pointer
}

int main()
{
    int x[N], *d_x, last = -1, want = -1;
    for (int i = 0; i < N; i++) {
        x[i] = i * 7 % 20 - 2;
        want = x[i] < 0 ? i : want;
    }
    cudaMalloc(&d_x, sizeof(x));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    last_negative_kernel<<<N / 64, 64>>>(d_x, &last);
    cudaDeviceSynchronize();
    printf("%s: %d, expected %d\n", last == want ? "PASS" : "FAIL", last, want);
    cudaFree(d_x);
    return last != want;
}
