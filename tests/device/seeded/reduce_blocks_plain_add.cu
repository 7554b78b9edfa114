// expect: race-global
// Each block adds its sum to one number in global memory by an ordinary +=.
// Without BUG: atomicAdd.
#include <stdio.h>

#define N       4096
#define THREADS 128

__global__ void sum_kernel(const int *x, int *total)
{
    __shared__ int s[THREADS];
    int t = threadIdx.x;
    s[t] = x[blockIdx.x * THREADS + t];
    __syncthreads();
    for (int d = THREADS / 2; d > 0; d /= 2) {
        if (t < d)
            s[t] += s[t + d];
        __syncthreads();
    }
    if (t == 0)
#ifdef BUG
        *total += s[0]; // EXPECTED
#else
        atomicAdd(total, s[0]);
#endif
}

int main()
{
    static int x[N];
    int *d_x, *d_total, want = 0, got;
    for (int i = 0; i < N; i++)
        want += x[i] = i % 10;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_total, sizeof(int));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemset(d_total, 0, sizeof(int));
    sum_kernel<<<N / THREADS, THREADS>>>(d_x, d_total);
    cudaMemcpy(&got, d_total, sizeof(int), cudaMemcpyDeviceToHost);
    printf("%s: %d, expected %d\n", got == want ? "PASS" : "FAIL", got, want);
    cudaFree(d_x);
    cudaFree(d_total);
    return got != want;
}
