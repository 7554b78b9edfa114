// expect: host-pointer
// cudaMemcpy fills a __constant__ array by its name: that is its address on the host.
// Without BUG: cudaMemcpyToSymbol.
#include <cstdio>
#include <cuda_runtime.h>

__constant__ float weights[3];

__global__ void scale(float *x)
{
    x[threadIdx.x] *= weights[threadIdx.x % 3];
}

int main()
{
    const float w[3] = {2, 3, 4};
    float x[30], *d_x;
    bool right = true;
    for (int i = 0; i < 30; i++)
        x[i] = (float)i;
    cudaMalloc(&d_x, sizeof x);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
#ifdef BUG
    cudaMemcpy(weights, w, sizeof w, cudaMemcpyHostToDevice); // EXPECTED
#else
    cudaMemcpyToSymbol(weights, w, sizeof w);
#endif
    scale<<<1, 30>>>(d_x);
    cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    for (int i = 0; i < 30; i++)
        right = right && x[i] == (float)i * w[i % 3];
    printf("%s\n", right ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
