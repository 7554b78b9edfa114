// expect: host-pointer
// The host's vector has room for half of what is copied into it, whose end is memory of others.
// Without BUG: it has room for all; so has an array that was made longer before the copy.
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

__global__ void count_kernel(int *d, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        d[i] = i;
}

int main()
{
    const int n = 1000;
#ifdef BUG
    std::vector<int> h(n / 2);
#else
    std::vector<int> h(n);
#endif
    int *d, *longer = (int *)malloc(n / 2 * sizeof(int));
    cudaMalloc(&d, n * sizeof(int));
    count_kernel<<<4, 256>>>(d, n);
    longer = (int *)realloc(longer, n * sizeof(int));
    cudaMemcpy(longer, d, n * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(h.data() + n / 4, d, n / 4 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(h.data(), d, n * sizeof(int), cudaMemcpyDeviceToHost); // EXPECTED
    const bool right = longer[n - 1] == n - 1 && h[n / 4] == n / 4;
    cudaFree(d);
    free(longer);
    return right ? 0 : 1;
}
