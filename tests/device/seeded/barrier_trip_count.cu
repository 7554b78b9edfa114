// expect: divergent-barrier
// A barrier in a loop that some threads run once more than others, since the length is no
// multiple of the block.
// Without BUG: all threads run the loop as often, and only the work is conditional.
#include <stdio.h>

#define N       300
#define THREADS 128

__global__ void delta_kernel(const int *x, int *y)
{
    __shared__ int s[THREADS];
    int last = 0; // the element before this round's first
#ifdef BUG
    for (int i = threadIdx.x; i < N; i += THREADS) {
        s[threadIdx.x] = x[i];
#else
    for (int start = 0; start < N; start += THREADS) {
        int i = start + threadIdx.x;
        if (i < N)
            s[threadIdx.x] = x[i];
#endif
        __syncthreads(); // EXPECTED
#ifdef BUG
        y[i] = x[i] - (threadIdx.x > 0 ? s[threadIdx.x - 1] : last);
#else
        if (i < N)
            y[i] = x[i] - (threadIdx.x > 0 ? s[threadIdx.x - 1] : last);
#endif
        last = s[THREADS - 1];
        __syncthreads(); // EXPECTED
    }
}

int main()
{
    int x[N], y[N], *d_x, *d_y, wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i * i % 77;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    delta_kernel<<<1, THREADS>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != x[i] - (i > 0 ? x[i - 1] : 0);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
