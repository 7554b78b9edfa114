/* Variables of templates: each instance is a symbol of its own, by its name or its address. */
#include <cstdio>

enum { N = 32 };

template <class T> __device__ T row[N];
template <class T, int K> __device__ T sums[K];
template <typename T> __constant__ T factor;
namespace physics
{
template <class T = float> __constant__ T gravity = T(2);
}

template <class T> __global__ void fill(int n)
{
    const int i = threadIdx.x;
    if (i < n)
        row<T>[i] = T(i) * factor<T>;
    if (i < 4)
        sums<T, 4>[i] = physics::gravity<T> * T(i);
}

template <class T> __global__ void turn(T *out)
{
    out[threadIdx.x] = row<T>[N - 1 - threadIdx.x] + sums<T, 4>[threadIdx.x % 4];
}

template <class T> static int wrong(T by)
{
    T *out, got[N], back[N];
    void *address;
    size_t bytes = 0;
    int bad = 0;
    cudaMalloc(&out, sizeof got);
    cudaMemcpyToSymbol(factor<T>, &by, sizeof by);
    fill<T><<<1, N>>>(N);
    turn<T><<<1, N>>>(out);
    cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost);
    cudaGetSymbolAddress(&address, row<T>);
    cudaGetSymbolSize(&bytes, row<T>);
    bad += bytes != sizeof back;
    cudaMemcpy(back, address, sizeof back, cudaMemcpyDeviceToHost);
    for (int i = 0; i < N; i++)
        bad += back[i] != T(i) * by || got[i] != T(N - 1 - i) * by + T(2) * T(i % 4);
    cudaMemcpyFromSymbol(back, sums<T, 4>, 4 * sizeof(T));
    for (int i = 0; i < 4; i++)
        bad += back[i] != T(2 * i);
    cudaFree(out);
    return bad;
}

int main()
{
    const int bad = wrong<float>(3) + wrong<double>(5) + wrong<int>(7);
    puts(bad || cudaGetLastError() != cudaSuccess ? "FAIL" : "PASS");
    return bad != 0;
}
