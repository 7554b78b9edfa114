// expect: oob-host
// The host adds up one element more than new[] gave.
// Without BUG: it adds up as many.
#include <cstdio>

__global__ void add_kernel(const float *x, float *sum, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(sum, x[i]);
}

/* The sum of n floats of the host, on the device. */
static float sum_of(const float *x, int n)
{
    float *d_x, *d_sum, sum = 0;
    cudaMalloc(&d_x, n * sizeof(float));
    cudaMalloc(&d_sum, sizeof(float));
    cudaMemcpy(d_x, x, n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_sum, &sum, sizeof(float), cudaMemcpyHostToDevice);
    add_kernel<<<(n + 63) / 64, 64>>>(d_x, d_sum, n);
    cudaMemcpy(&sum, d_sum, sizeof(float), cudaMemcpyDeviceToHost);
    cudaFree(d_x);
    cudaFree(d_sum);
    return sum;
}

int main()
{
    const int n = 300;
    float *x = new float[n], wanted = 0;
    for (int i = 0; i < n; i++)
        x[i] = (float)(i % 5);
#ifdef BUG
    for (int i = 0; i <= n; i++)
#else
    for (int i = 0; i < n; i++)
#endif
        wanted += x[i]; // EXPECTED
    const bool right = sum_of(x, n) == wanted;
    printf("%s\n", right ? "PASS" : "FAIL");
    delete[] x;
    return !right;
}
