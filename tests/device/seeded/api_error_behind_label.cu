// expect: api-error
// Behind the label of a case a copy fails, as its kind is none, and nobody looks at the error.
// Without BUG: the kind is right.
#include <cstdio>
#include <cuda_runtime.h>

static void fetch(int how, int *to, const int *from, size_t bytes)
{
    switch (how) {
    case 1:
#ifdef BUG
        cudaMemcpy(to, from, bytes, (cudaMemcpyKind)(4 + how)); // EXPECTED
#else
        cudaMemcpy(to, from, bytes, cudaMemcpyDeviceToHost);
#endif
        break;
    default:
        cudaMemcpy(to, from, bytes, cudaMemcpyDefault);
    }
}

__global__ void number_kernel(int *y)
{
    y[threadIdx.x] = threadIdx.x;
}

int main()
{
    int y[32] = {0}, *d_y, wrong = 0;
    cudaMalloc(&d_y, sizeof y);
    number_kernel<<<1, 32>>>(d_y);
    fetch(1, y, d_y, sizeof y);
    cudaFree(d_y);
    for (int i = 0; i < 32; i++)
        wrong += y[i] != i;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
