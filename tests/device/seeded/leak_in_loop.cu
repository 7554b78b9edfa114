// expect: leak
// Memory is asked for in every round of a loop and freed once, after it.
// Without BUG: it is freed in every round.
#include <stdio.h>

#define N      128
#define ROUNDS 4

__global__ void multiple_kernel(int *y, int factor)
{
    y[threadIdx.x] = factor * threadIdx.x;
}

int main()
{
    int y[N], *d_y, wrong = 0;
    for (int k = 0; k < ROUNDS; k++) {
        cudaMalloc(&d_y, sizeof(y)); // EXPECTED
        multiple_kernel<<<1, N>>>(d_y, k);
        cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
        for (int i = 0; i < N; i++)
            wrong += y[i] != k * i;
#ifndef BUG
        cudaFree(d_y);
#endif
    }
#ifdef BUG
    cudaFree(d_y);
#endif
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
