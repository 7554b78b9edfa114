/* Shared memory in all its forms: scalars, arrays, several in a declaration, structures, unions,
 * volatile, static, aligned, in a loop, in an inner block, in a device function, in templates. */
#include <cstdio>
#include <cuda_runtime.h>

#define N 64

struct item {
    int key;
    double value;
};
union word {
    float f;
    unsigned u;
};

__device__ int sum_of_block(int v)
{
    __shared__ int s[N];
    s[threadIdx.x] = v;
    __syncthreads();
    int total = 0;
    for (int k = 0; k < N; k++)
        total += s[k];
    __syncthreads();
    return total;
}

template <typename T, int ROWS> __device__ T *block_buffer()
{
    static __shared__ T buffer[ROWS][N + 1];
    return &buffer[0][0];
}

__global__ void forms(int *out)
{
    __shared__ int first, second, pair[2], table[N], grid[8][9];
    __shared__ item items[N];
    __shared__ word words[(N >> 1) << 1];
    __shared__ volatile int flag;
    __shared__ __align__(16) char bytes[N];
    static __shared__ unsigned long long wide;
    const int t = threadIdx.x;

    if (t == 0) {
        first = 1;
        second = 2;
        pair[0] = 3, pair[1] = 4;
        flag = 5;
        wide = 6ull << 32;
    }
    table[t] = t;
    grid[t / 8][t % 8] = 2 * t;
    items[t].key = N - t;
    items[t].value = 0.5 * t;
    words[t].f = 1.0f;
    bytes[t] = (char)t;
    __syncthreads();
    int r = N - 1 - t, sum = first + second + pair[0] + pair[1] + flag + (int)(wide >> 32);
    sum += table[r] + grid[r / 8][r % 8] + items[r].key + (int)(2 * items[r].value);
    sum += (words[r].u == 0x3f800000u) + bytes[r];
    for (int k = 0; k < 2; k++) {
        __shared__ int turn[N];
        __syncthreads();
        turn[t] = k + t;
        __syncthreads();
        {
            __shared__ int inner[N];
            inner[r] = turn[r];
            __syncthreads();
            sum += inner[t];
        }
    }
    sum += sum_of_block(1) + sum_of_block(2);
    float *buffer = block_buffer<float, 2>();
    buffer[N + 1 + t] = 0.25f * t;
    int *ints = block_buffer<int, 1>();
    ints[t] = t;
    __syncthreads();
    sum += (int)(4 * buffer[N + 1 + r]) + ints[r];
    out[blockIdx.x * N + t] = sum;
}

__global__ void parts(int *out, int ints, int shorts)
{
    extern __shared__ __align__(8) unsigned char memory[];
    int *i = (int *)memory;
    short *s = (short *)&i[ints];
    char *c = (char *)&s[shorts];
    const int t = threadIdx.x;
    if (t < ints)
        i[t] = t * 1000000;
    if (t < shorts)
        s[t] = t * 100;
    c[t] = t;
    __syncthreads();
    out[t] = i[t % ints] + s[t % shorts] + c[N - 1 - t];
}

int main()
{
    const int blocks = 3, ints = 40, shorts = 50;
    int out[blocks * N], *d_out, wrong = 0;

    cudaMalloc(&d_out, sizeof(out));
    forms<<<blocks, N>>>(d_out);
    cudaMemcpy(out, d_out, sizeof(out), cudaMemcpyDeviceToHost);
    for (int k = 0; k < blocks * N; k++) {
        int t = k % N, r = N - 1 - t;
        int want = 21 + r + 2 * r + (N - r) + r + 1 + r + t + (1 + t) + 3 * N + r + r;
        wrong += out[k] != want;
    }
    parts<<<1, N, ints * sizeof(int) + shorts * sizeof(short) + N>>>(d_out, ints, shorts);
    cudaMemcpy(out, d_out, N * sizeof(int), cudaMemcpyDeviceToHost);
    for (int t = 0; t < N; t++)
        wrong += out[t] != t % ints * 1000000 + t % shorts * 100 + N - 1 - t;
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_out);
    return wrong != 0;
}
