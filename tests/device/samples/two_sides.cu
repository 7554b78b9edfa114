// Functions for both sides that ask by __CUDA_ARCH__ which one they are compiled for: each side has
// its own.
#include <cmath>
#include <cstdio>
#include <cstdlib>

// Who calls: 1 on the device, 0 on the host.
__host__ __device__ int side()
{
#ifdef __CUDA_ARCH__
    return 1;
#else
    return 0;
#endif
}

__host__ __device__ constexpr int twice(int x)
{
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 300
    return x + x;
#else
    return 2 * x;
#endif
}

__host__ __device__ inline int global_rank()
{
#ifdef __CUDA_ARCH__
    return blockIdx.x * blockDim.x + threadIdx.x;
#else
    return -1;
#endif
}

// Memory that the host frees, and no copy in a kernel does.
template <class T> class buffer
{
    T *data;
    bool owns;

  public:
    explicit buffer(int n) : owns(true)
    {
        cudaMalloc(&data, n * sizeof(T));
    }
    __host__ __device__ buffer(const buffer &other) : data(other.data), owns(false)
    {
    }
    __host__ __device__ ~buffer()
    {
#ifndef __CUDA_ARCH__
        if (owns)
            cudaFree(data);
#endif
    }
    __host__ __device__ T &operator[](int i) const
    {
#ifndef __CUDA_ARCH__
        fprintf(stderr, "the host can't\n");
        abort();
#endif
        return data[i];
    }
    T *get() const
    {
        return data;
    }
};

struct inverse_root {
    __host__ __device__ float operator()(float x) const
    {
#ifdef __CUDA_ARCH__
        return rsqrtf(x) + 0 * threadIdx.x;
#else
        return 1 / std::sqrt(x);
#endif
    }
};

template <class F> __global__ void apply_kernel(buffer<float> y, F f, int n)
{
    const int i = global_rank();
    if (i < n)
        y[i] = f((float)(i + 1)) + 10 * side() + 100 * twice(side());
}

#if !defined(__CUDA_ARCH__) || __CUDA_ARCH__ >= 600
__device__ void count(int *where)
{
    atomicAdd(where, side());
}
#else
__device__ void count(int *where)
{
    *where += side();
}
#endif

__global__ void waits_kernel(int *y)
{
    __shared__ int s[64];
    s[threadIdx.x] = side();
    __syncthreads();
    y[threadIdx.x] = s[63 - threadIdx.x] + side();
    count(y + 64);
}

int main()
{
    const int n = 500;
    static_assert(twice(4) == 8, "at compile time");
    static float h[n];
    int bad = 0, sides[65];
    {
        buffer<float> y(n);
        apply_kernel<<<4, 128>>>(y, inverse_root(), n);
        cudaMemcpy(h, y.get(), sizeof h, cudaMemcpyDeviceToHost);
        for (int i = 0; i < n; i++)
            bad += fabsf(h[i] - inverse_root()((float)(i + 1)) - 210) > 1e-3f;
    }
    int *d;
    cudaMalloc(&d, sizeof sides);
    cudaMemset(d, 0, sizeof sides);
    waits_kernel<<<1, 64>>>(d);
    cudaMemcpy(sides, d, sizeof sides, cudaMemcpyDeviceToHost);
    cudaFree(d);
    for (int i = 0; i < 64; i++)
        bad += sides[i] != 2;
    bad += sides[64] != 64;
    bad += side() != 0 || twice(3) != 6 || global_rank() != -1;
    printf("%s\n", bad ? "FAIL" : "PASS");
    return bad != 0;
}
