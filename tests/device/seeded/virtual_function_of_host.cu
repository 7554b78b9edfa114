// expect: host-pointer
// An object with a virtual function is made on the host and copied: its table is the host's.
// Without BUG: a kernel makes the object, in memory that the host allocated.
#include <cstdio>
#include <cuda_runtime.h>
#include <new>

struct activation {
    __host__ __device__ virtual float of(float x) const = 0;
};
struct leaky : activation {
    float slope;
    __host__ __device__ leaky(float s) : slope(s)
    {
    }
    __host__ __device__ float of(float x) const override
    {
        return x > 0 ? x : slope * x;
    }
};

__global__ void make_kernel(leaky *f, float slope)
{
    new (f) leaky(slope);
}

__global__ void apply_kernel(const activation *f, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = f->of(y[i]); // EXPECTED
}

// A copy of the object's bytes as data is none of its business.
__global__ void copy_kernel(const int *from, int *to, int n)
{
    const int i = threadIdx.x;
    if (i < n)
        to[i] = from[i];
}

int main()
{
    const int n = 50;
    const leaky made(0.5f);
    float y[n], *d_y;
    leaky *d_f, *d_g;
    for (int i = 0; i < n; i++)
        y[i] = i - 25;
    cudaMalloc(&d_f, sizeof *d_f);
    cudaMalloc(&d_g, sizeof *d_g);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_y, y, sizeof y, cudaMemcpyHostToDevice);
    cudaMemcpy(d_f, &made, sizeof made, cudaMemcpyHostToDevice);
    copy_kernel<<<1, 32>>>((const int *)d_f, (int *)d_g, sizeof made / sizeof(int));
#ifndef BUG
    make_kernel<<<1, 1>>>(d_f, 0.5f);
#else
    cudaMemcpy(d_f, &made, sizeof made, cudaMemcpyHostToDevice);
#endif
    apply_kernel<<<1, 64>>>(d_f, d_y, n);
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    cudaFree(d_f);
    cudaFree(d_g);
    cudaFree(d_y);
    return y[0] == -12.5f && y[49] == 24 ? 0 : 1;
}
