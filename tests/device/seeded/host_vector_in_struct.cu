// expect: host-pointer
// A structure that is passed to the kernel by value holds the address of a host vector's
// elements.
// Without BUG: the structure holds the address of their copy on the device.
#include <cstdio>
#include <vector>

struct polynomial {
    const double *coefficients;
    int degree;
};

__global__ void evaluate_kernel(polynomial p, const double *x, double *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    double sum = 0;
    for (int k = p.degree; k >= 0; k--)
        sum = sum * x[i] + p.coefficients[k]; // EXPECTED
    y[i] = sum;
}

int main()
{
    const int n = 200;
    std::vector<double> coefficients = {1, -2, 0, 3}, x(n), y(n);
    double *d_coefficients, *d_x, *d_y;
    int wrong = 0;
    for (int i = 0; i < n; i++)
        x[i] = i % 21 - 10;
    cudaMalloc(&d_coefficients, 4 * sizeof(double));
    cudaMalloc(&d_x, n * sizeof(double));
    cudaMalloc(&d_y, n * sizeof(double));
    cudaMemcpy(d_coefficients, coefficients.data(), 4 * sizeof(double), cudaMemcpyHostToDevice);
    cudaMemcpy(d_x, x.data(), n * sizeof(double), cudaMemcpyHostToDevice);
#ifdef BUG
    polynomial p = {coefficients.data(), 3};
#else
    polynomial p = {d_coefficients, 3};
#endif
    evaluate_kernel<<<(n + 63) / 64, 64>>>(p, d_x, d_y, n);
    cudaMemcpy(y.data(), d_y, n * sizeof(double), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        wrong += y[i] != 3 * x[i] * x[i] * x[i] - 2 * x[i] + 1;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_coefficients);
    cudaFree(d_x);
    cudaFree(d_y);
    return wrong != 0;
}
