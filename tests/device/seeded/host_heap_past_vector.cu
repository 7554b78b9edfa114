// expect: oob-host
// The loop that fills a vector runs to its size, so that the last element is written behind it.
// Without BUG: it stops before.
#include <cstdio>
#include <vector>

__global__ void scale_kernel(float *x, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] *= 2;
}

int main()
{
    const int n = 1000;
    std::vector<float> x(n);
    float *d_x;
    int wrong = 0;
#ifdef BUG
    const int last = n;
#else
    const int last = n - 1;
#endif
    for (int i = 0; i <= last; i++)
        x[i] = (float)i; // EXPECTED
    cudaMalloc(&d_x, n * sizeof(float));
    cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    scale_kernel<<<(n + 127) / 128, 128>>>(d_x, n);
    cudaMemcpy(x.data(), d_x, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        wrong += x[i] != 2.0f * (float)i;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    return wrong != 0;
}
