/* Votes in loops of different lengths: who goes on names itself for the next round. */
#include <cstdio>
#include <cuda_runtime.h>

__global__ void halve(const int *x, int *rounds, unsigned *last)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, v = x[i], n = 0;
    unsigned mask = __ballot_sync(0xffffffff, v > 1), before = 0;
    while (v > 1) {
        v /= 2;
        n++;
        before = mask;
        mask = __ballot_sync(mask, v > 1);
    }
    __syncwarp();
    rounds[i] = n;
    last[i] = before; /* the lanes of this lane's last round */
}

int main()
{
    const int n = 96;
    int x[n], rounds[n], *d_x, *d_rounds;
    unsigned last[n], *d_last;
    bool right = true;

    for (int i = 0; i < n; i++)
        x[i] = i * i * 5 % 700;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_rounds, sizeof rounds);
    cudaMalloc(&d_last, sizeof last);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    halve<<<n / 48, 48>>>(d_x, d_rounds, d_last); /* the second warp of a block has 16 lanes */
    cudaMemcpy(rounds, d_rounds, sizeof rounds, cudaMemcpyDeviceToHost);
    cudaMemcpy(last, d_last, sizeof last, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        int wanted = 0, first = i / 48 * 48 + (i % 48 < 32 ? 0 : 32), end = first % 48 ? 16 : 32;
        unsigned mask = 0;
        for (int v = x[i]; v > 1; v /= 2)
            wanted++;
        for (int k = 0; k < end; k++) /* those that had as many rounds, or more */
            if (wanted > 0 && x[first + k] >> (wanted - 1) > 1)
                mask |= 1u << k;
        right = right && rounds[i] == wanted && last[i] == mask;
    }
    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    cudaFree(d_x);
    cudaFree(d_rounds);
    cudaFree(d_last);
    return right ? 0 : 1;
}
