// expect: device-pointer
// The result is fetched by the C library's memcpy.
// Without BUG: by cudaMemcpy.
#include <stdio.h>
#include <string.h>

#define N 200

__global__ void cube_kernel(int *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    y[i] = i * i * i;
}

int main()
{
    int y[N], *d_y, wrong = 0;
    cudaMalloc(&d_y, sizeof(y));
    cube_kernel<<<2, N / 2>>>(d_y);
    cudaDeviceSynchronize();
#ifdef BUG
    memcpy(y, d_y, sizeof(y)); // EXPECTED
#else
    cudaMemcpy(y, d_y, sizeof(y), cudaMemcpyDeviceToHost);
#endif
    for (int i = 0; i < N; i++)
        wrong += y[i] != i * i * i;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_y);
    return wrong != 0;
}
