// expect: host-pointer
// The kernel is to write its result straight into a local variable of main.
// Without BUG: into device memory, which is copied back.
#include <stdio.h>

#define N 512

__global__ void last_negative_kernel(const int *x, int *last)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (x[i] < 0)
        atomicMax(last, i); // EXPECTED
}

int main()
{
#ifdef BUG
    int x[N], *d_x, last = -1, want = -1;
#else
    int x[N], *d_x, *d_last, last = -1, want = -1;
#endif
    for (int i = 0; i < N; i++) {
        x[i] = i * 7 % 20 - 2;
        want = x[i] < 0 ? i : want;
    }
    cudaMalloc(&d_x, sizeof(x));
#ifndef BUG
    cudaMalloc(&d_last, sizeof(int));
#endif
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
#ifdef BUG
    last_negative_kernel<<<N / 64, 64>>>(d_x, &last);
    cudaDeviceSynchronize();
#else
    cudaMemcpy(d_last, &last, sizeof(int), cudaMemcpyHostToDevice);
    last_negative_kernel<<<N / 64, 64>>>(d_x, d_last);
    cudaMemcpy(&last, d_last, sizeof(int), cudaMemcpyDeviceToHost);
#endif
    printf("%s: %d, expected %d\n", last == want ? "PASS" : "FAIL", last, want);
    cudaFree(d_x);
#ifndef BUG
    cudaFree(d_last);
#endif
    return last != want;
}
