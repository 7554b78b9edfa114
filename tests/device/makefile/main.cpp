/* The host's part, by its own compiler. */
#include <cuda_runtime.h>

#include <cmath>
#include <cstdio>

#include "kernels.h"

extern "C" int words(void);

__host__ __device__ static float root(float x)
{
    return std::sqrt(x);
}

int main()
{
    float host[40], *x;
    for (int i = 0; i < 40; i++)
        host[i] = root((float)(i * i));
    cudaMalloc((void **)&x, sizeof host);
    cudaMemcpy(x, host, sizeof host, cudaMemcpyHostToDevice);
    scale(x, 2, 40);
    cudaMemcpy(host, x, sizeof host, cudaMemcpyDeviceToHost);
    cudaFree(x);
    std::printf("%g, %d words\n", host[39], words());
    return 0;
}
