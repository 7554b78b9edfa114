// expect: device-pointer
// The function that compares with the host's result is given the device's array.
// Without BUG: it is given the copy.
#include <cmath>
#include <cstdio>
#include <vector>

__global__ void saxpy_kernel(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

static bool near_enough(const float *got, const std::vector<float> &want)
{
    for (size_t i = 0; i < want.size(); i++)
        if (!(std::fabs(got[i] - want[i]) < 1e-6f)) // EXPECTED
            return false;
    return true;
}

int main()
{
    const int n = 150;
    std::vector<float> x(n), y(n), want(n);
    for (int i = 0; i < n; i++) {
        x[i] = i;
        y[i] = n - i;
        want[i] = 2 * x[i] + y[i];
    }
    float *d_x, *d_y;
    cudaMalloc(&d_x, n * sizeof(float));
    cudaMalloc(&d_y, n * sizeof(float));
    cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    saxpy_kernel<<<(n + 31) / 32, 32>>>(2, d_x, d_y, n);
    cudaMemcpy(y.data(), d_y, n * sizeof(float), cudaMemcpyDeviceToHost);
#ifdef BUG
    bool right = near_enough(d_y, want);
#else
    bool right = near_enough(y.data(), want);
#endif
    printf("%s\n", right ? "PASS" : "FAIL");
    cudaFree(d_x);
    cudaFree(d_y);
    return !right;
}
