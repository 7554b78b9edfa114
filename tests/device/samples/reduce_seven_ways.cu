/* The same sum seven ways, each a step from the one before: from interleaved threads to warps of
 * their own. */
#include <cstdio>
#include <cuda_runtime.h>

#define N       4096
#define THREADS 128

__global__ void interleaved_kernel(const int *x, int *sums)
{
    __shared__ int s[THREADS];
    const int t = threadIdx.x;
    s[t] = x[blockIdx.x * THREADS + t];
    __syncthreads();
    for (int step = 1; step < THREADS; step *= 2) {
        if (t % (2 * step) == 0)
            s[t] += s[t + step];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = s[0];
}

__global__ void strided_kernel(const int *x, int *sums)
{
    __shared__ int s[THREADS];
    const int t = threadIdx.x;
    s[t] = x[blockIdx.x * THREADS + t];
    __syncthreads();
    for (int step = 1; step < THREADS; step *= 2) {
        const int i = 2 * step * t;
        if (i < THREADS)
            s[i] += s[i + step];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = s[0];
}

__global__ void halves_kernel(const int *x, int *sums)
{
    __shared__ int s[THREADS];
    const int t = threadIdx.x;
    s[t] = x[blockIdx.x * THREADS + t];
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = s[0];
}

__global__ void first_add_kernel(const int *x, int *sums)
{
    __shared__ int s[THREADS];
    const int t = threadIdx.x, i = blockIdx.x * 2 * THREADS + t;
    s[t] = x[i] + x[i + THREADS];
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t == 0)
        sums[blockIdx.x] = s[0];
}

__device__ int warp_sum(int value)
{
    for (int d = 16; d > 0; d /= 2)
        value += __shfl_down_sync(0xffffffff, value, d);
    return value;
}

__global__ void last_warp_kernel(const int *x, int *sums)
{
    __shared__ int s[THREADS];
    const int t = threadIdx.x, i = blockIdx.x * 2 * THREADS + t;
    s[t] = x[i] + x[i + THREADS];
    __syncthreads();
    for (int half = THREADS / 2; half >= 32; half /= 2) {
        if (t < half)
            s[t] += s[t + half];
        __syncthreads();
    }
    if (t < 32) {
        const int sum = warp_sum(s[t]);
        if (t == 0)
            sums[blockIdx.x] = sum;
    }
}

template <int SIZE> __global__ void unrolled_kernel(const int *x, int *sums)
{
    __shared__ int s[SIZE];
    const int t = threadIdx.x, i = blockIdx.x * 2 * SIZE + t;
    s[t] = x[i] + x[i + SIZE];
    __syncthreads();
    if (SIZE >= 128) {
        if (t < 64)
            s[t] += s[t + 64];
        __syncthreads();
    }
    if (SIZE >= 64) {
        if (t < 32)
            s[t] += s[t + 32];
        __syncthreads();
    }
    if (t < 32) {
        const int sum = warp_sum(s[t]);
        if (t == 0)
            sums[blockIdx.x] = sum;
    }
}

__global__ void many_each_kernel(const int *x, int *sums, int n)
{
    __shared__ int warps[THREADS / 32];
    const int t = threadIdx.x;
    int sum = 0;
    for (int i = blockIdx.x * THREADS + t; i < n; i += gridDim.x * THREADS)
        sum += x[i];
    sum = warp_sum(sum);
    if (t % 32 == 0)
        warps[t / 32] = sum;
    __syncthreads();
    if (t < 32) {
        sum = warp_sum(t < THREADS / 32 ? warps[t] : 0);
        if (t == 0)
            sums[blockIdx.x] = sum;
    }
}

static int total(const int *d_sums, int blocks)
{
    int sums[N / THREADS], all = 0;
    cudaMemcpy(sums, d_sums, blocks * sizeof(int), cudaMemcpyDeviceToHost);
    for (int b = 0; b < blocks; b++)
        all += sums[b];
    return all;
}

int main()
{
    static int x[N];
    int *d_x, *d_sums, right = 0;
    const int blocks = N / THREADS, wanted = N * (N - 1) / 2;
    for (int i = 0; i < N; i++)
        x[i] = i;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_sums, blocks * sizeof(int));
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    interleaved_kernel<<<blocks, THREADS>>>(d_x, d_sums);
    right += total(d_sums, blocks) == wanted;
    strided_kernel<<<blocks, THREADS>>>(d_x, d_sums);
    right += total(d_sums, blocks) == wanted;
    halves_kernel<<<blocks, THREADS>>>(d_x, d_sums);
    right += total(d_sums, blocks) == wanted;
    first_add_kernel<<<blocks / 2, THREADS>>>(d_x, d_sums);
    right += total(d_sums, blocks / 2) == wanted;
    last_warp_kernel<<<blocks / 2, THREADS>>>(d_x, d_sums);
    right += total(d_sums, blocks / 2) == wanted;
    unrolled_kernel<THREADS><<<blocks / 2, THREADS>>>(d_x, d_sums);
    right += total(d_sums, blocks / 2) == wanted;
    many_each_kernel<<<4, THREADS>>>(d_x, d_sums, N);
    right += total(d_sums, 4) == wanted;
    cudaFree(d_x);
    cudaFree(d_sums);
    printf("%s: %d of 7\n", right == 7 ? "PASS" : "FAIL", right);
    return right != 7;
}
