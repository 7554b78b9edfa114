// expect: oob-shared
// Dynamic shared memory is divided into doubles and ints, and the launch counts the ints twice
// instead.
// Without BUG: the bytes of both parts.
#include <stdio.h>

#define N       256
#define THREADS 64

__global__ void weigh_kernel(const int *x, double *y)
{
    extern __shared__ double weights[];
    int *values = (int *)(weights + THREADS), t = threadIdx.x;
    weights[t] = 1.0 / (t + 1);
    values[t] = x[blockIdx.x * THREADS + t]; // EXPECTED
    __syncthreads();
    int other = THREADS - 1 - t;
    y[blockIdx.x * THREADS + t] = weights[other] * values[other]; // EXPECTED
}

int main()
{
    int x[N], *d_x, wrong = 0;
    double y[N], *d_y;
    for (int i = 0; i < N; i++)
        x[i] = i;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_y, sizeof(y));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
#ifdef BUG
    size_t shared = THREADS * (sizeof(int) + sizeof(int));
#else
    size_t shared = THREADS * (sizeof(double) + sizeof(int));
#endif
    weigh_kernel<<<N / THREADS, THREADS, shared>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) {
        int other = THREADS - 1 - i % THREADS;
        wrong += y[i] != 1.0 / (other + 1) * x[i / THREADS * THREADS + other];
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
