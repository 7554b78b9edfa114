// Kernels that promise how many threads their blocks have: a launch with more is refused.
#include <cstdio>

constexpr int most(int a, int b)
{
    return a > b ? a : b;
}

__global__ void __launch_bounds__(128) plain_kernel(int *o)
{
    atomicAdd(o, 1);
}

template <int SIZE> __global__ void __launch_bounds__(SIZE, 2) template_kernel(int *o)
{
    __shared__ int s[SIZE];
    s[threadIdx.x] = 1;
    __syncthreads();
    atomicAdd(o, s[SIZE - 1 - threadIdx.x]);
}

__launch_bounds__(most(16, 32) * 2) __global__ void computed_kernel(int *o);
__launch_bounds__(most(16, 32) * 2) __global__ void computed_kernel(int *o)
{
    atomicAdd(o, 1);
}

int main()
{
    int bad = 0, sum, *o;
    cudaFuncAttributes attributes;
    cudaMalloc(&o, sizeof *o);
    cudaMemset(o, 0, sizeof *o);
    plain_kernel<<<2, 128>>>(o);
    template_kernel<64><<<1, 64>>>(o);
    template_kernel<256><<<1, 256>>>(o);
    computed_kernel<<<1, 64>>>(o);
    bad += cudaGetLastError() != cudaSuccess;
    plain_kernel<<<1, 129>>>(o);
    bad += cudaGetLastError() == cudaSuccess;
    template_kernel<64><<<1, dim3(8, 8, 2)>>>(o);
    bad += cudaGetLastError() == cudaSuccess;
    computed_kernel<<<1, 65>>>(o);
    bad += cudaGetLastError() == cudaSuccess;
    cudaFuncGetAttributes(&attributes, plain_kernel);
    bad += attributes.maxThreadsPerBlock != 128;
    cudaMemcpy(&sum, o, sizeof sum, cudaMemcpyDeviceToHost);
    bad += sum != 256 + 64 + 256 + 64;
    cudaFree(o);
    printf("%s\n", bad ? "FAIL" : "PASS");
    return bad != 0;
}
