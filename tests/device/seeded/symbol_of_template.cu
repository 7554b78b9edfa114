// expect: oob-symbol
// A thread too many writes behind an array that a template makes for each type.
// Without BUG: as many threads as the array has elements.
#include <stdio.h>

#define N 8

template <class T> __device__ T squares[N];

template <class T> __device__ void put(T *to, int i)
{
    to[i] = (T)(i * i); // EXPECTED
}

template <class T> __global__ void fill_kernel()
{
    put(squares<T>, threadIdx.x);
}

template <class T> int wrong()
{
    T host[N];
    int count = 0;
#ifdef BUG
    fill_kernel<T><<<1, N + 1>>>();
#else
    fill_kernel<T><<<1, N>>>();
#endif
    cudaMemcpyFromSymbol(host, squares<T>, sizeof host);
    for (int i = 0; i < N; i++)
        count += host[i] != (T)(i * i);
    return count;
}

int main()
{
    int count = wrong<float>() + wrong<double>();
    printf("%s: %d wrong\n", count ? "FAIL" : "PASS", count);
    return count != 0;
}
