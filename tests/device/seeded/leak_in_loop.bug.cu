// Memory is asked for in every round of a loop and freed once, after it.
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
        cudaMalloc(&d_y, sizeof(y)); // EXPECT leak
        multiple_kernel<<<1, N>>>(d_y, k);
        cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
        for (int i = 0; i < N; i++)
            wrong += y[i] != k * i;
    }
    cudaFree(d_y);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
