// Static variables in device functions, of each instance of a template one; and in functions of
// both sides, of which each side has its own.
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

struct pair {
    int a, b[2];
};

__host__ __device__ int both_calls(int n)
{
    static int sum = 5, many[2][2];
    static pair p = {1, {2, 3}};
    sum += n;
    many[1][0]++;
    p.b[1] += 2;
    return sum * 100 + many[1][0] * 10 + p.b[1];
}

template <class T> __host__ __device__ T both_sums(T n)
{
    static T sum;
    return sum += n;
}

__global__ void both_kernel(int *out)
{
    out[0] = both_calls(10);
    out[1] = both_sums(4) + (int)both_sums(2.5);
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
    int bad = most[4] != 2 * blocks * size / 4 * (5 + 6 + 7 + 8);
    for (int k = 0; k < 4; k++)
        bad += most[k] != 2 * blocks * size - 1;
    for (int k = 1; k <= 3; k++) {
        int both[2];
        both_kernel<<<1, 1>>>(d);
        cudaMemcpy(both, d, sizeof both, cudaMemcpyDeviceToHost);
        bad += both[0] != (5 + 10 * k) * 100 + k * 10 + 3 + 2 * k;
        bad += both[1] != 4 * k + (int)(2.5 * k);
        bad += both_calls(1) != (5 + k) * 100 + k * 10 + 3 + 2 * k;
        bad += both_sums(1) != k;
    }
    cudaFree(d);
    printf("%s\n", bad ? "FAIL" : "PASS");
    return bad != 0;
}
