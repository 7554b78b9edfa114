/* Running sums in a block, by doubling distances and by a tree up and down: dynamic shared memory
 * of two sizes. */
#include <cstdio>
#include <cuda_runtime.h>

#define N 64

__global__ void doubling_kernel(const int *x, int *y, int n)
{
    extern __shared__ int s[];
    int in = 0, out = 1;
    const int t = threadIdx.x;
    s[t] = x[t];
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        s[out * n + t] = t >= d ? s[in * n + t] + s[in * n + t - d] : s[in * n + t];
        in = out;
        out = 1 - in;
        __syncthreads();
    }
    y[t] = s[in * n + t];
}

__global__ void tree_kernel(const int *x, int *y, int n)
{
    extern __shared__ int s[];
    const int t = threadIdx.x;
    int step = 1;
    s[2 * t] = x[2 * t];
    s[2 * t + 1] = x[2 * t + 1];
    for (int d = n / 2; d > 0; d /= 2, step *= 2) {
        __syncthreads();
        if (t < d)
            s[step * (2 * t + 2) - 1] += s[step * (2 * t + 1) - 1];
    }
    if (t == 0)
        s[n - 1] = 0;
    for (int d = 1; d < n; d *= 2) {
        step /= 2;
        __syncthreads();
        if (t < d) {
            const int low = step * (2 * t + 1) - 1, high = step * (2 * t + 2) - 1, left = s[low];
            s[low] = s[high];
            s[high] += left;
        }
    }
    __syncthreads();
    y[2 * t] = s[2 * t];
    y[2 * t + 1] = s[2 * t + 1];
}

int main()
{
    int x[N], with[N], without[N], *d_x, *d_y;
    bool right = true;
    for (int i = 0; i < N; i++)
        x[i] = i + 1;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof x);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    doubling_kernel<<<1, N, 2 * N * sizeof(int)>>>(d_x, d_y, N);
    cudaMemcpy(with, d_y, sizeof with, cudaMemcpyDeviceToHost);
    tree_kernel<<<1, N / 2, N * sizeof(int)>>>(d_x, d_y, N);
    cudaMemcpy(without, d_y, sizeof without, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        right = right && with[i] == (i + 1) * (i + 2) / 2 && without[i] == i * (i + 1) / 2;
    cudaFree(d_x);
    cudaFree(d_y);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
