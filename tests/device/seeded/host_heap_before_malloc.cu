// expect: oob-host
// A halo on the left is written where the array has none.
// Without BUG: the array begins with it.
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
    const int n = 200;
#ifdef BUG
    const int halo = 0;
#else
    const int halo = 1;
#endif
    float *all = (float *)malloc((n + halo) * sizeof(float));
    float *x = all + halo;
    for (int i = -1; i < n; i++)
        x[i] = i < 0 ? 0.0f : 1.0f; // EXPECTED
    const bool right = sum_of(x, n) == (float)n;
    printf("%s\n", right ? "PASS" : "FAIL");
    free(all);
    return !right;
}
