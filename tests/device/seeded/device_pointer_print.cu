// expect: device-pointer
// The host prints a result straight from device memory.
// Without BUG: from the copy.
#include <stdio.h>

#define N 128

__global__ void square_kernel(int *y)
{
    y[threadIdx.x] = threadIdx.x * threadIdx.x;
}

int main()
{
    int y[N], *d_y, wrong = 0;
    cudaMalloc(&d_y, sizeof(y));
    square_kernel<<<1, N>>>(d_y);
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        wrong += y[i] != i * i;
#ifdef BUG
    printf("the last one is %d\n", d_y[N - 1]); // EXPECTED
#else
    printf("the last one is %d\n", y[N - 1]);
#endif
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_y);
    return wrong != 0;
}
