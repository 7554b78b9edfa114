/* Kernels whose threads wait in ways that their own text does not show: block sums in shared
 * memory, one way each. */
#include <cassert>
#include <cstdio>

enum { BLOCK = 96, BLOCKS = 5 };

__device__ float other_file_sum(float v); /* declared here, defined behind all kernels */

__device__ float plain_sum(float v)
{
    __shared__ float s[BLOCK];
    s[threadIdx.x] = v;
    __syncthreads();
    float sum = 0;
    for (int i = 0; i < BLOCK; i++)
        sum += s[i];
    __syncthreads();
    return sum;
}

__device__ float through(float v)
{
    return plain_sum(v);
}

struct functor {
    __device__ float operator()(float v) const
    {
        return plain_sum(v);
    }
};

struct base {
    __device__ virtual float sum(float v) const = 0;
};

struct derived : base {
    __device__ float sum(float v) const override;
};

__device__ float derived::sum(float v) const
{
    return plain_sum(v);
}

#define SUM_BY_MACRO(v) plain_sum(v)

__global__ void direct(float *y)
{
    y[blockIdx.x * BLOCK + threadIdx.x] = plain_sum(threadIdx.x);
}

__global__ void by_function(float *y)
{
    y[blockIdx.x * BLOCK + threadIdx.x] = through(threadIdx.x);
}

__global__ void by_macro(float *y)
{
    y[blockIdx.x * BLOCK + threadIdx.x] = SUM_BY_MACRO(threadIdx.x);
}

__global__ void by_declaration(float *y)
{
    y[blockIdx.x * BLOCK + threadIdx.x] = other_file_sum(threadIdx.x);
}

template <class F> __global__ void by_argument(float *y, F f)
{
    y[blockIdx.x * BLOCK + threadIdx.x] = f((float)threadIdx.x);
}

template <float (*F)(float)> __global__ void by_template(float *y)
{
    y[blockIdx.x * BLOCK + threadIdx.x] = F(threadIdx.x);
}

__global__ void by_pointer(float *y)
{
    float (*f)(float) = through;
    y[blockIdx.x * BLOCK + threadIdx.x] = f(threadIdx.x);
}

__global__ void by_virtual(float *y)
{
    const derived d;
    const base &b = d;
    y[blockIdx.x * BLOCK + threadIdx.x] = b.sum(threadIdx.x);
}

__global__ void by_warp(float *y)
{
    float v = threadIdx.x;
    for (int lanes = 16; lanes; lanes /= 2)
        v += __shfl_xor_sync(0xffffffff, v, lanes);
    assert(v > 0);
    const float *all = &y[blockIdx.x * BLOCK];
    y[blockIdx.x * BLOCK + threadIdx.x] = v;
    __syncthreads();
    v = all[0] + all[32] + all[64];
    __syncthreads();
    y[blockIdx.x * BLOCK + threadIdx.x] = v;
}

__device__ float other_file_sum(float v)
{
    return through(v);
}

static bool sums(const char *name, float *d)
{
    float h[BLOCK * BLOCKS];
    bool right = cudaMemcpy(h, d, sizeof h, cudaMemcpyDeviceToHost) == cudaSuccess;
    for (int i = 0; i < BLOCK * BLOCKS; i++)
        right = right && h[i] == BLOCK * (BLOCK - 1) / 2;
    cudaMemset(d, 0, sizeof h);
    if (!right)
        printf("%s: wrong\n", name);
    return right;
}

int main()
{
    float *d;
    bool right = true;
    cudaMalloc(&d, BLOCK * BLOCKS * sizeof *d);
    direct<<<BLOCKS, BLOCK>>>(d);
    right &= sums("direct", d);
    by_function<<<BLOCKS, BLOCK>>>(d);
    right &= sums("by_function", d);
    by_macro<<<BLOCKS, BLOCK>>>(d);
    right &= sums("by_macro", d);
    by_declaration<<<BLOCKS, BLOCK>>>(d);
    right &= sums("by_declaration", d);
    by_argument<<<BLOCKS, BLOCK>>>(d, functor());
    right &= sums("by_argument", d);
    by_template<through><<<BLOCKS, BLOCK>>>(d);
    right &= sums("by_template", d);
    by_pointer<<<BLOCKS, BLOCK>>>(d);
    right &= sums("by_pointer", d);
    by_virtual<<<BLOCKS, BLOCK>>>(d);
    right &= sums("by_virtual", d);
    by_warp<<<BLOCKS, BLOCK>>>(d);
    right &= sums("by_warp", d);
    cudaFree(d);
    puts(right ? "PASS" : "FAIL");
    return right ? 0 : 1;
}
