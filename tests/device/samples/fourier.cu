/* A fast Fourier transform of a block, in shared memory: a wave becomes two peaks. */
#include <cstdio>
#include <cuda_runtime.h>

#define N 64

__global__ void transform_kernel(const float2 *x, float2 *y)
{
    __shared__ float2 s[N];
    const int t = threadIdx.x;
    s[__brev(2 * t) >> 26] = x[2 * t];
    s[__brev(2 * t + 1) >> 26] = x[2 * t + 1];
    for (int half = 1; half < N; half *= 2) {
        __syncthreads();
        const int k = t % half, low = t / half * 2 * half + k, high = low + half;
        float sine, cosine;
        sincospif(-(float)k / half, &sine, &cosine);
        const float2 a = s[low], b = s[high];
        const float2 turned = make_float2(b.x * cosine - b.y * sine, b.x * sine + b.y * cosine);
        s[low] = make_float2(a.x + turned.x, a.y + turned.y);
        s[high] = make_float2(a.x - turned.x, a.y - turned.y);
    }
    __syncthreads();
    y[t] = s[t];
    y[t + N / 2] = s[t + N / 2];
}

int main()
{
    float2 x[N], y[N], *d_x, *d_y;
    bool right = true;
    for (int i = 0; i < N; i++) /* a wave of a quarter of the samples: 1, 0, -1, 0 .. */
        x[i] = make_float2(i % 4 == 0 ? 1 : i % 4 == 2 ? -1 : 0, 0);
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    transform_kernel<<<1, N / 2>>>(d_x, d_y);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++) {
        const float wanted = i == N / 4 || i == 3 * N / 4 ? N / 2 : 0;
        right = right && y[i].x - wanted < 1e-3f && wanted - y[i].x < 1e-3f && y[i].y < 1e-3f &&
                -y[i].y < 1e-3f;
    }
    cudaFree(d_x);
    cudaFree(d_y);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
