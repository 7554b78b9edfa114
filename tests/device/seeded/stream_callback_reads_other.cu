// expect: race-host
// A function of the host, in the order of one stream, reads what another stream copies.
// Without BUG: it is in the order of the stream that copies.
#include <stdio.h>

#define N 640

struct result {
    const int *y;
    long long sum;
};

__global__ void odd_kernel(int *y)
{
    y[threadIdx.x] = 2 * threadIdx.x + 1;
}

static void CUDART_CB add_up(void *data)
{
    struct result *r = (struct result *)data;
    for (int i = 0; i < N; i++)
        r->sum += r->y[i]; // EXPECTED
}

int main()
{
    int *y, *d_y;
    cudaStream_t work, other;
    struct result result = {NULL, 0};
    cudaStreamCreate(&work);
    cudaStreamCreate(&other);
    cudaMallocHost(&y, N * sizeof(int));
    cudaMalloc(&d_y, N * sizeof(int));
    result.y = y;
    odd_kernel<<<1, N, 0, work>>>(d_y);
    cudaMemcpyAsync(y, d_y, N * sizeof(int), cudaMemcpyDeviceToHost, work); // EXPECTED
#ifdef BUG
    cudaLaunchHostFunc(other, add_up, &result);
#else
    cudaLaunchHostFunc(work, add_up, &result);
#endif
    cudaDeviceSynchronize();
    int wrong = result.sum != (long long)N * N;
    cudaStreamDestroy(work);
    cudaStreamDestroy(other);
    cudaFree(d_y);
    cudaFreeHost(y);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
