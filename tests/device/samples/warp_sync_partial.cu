/* __syncwarp() of half a warp, twice in one branch and once in the other, then of the whole. */
#include <cstdio>
#include <cuda_runtime.h>

__global__ void mirror_halves(int *x)
{
    __shared__ int s[32];
    int t = threadIdx.x;
    s[t] = x[t];
    if (t < 16) {
        __syncwarp(0x0000ffff);
        int v = s[15 - t];
        __syncwarp(0x0000ffff);
        s[t] = v;
    } else {
        __syncwarp(0xffff0000);
        int v = s[47 - t] + s[16 + (t + 1) % 16];
        __syncwarp(0xffff0000);
        s[t] = v;
    }
    __syncwarp();
    x[t] = s[(t + 16) % 32];
}

int main()
{
    int x[32], y[32], *d_x;
    bool right = true;

    for (int i = 0; i < 32; i++)
        x[i] = i * i;
    cudaMalloc(&d_x, sizeof x);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    mirror_halves<<<1, 32>>>(d_x);
    cudaMemcpy(y, d_x, sizeof y, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 32; t++) {
        int k = (t + 16) % 32;
        right = right && y[t] == (k < 16 ? x[15 - k] : x[47 - k] + x[16 + (k + 1) % 16]);
    }
    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    cudaFree(d_x);
    return right ? 0 : 1;
}
