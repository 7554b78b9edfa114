/* Functors and classes with device methods, passed to kernels by value; overloads, recursion,
 * std:: functions and types that device code may use. */
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <utility>
#include <vector>
#include <cuda_runtime.h>

struct saxpy {
    float a;
    __host__ __device__ float operator()(float x, float y) const
    {
        return a * x + y;
    }
};

template <typename T> class Matrix
{
  public:
    Matrix(int rows, int columns) : rows_(rows), columns_(columns)
    {
        cudaMalloc(&data_, rows * columns * sizeof(T));
    }
    void release()
    {
        cudaFree(data_);
        data_ = nullptr;
    }
    __host__ __device__ int rows() const
    {
        return rows_;
    }
    __host__ __device__ int columns() const
    {
        return columns_;
    }
    __device__ T &operator()(int r, int c) const
    {
        return data_[r * columns_ + c];
    }
    T *data() const
    {
        return data_;
    }

  private:
    int rows_, columns_;
    T *data_;
};

__device__ int norm(int a)
{
    return a < 0 ? -a : a;
}
__device__ float norm(float a)
{
    return fabsf(a);
}
__host__ __device__ constexpr unsigned fibonacci(unsigned n)
{
    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}
__device__ __noinline__ unsigned gcd(unsigned a, unsigned b)
{
    return b == 0 ? a : gcd(b, a % b);
}

template <typename F, typename... Arrays>
__global__ void transform(F f, int n, float *out, const Arrays *...in)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        out[i] = f(in[i]...);
}

template <typename T> __global__ void fill(Matrix<T> m)
{
    int c = blockIdx.x * blockDim.x + threadIdx.x, r = blockIdx.y * blockDim.y + threadIdx.y;
    if (r < m.rows() && c < m.columns())
        m(r, c) = norm(static_cast<T>(r) - static_cast<T>(c));
}

__global__ void numbers(uint32_t *out)
{
    uint32_t i = threadIdx.x;
    constexpr unsigned f10 = fibonacci(10);
    out[i] = gcd(i * 12, 18) + fibonacci(i % 8) + f10 + (i > 3 ? std::abs(-2) : 0);
}

struct hypotenuse {
    __device__ float operator()(float x, float y) const
    {
        return sqrtf(x * x + y * y);
    }
};

int main()
{
    const int n = 1000;
    std::vector<float> x(n), y(n), z(n), h(n);
    float *d_x, *d_y, *d_z;
    uint32_t out[32], *d_out;
    int wrong = 0;

    for (int i = 0; i < n; i++) {
        x[i] = 3 * (i % 50);
        y[i] = 4 * (i % 50);
    }
    cudaMalloc(&d_x, n * sizeof(float));
    cudaMalloc(&d_y, n * sizeof(float));
    cudaMalloc(&d_z, n * sizeof(float));
    cudaMalloc(&d_out, sizeof(out));
    cudaMemcpy(d_x, x.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    cudaMemcpy(d_y, y.data(), n * sizeof(float), cudaMemcpyHostToDevice);
    transform<<<4, 64>>>(saxpy{2.5f}, n, d_z, d_x, d_y);
    cudaMemcpy(z.data(), d_z, n * sizeof(float), cudaMemcpyDeviceToHost);
    transform<hypotenuse, float, float><<<4, 64>>>(hypotenuse(), n, d_z, d_x, d_y);
    cudaMemcpy(h.data(), d_z, n * sizeof(float), cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        wrong += z[i] != saxpy{2.5f}(x[i], y[i]) || std::fabs(h[i] - 5 * (i % 50)) > 1e-4f;

    Matrix<int> mi(20, 33);
    Matrix<float> mf(33, 20);
    fill<<<dim3(3, 2), dim3(16, 16)>>>(mi);
    fill<float><<<dim3(2, 3), dim3(16, 16)>>>(mf);
    std::vector<int> hi(20 * 33);
    std::vector<float> hf(20 * 33);
    cudaMemcpy(hi.data(), mi.data(), hi.size() * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(hf.data(), mf.data(), hf.size() * sizeof(float), cudaMemcpyDeviceToHost);
    for (int r = 0; r < 20; r++)
        for (int c = 0; c < 33; c++)
            wrong += hi[r * 33 + c] != std::abs(r - c) || hf[c * 20 + r] != std::abs(r - c);

    numbers<<<1, 32>>>(d_out);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    for (unsigned i = 0; i < 32; i++) {
        unsigned a = i * 12, b = 18;
        while (b)
            std::swap(a %= b, b);
        wrong += out[i] != a + fibonacci(i % 8) + 55 + (i > 3 ? 2 : 0);
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    mi.release();
    mf.release();
    cudaFree(d_x);
    cudaFree(d_y);
    cudaFree(d_z);
    cudaFree(d_out);
    return wrong != 0;
}
