// expect: oob-host
// sprintf writes a name into a block that has no room for its end: a library, of which the
// compiler tells nothing.
// Without BUG: there is room.
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
    const int n = 64;
    float x[n];
#ifdef BUG
    const int room = 8;
#else
    const int room = 9;
#endif
    char *name = (char *)malloc(room); // EXPECTED
    sprintf(name, "array_%02d", n);
    for (int i = 0; i < n; i++)
        x[i] = 1;
    const bool right = sum_of(x, n) == (float)n;
    printf("%s: %s\n", name, right ? "PASS" : "FAIL");
    free(name);
    return !right;
}
