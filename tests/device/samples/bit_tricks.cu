/* Instructions on bits, all of one word: popc, clz, ffs, brev, byte_perm, funnelshift. */
#include <cstdio>
#include <cuda_runtime.h>

__global__ void bits_kernel(const unsigned *x, int *y)
{
    const unsigned v = x[threadIdx.x];
    int *out = y + 8 * threadIdx.x;
    out[0] = __popc(v);
    out[1] = __clz((int)v);
    out[2] = __ffs((int)v);
    out[3] = (int)__brev(v);
    out[4] = (int)__byte_perm(v, 0, 0x0123);
    out[5] = (int)__funnelshift_l(v, v, 8);
    out[6] = __popcll((unsigned long long)v << 32 | v);
    out[7] = (int)__umulhi(v, 1u << 16);
}

int main()
{
    const unsigned x[3] = {0, 1, 0xF0001234u};
    const int wanted[3][8] = {{0, 32, 0, 0, 0, 0, 0, 0},
                              {1, 31, 1, (int)0x80000000u, 0x01000000, 0x100, 2, 0},
                              {9, 0, 3, 0x2C48000F, 0x341200F0, 0x001234F0, 18, 0xF000}};
    unsigned *d_x;
    int y[3][8], *d_y;
    bool right = true;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    bits_kernel<<<1, 3>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 3; i++)
        for (int k = 0; k < 8; k++)
            right = right && y[i][k] == wanted[i][k];
    cudaFree(d_x);
    cudaFree(d_y);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
