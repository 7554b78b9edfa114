// expect: launch-error
// The kernel promises blocks of at most 128 threads, and is launched with 256: it never runs.
// Without BUG: 128 threads.
#include <stdio.h>

#define N 1024
#ifdef BUG
#define THREADS 256
#else
#define THREADS 128
#endif

__global__ void __launch_bounds__(128, 4) double_kernel(int *a)
{
    a[blockIdx.x * blockDim.x + threadIdx.x] *= 2;
}

int main()
{
    static int a[N];
    int *d_a, wrong = 0;
    for (int i = 0; i < N; i++)
        a[i] = i;
    cudaMalloc(&d_a, sizeof(a));
    cudaMemcpy(d_a, a, sizeof(a), cudaMemcpyHostToDevice);
    double_kernel<<<N / THREADS, THREADS>>>(d_a); // EXPECTED
    cudaMemcpy(a, d_a, sizeof(a), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += a[i] != 2 * i;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_a);
    return wrong != 0;
}
