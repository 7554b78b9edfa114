/* Storage and arithmetic in half precision, alone and in pairs. */
#include <cmath>
#include <cstdio>
#include <cuda_fp16.h>
#include <cuda_runtime.h>

__global__ void to_half(const float *x, __half *h, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        h[i] = __float2half(x[i]);
}

__global__ void axpy(__half a, const __half *x, __half *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = __hfma(a, x[i], y[i]);
}

__global__ void scalar_product(const half2 *a, const half2 *b, float *result, int pairs)
{
    __shared__ half2 s[128];
    half2 sum = __float2half2_rn(0.f);
    for (int i = threadIdx.x; i < pairs; i += blockDim.x)
        sum = __hfma2(a[i], b[i], sum);
    s[threadIdx.x] = sum;
    for (int d = blockDim.x / 2; d > 0; d /= 2) {
        __syncthreads();
        if (threadIdx.x < d)
            s[threadIdx.x] = __hadd2(s[threadIdx.x], s[threadIdx.x + d]);
    }
    if (threadIdx.x == 0)
        *result = __low2float(s[0]) + __high2float(s[0]);
}

__global__ void operators(const __half *x, float *out)
{
    __half a = x[threadIdx.x], b = __half(0.5f);
    __half c = a * b + a - b;
    c = __hgt(c, b) ? c : __hneg(c);
    float2 pair = __half22float2(__halves2half2(c, hsqrt(__habs(a))));
    out[threadIdx.x] = pair.x + pair.y;
}

int main()
{
    const int n = 2048;
    static float x[n], y[n], sums[n];
    static __half h[n];
    float *d_x, *d_result, result, want = 0;
    __half *d_h, *d_y;
    int wrong = 0;

    for (int i = 0; i < n; i++)
        x[i] = (i % 7 - 3) * 0.25f;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_h, n * sizeof(__half));
    cudaMalloc(&d_y, n * sizeof(__half));
    cudaMalloc(&d_result, 64 * sizeof(float));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    to_half<<<n / 256, 256>>>(d_x, d_h, n);
    to_half<<<n / 256, 256>>>(d_x, d_y, n);
    axpy<<<n / 256, 256>>>(__float2half(2.0f), d_h, d_y, n);
    cudaMemcpy(h, d_y, sizeof(h), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++) {
        y[i] = __half2float(h[i]);
        wrong += y[i] != 3 * x[i];
        want += x[i] * 3 * x[i];
    }
    scalar_product<<<1, 128>>>((const half2 *)d_h, (const half2 *)d_y, d_result, n / 2);
    cudaMemcpy(&result, d_result, sizeof(float), cudaMemcpyDeviceToHost);
    wrong += !(std::fabs(result - want) <= 0.01f * want);

    operators<<<1, 64>>>(d_h, d_result);
    cudaMemcpy(sums, d_result, 64 * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < 64; i++) {
        float c = x[i] * 0.5f + x[i] - 0.5f;
        c = c > 0.5f ? c : -c;
        wrong += !(std::fabs(sums[i] - (c + std::sqrt(std::fabs(x[i])))) < 2e-3f);
    }
    printf("%s: %d wrong, %zu bytes each\n", wrong ? "FAIL" : "PASS", wrong, sizeof(__half));
    cudaFree(d_x);
    cudaFree(d_h);
    cudaFree(d_y);
    cudaFree(d_result);
    return wrong != 0;
}
