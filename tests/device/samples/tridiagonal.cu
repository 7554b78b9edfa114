/* Tridiagonal systems by cyclic reduction, a block a system. */
#include <cstdio>
#include <cuda_runtime.h>

#define N 32

__global__ void reduce_kernel(const float *d, float *x)
{
    __shared__ float a[N], b[N], c[N], r[N];
    const int t = threadIdx.x;
    a[t] = t > 0 ? -1 : 0;
    b[t] = 2.5f;
    c[t] = t < N - 1 ? -1 : 0;
    r[t] = d[blockIdx.x * N + t];
    for (int step = 1; step < N; step *= 2) {
        __syncthreads();
        const int l = t - step, h = t + step;
        const float up = l >= 0 ? a[t] / b[l] : 0, down = h < N ? c[t] / b[h] : 0;
        const float na = l >= 0 ? -a[l] * up : 0, nc = h < N ? -c[h] * down : 0;
        const float nb = b[t] - (l >= 0 ? c[l] * up : 0) - (h < N ? a[h] * down : 0);
        const float nr = r[t] - (l >= 0 ? r[l] * up : 0) - (h < N ? r[h] * down : 0);
        __syncthreads();
        a[t] = na;
        b[t] = nb;
        c[t] = nc;
        r[t] = nr;
    }
    x[blockIdx.x * N + t] = r[t] / b[t];
}

int main()
{
    float d[3 * N], x[3 * N], *d_d, *d_x;
    bool right = true;
    for (int s = 0; s < 3; s++)
        for (int i = 0; i < N; i++) /* the solution is s + i */
            d[s * N + i] = 2.5f * (s + i) - (i > 0 ? s + i - 1 : 0) - (i < N - 1 ? s + i + 1 : 0);
    cudaMalloc(&d_d, sizeof d);
    cudaMalloc(&d_x, sizeof x);
    cudaMemcpy(d_d, d, sizeof d, cudaMemcpyHostToDevice);
    reduce_kernel<<<3, N>>>(d_d, d_x);
    cudaMemcpy(x, d_x, sizeof x, cudaMemcpyDeviceToHost);
    for (int i = 0; i < 3 * N; i++)
        right = right && x[i] - (i / N + i % N) < 1e-3f && i / N + i % N - x[i] < 1e-3f;
    cudaFree(d_d);
    cudaFree(d_x);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
