/* What passes a test moves to the front, in order: flags, their running sum over blocks, a scatter.
 */
#include <cstdio>
#include <cuda_runtime.h>

#define N       640
#define THREADS 64
#define BLOCKS  (N / THREADS)

__device__ bool is_wanted(int x)
{
    return x % 3 == 0;
}

__global__ void count_kernel(const int *x, int *counts)
{
    const int n = __syncthreads_count(is_wanted(x[blockIdx.x * THREADS + threadIdx.x]));
    if (threadIdx.x == 0)
        counts[blockIdx.x] = n;
}

__global__ void starts_kernel(const int *counts, int *starts)
{
    int sum = 0;
    for (int b = 0; b < BLOCKS; b++) {
        starts[b] = sum;
        sum += counts[b];
    }
    starts[BLOCKS] = sum;
}

__global__ void move_kernel(const int *x, const int *starts, int *y)
{
    __shared__ int before[THREADS / 32];
    const int t = threadIdx.x, value = x[blockIdx.x * THREADS + t];
    const unsigned ballot = __ballot_sync(0xffffffff, is_wanted(value));
    if (t % 32 == 0)
        before[t / 32] = __popc(ballot);
    __syncthreads();
    int place = starts[blockIdx.x] + __popc(ballot & ((1u << t % 32) - 1));
    for (int w = 0; w < t / 32; w++)
        place += before[w];
    if (is_wanted(value))
        y[place] = value;
}

int main()
{
    int x[N], y[N], n, *d_x, *d_y, *d_counts, *d_starts;
    bool right = true;
    for (int i = 0; i < N; i++)
        x[i] = i;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof x);
    cudaMalloc(&d_counts, BLOCKS * sizeof(int));
    cudaMalloc(&d_starts, (BLOCKS + 1) * sizeof(int));
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    count_kernel<<<BLOCKS, THREADS>>>(d_x, d_counts);
    starts_kernel<<<1, 1>>>(d_counts, d_starts);
    move_kernel<<<BLOCKS, THREADS>>>(d_x, d_starts, d_y);
    cudaMemcpy(&n, d_starts + BLOCKS, sizeof n, cudaMemcpyDeviceToHost);
    cudaMemcpy(y, d_y, n * sizeof(int), cudaMemcpyDeviceToHost);
    right = n == 214;
    for (int i = 0; i < n; i++)
        right = right && y[i] == 3 * i;
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_counts);
    cudaFree(d_starts);

    printf("%s\n", right && cudaGetLastError() == cudaSuccess ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
