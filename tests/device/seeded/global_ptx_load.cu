// expect: oob-global
// Each thread takes four values by an instruction of PTX, where the last has one left.
// Without BUG: who has no four takes them one by one.
#include <cstdio>
#include <cuda_runtime.h>

#define N 253

__device__ float4 load_four(const float *p)
{
    float4 v;
    asm volatile("ld.global.nc.v4.f32 {%0, %1, %2, %3}, [%4];" // EXPECTED
                 : "=f"(v.x), "=f"(v.y), "=f"(v.z), "=f"(v.w)
                 : "l"(p)); // EXPECTED
    return v;
}

__global__ void sum_kernel(const float *x, int n, float *sums)
{
    const int i = 4 * threadIdx.x;
    float sum = 0;
#ifdef BUG
    if (i < n) {
#else
    if (i + 3 < n) {
#endif
        const float4 v = load_four(x + i);
        sum = v.x + v.y + v.z + v.w;
    } else {
        for (int k = i; k < n; k++)
            sum += x[k];
    }
    sums[threadIdx.x] = sum;
}

int main()
{
    float x[N], sums[64], *d_x, *d_sums;
    int wrong = 0;
    for (int i = 0; i < N; i++)
        x[i] = i % 10;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_sums, sizeof sums);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    sum_kernel<<<1, 64>>>(d_x, N, d_sums);
    cudaMemcpy(sums, d_sums, sizeof sums, cudaMemcpyDeviceToHost);
    for (int t = 0; t < 64; t++) {
        float sum = 0;
        for (int k = 4 * t; k < 4 * t + 4 && k < N; k++)
            sum += x[k];
        wrong += sums[t] != sum;
    }
    cudaFree(d_x);
    cudaFree(d_sums);
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
