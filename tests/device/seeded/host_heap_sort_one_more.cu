// expect: oob-host
// std::sort gets an end behind the vector's.
// Without BUG: it gets the end.
#include <algorithm>
#include <cstdio>
#include <vector>

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
    const int n = 90;
    std::vector<float> x(n);
    for (int i = 0; i < n; i++)
        x[i] = (float)(i * 7 % n);
#ifdef BUG
    const int more = 1;
#else
    const int more = 0;
#endif
    std::sort(x.data(), x.data() + n + more); // EXPECTED
    const bool right = sum_of(x.data(), n) == (float)(n * (n - 1) / 2);
    printf("%s\n", right ? "PASS" : "FAIL");
    return !right;
}
