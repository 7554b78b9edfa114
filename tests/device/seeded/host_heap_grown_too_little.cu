// expect: oob-host
// realloc makes room for as many bytes as there are elements.
// Without BUG: for as many elements.
#include <cstdio>
#include <cstdlib>

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
    const int n = 50;
    float *x = (float *)malloc(10 * sizeof(float));
#ifdef BUG
    const size_t element = 1;
#else
    const size_t element = sizeof(float);
#endif
    x = (float *)realloc(x, n * element);
    for (int i = 0; i < n; i++)
        x[i] = 3; // EXPECTED
    const bool right = sum_of(x, n) == 3.0f * (float)n;
    printf("%s\n", right ? "PASS" : "FAIL");
    free(x);
    return !right;
}
