// expect: launch-error
// One thread divides by zero, for which a GPU gives any number.
// Without BUG: it is left out.
#include <cstdio>
#include <cuda_runtime.h>

__global__ void share(const int *parts, int *each)
{
    int n = parts[threadIdx.x];
#ifdef BUG
    each[threadIdx.x] = 1000 / n; // EXPECTED
#else
    each[threadIdx.x] = n ? 1000 / n : 0;
#endif
}

int main()
{
    int parts[16], each[16], *d_parts, *d_each;
    bool right = true;
    for (int i = 0; i < 16; i++)
        parts[i] = (i + 5) % 16;
    cudaMalloc(&d_parts, sizeof parts);
    cudaMalloc(&d_each, sizeof each);
    cudaMemcpy(d_parts, parts, sizeof parts, cudaMemcpyHostToDevice);
    share<<<1, 16>>>(d_parts, d_each);
    cudaMemcpy(each, d_each, sizeof each, cudaMemcpyDeviceToHost);
    cudaFree(d_parts);
    cudaFree(d_each);
    for (int i = 0; i < 16; i++)
        right = right && each[i] == (parts[i] ? 1000 / parts[i] : 0);
    printf("%s\n", right ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
