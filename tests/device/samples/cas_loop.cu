/* Atomic operations that a device lacks, made of atomicCAS as CUDA's guide teaches: the old value
 * is read plainly first, and a wrong guess costs another round. And a lock for a block. */
#include <cmath>
#include <cstdio>
#include <cuda_runtime.h>

__device__ double atomicAddDouble(double *address, double val)
{
    unsigned long long int *address_as_ull = (unsigned long long int *)address;
    unsigned long long int old = *address_as_ull, assumed;
    do {
        assumed = old;
        old = atomicCAS(address_as_ull, assumed,
                        __double_as_longlong(val + __longlong_as_double(assumed)));
    } while (assumed != old);
    return __longlong_as_double(old);
}

__device__ float atomicMulFloat(float *address, float val)
{
    int old = __float_as_int(*address), assumed;
    do {
        assumed = old;
        old = atomicCAS((int *)address, assumed, __float_as_int(val * __int_as_float(assumed)));
    } while (assumed != old);
    return __int_as_float(old);
}

__global__ void accumulate(const float *x, double *sum, float *product, int n)
{
    __shared__ double block_sum;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        block_sum = 0;
    __syncthreads();
    if (i < n) {
        atomicAddDouble(&block_sum, x[i]);
        if (i % 100 == 0)
            atomicMulFloat(product, 2);
    }
    __syncthreads();
    if (threadIdx.x == 0)
        atomicAddDouble(sum, block_sum);
}

struct extremes {
    int lock, least, most, at;
};

/* One thread of a block at a time has the lock; the fences keep what it guards inside. */
__global__ void find_extremes(const float *x, extremes *e, int n)
{
    __shared__ int least, most;
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (threadIdx.x == 0)
        least = 1 << 30, most = -1;
    __syncthreads();
    if (i < n) {
        atomicMin(&least, (int)x[i]);
        atomicMax(&most, (int)x[i]);
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        while (atomicCAS(&e->lock, 0, 1) != 0) {
        }
        __threadfence();
        if (least < e->least)
            e->least = least;
        if (most > e->most) {
            e->most = most;
            e->at = blockIdx.x;
        }
        __threadfence();
        atomicExch(&e->lock, 0);
    }
}

int main()
{
    const int n = 1000;
    float x[n], *d_x, product = 1, *d_product;
    double sum = 0, want = 0, *d_sum;
    extremes e = {0, 1 << 30, -1, -1}, *d_e;
    for (int i = 0; i < n; i++)
        want += x[i] = i * 389 % 997;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_product, sizeof(product));
    cudaMalloc(&d_sum, sizeof(sum));
    cudaMalloc(&d_e, sizeof(e));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemcpy(d_product, &product, sizeof(product), cudaMemcpyHostToDevice);
    cudaMemcpy(d_sum, &sum, sizeof(sum), cudaMemcpyHostToDevice);
    cudaMemcpy(d_e, &e, sizeof(e), cudaMemcpyHostToDevice);
    accumulate<<<(n + 63) / 64, 64>>>(d_x, d_sum, d_product, n);
    find_extremes<<<(n + 63) / 64, 64>>>(d_x, d_e, n);
    cudaMemcpy(&sum, d_sum, sizeof(sum), cudaMemcpyDeviceToHost);
    cudaMemcpy(&product, d_product, sizeof(product), cudaMemcpyDeviceToHost);
    cudaMemcpy(&e, d_e, sizeof(e), cudaMemcpyDeviceToHost);
    bool right = sum == want && product == 1024 && e.lock == 0 && e.least == 0 && e.most == 996;
    right = right && e.at >= 0 && x[e.at * 64] >= 0;
    printf("%s: sum %.0f, expected %.0f, from %d to %d\n", right ? "PASS" : "FAIL", sum, want,
           e.least, e.most);
    cudaFree(d_x);
    cudaFree(d_product);
    cudaFree(d_sum);
    cudaFree(d_e);
    return !right;
}
