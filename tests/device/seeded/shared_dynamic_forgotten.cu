// expect: oob-shared
// The launch gives no dynamic shared memory to a kernel that uses it.
// Without BUG: its third argument.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void reverse(int *x)
{
    extern __shared__ int s[];
    s[threadIdx.x] = x[threadIdx.x]; // EXPECTED
    __syncthreads();
    x[threadIdx.x] = s[blockDim.x - 1 - threadIdx.x]; // EXPECTED
}

int main()
{
    int x[64], *d_x;
    bool right = true;
    for (int i = 0; i < 64; i++)
        x[i] = i;
    cudaMalloc(&d_x, sizeof x);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
#ifdef BUG
    reverse<<<1, 64>>>(d_x);
#else
    reverse<<<1, 64, sizeof x>>>(d_x);
#endif
    cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    for (int i = 0; i < 64; i++)
        right = right && x[i] == 63 - i;
    printf("%s\n", right ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
