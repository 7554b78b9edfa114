// The twin of global_bytes_for_elements.bug.cu: n * sizeof(int).
#include <cstdio>
#include <vector>

__global__ void fill_kernel(int *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = 3 * i;
}

int main()
{
    const int n = 1024;
    std::vector<int> x(n);
    int *d_x, wrong = 0;
    cudaMalloc(&d_x, n * sizeof(int));
    fill_kernel<<<(n + 127) / 128, 128>>>(d_x, n);
    cudaMemcpy(x.data(), d_x, n * sizeof(int), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        wrong += x[i] != 3 * i;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    return wrong != 0;
}
