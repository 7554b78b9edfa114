// Static variables in device functions, of each instance of a template one.
#include <cstdio>

__device__ int calls()
{
    static int n = 0;
    return atomicAdd(&n, 1);
}

template <class T> __device__ T calls_of()
{
    static __device__ T n, unused;
    return atomicAdd(&n, T(1)) + 0 * unused;
}

__device__ int from_table(int i)
{
    static const int table[4] = {5, 6, 7, 8};
    return table[i & 3];
}

__global__ void count_kernel(int *most, int *sum)
{
    static __device__ int threads;
    atomicMax(&most[0], calls());
    atomicMax(&most[1], calls_of<int>());
    atomicMax(&most[2], (int)calls_of<unsigned>());
    atomicMax(&most[3], atomicAdd(&threads, 1));
    atomicAdd(sum, from_table(threadIdx.x));
}

int main()
{
    const int blocks = 3, size = 64;
    int most[5] = {0}, *d;
    cudaMalloc(&d, sizeof most);
    cudaMemset(d, 0, sizeof most);
    for (int launch = 0; launch < 2; launch++)
        count_kernel<<<blocks, size>>>(d, d + 4);
    cudaMemcpy(most, d, sizeof most, cudaMemcpyDeviceToHost);
    cudaFree(d);
    int bad = most[4] != 2 * blocks * size / 4 * (5 + 6 + 7 + 8);
    for (int k = 0; k < 4; k++)
        bad += most[k] != 2 * blocks * size - 1;
    printf("%s\n", bad ? "FAIL" : "PASS");
    return bad != 0;
}
