// expect: oob-global
// cudaMalloc gets the number of elements where it wants bytes.
// Without BUG: n * sizeof(int).
#include <cstdio>
#include <vector>

__global__ void fill_kernel(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = 3 * i; // EXPECTED
}

int main()
{
    const int n = 1024;
    std::vector<int> x(n);
    int *d_x, wrong = 0;
#ifdef BUG
    cudaMalloc(&d_x, n);
#else
    cudaMalloc(&d_x, n * sizeof(int));
#endif
    fill_kernel<<<(n + 127) / 128, 128>>>(d_x, n);
    cudaMemcpy(x.data(), d_x, n * sizeof(int), cudaMemcpyDeviceToHost); // EXPECTED
    for (int i = 0; i < n; i++)
        wrong += x[i] != 3 * i;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    return wrong != 0;
}
