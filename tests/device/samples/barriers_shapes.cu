/* Barriers in loops and branches, and what lives across them: values of each thread, arrays,
 * pointers, what all threads have alike, and what only seems so. */
#include <cstdio>

enum { N = 96, BLOCKS = 3 };

__device__ void twice(float &v)
{
    v *= 2;
}

__device__ float next(const float *s, int t)
{
    return s[(t + 1) % N];
}

/* Two arrays in turn; `now` is alike for all threads. */
__global__ void doubling(const int *x, int *y, int n)
{
    __shared__ int s[2][N];
    int now = 0;
    const int t = threadIdx.x, i = blockIdx.x * N + t;
    s[now][t] = x[i];
    __syncthreads();
    for (int d = 1; d < n; d *= 2) {
        s[1 - now][t] = s[now][t] + (t >= d ? s[now][t - d] : 0);
        now = 1 - now;
        __syncthreads();
    }
    y[i] = s[now][t];
}

/* An array, a pointer and a count of each thread's across barriers; `t` stands for others inside.
 */
__global__ void own(const int *x, int *y, int n)
{
    __shared__ int s[N];
    int t = threadIdx.x, mine[4], count = 0;
    const int *p = x + blockIdx.x * N + t;
    for (int t = 0; t < 4; t++)
        mine[t] = *p * t;
    s[t] = *p;
    __syncthreads();
    for (int round = 0; round < n; round++) {
        const int other = s[(t + round) % N];
        if (other % 2 && t >> 1 != 3)
            count++;
        __syncthreads();
        s[t] = other + mine[round & 3];
        __syncthreads();
    }
    y[blockIdx.x * N + t] = s[t] * 100 + count;
}

/* Parameters that move: for all threads, and a thread's own copy. */
__global__ void moves(const int *x, int *y, int n, int own)
{
    __shared__ int s[N];
    x += blockIdx.x * N;
    y += blockIdx.x * N;
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    if (n > 1) {
        s[threadIdx.x] += n;
        __syncthreads();
    } else
        s[threadIdx.x] = 0;
    s[threadIdx.x] += 3;
    __syncthreads();
    for (; n > 1; n--) {
        const int v = s[(threadIdx.x + n) % N];
        __syncthreads();
        s[threadIdx.x] = v;
        __syncthreads();
    }
    y[threadIdx.x] = s[threadIdx.x] + own + n;
}

__global__ void own_parameter(const int *x, int *y, int n, int own)
{
    __shared__ int s[N];
    s[threadIdx.x] = x[blockIdx.x * N + threadIdx.x] + n;
    own += threadIdx.x % 3;
    __syncthreads();
    y[blockIdx.x * N + threadIdx.x] = s[N - 1 - threadIdx.x] + own;
}

__global__ void by_reference(const int *x, int *y, int n)
{
    __shared__ float s[N];
    float v = x[blockIdx.x * N + threadIdx.x], w = n;
    if (threadIdx.x % 2)
        twice(w);
    s[threadIdx.x] = v;
    __syncthreads();
    v = next(s, threadIdx.x);
    __syncthreads();
    y[blockIdx.x * N + threadIdx.x] = (int)(v + w);
}

template <int SIZE> __global__ void by_size(const int *x, int *y)
{
    extern __shared__ int d[];
    const unsigned t = threadIdx.y * blockDim.x + threadIdx.x;
    d[t] = x[blockIdx.x * SIZE + t];
    __syncthreads();
    if (SIZE >= 96) {
        if (t < 48)
            d[t] += d[t + 48];
        __syncthreads();
    }
    if (SIZE >= 48) {
        if (t < 24)
            d[t] += d[t + 24];
        __syncthreads();
    }
    for (unsigned s = 12; s >= 3; s >>= 1) {
        if (t < s)
            d[t] += d[t + s];
        __syncthreads();
    }
    if (t)
        return;
    y[blockIdx.x * SIZE] = d[0] + d[1] + d[2];
}

/* Between barriers only some threads of each row do anything; less than none, or all, by the sign.
 */
__global__ void few(const int *x, int *y, int n, int minus)
{
    __shared__ int s[N];
    const int t = threadIdx.x, r = threadIdx.y * blockDim.x + threadIdx.x;
    const unsigned u = threadIdx.x;
    s[r] = x[blockIdx.x * N + r];
    __syncthreads();
    if (t < n)
        s[r] += 1;
    __syncthreads();
    if (t < minus)
        s[r] += 2;
    __syncthreads();
    if (u < minus)
        s[r] += 4;
    __syncthreads();
    if (t == 0)
        s[r] *= 3;
    __syncthreads();
    if (threadIdx.x < 9 - n)
        s[r] += 8;
    __syncthreads();
    if (t < n)
        s[r] += 16;
    else
        s[r] += 32;
    __syncthreads();
    if (t < n || minus)
        s[r] += 64;
    __syncthreads();
    if (t < n + 100)
        s[r] += 128;
    __syncthreads();
    y[blockIdx.x * N + r] = s[r];
}

static int x[BLOCKS * N], y[BLOCKS * N], expected[BLOCKS * N];
static int *d_x, *d_y, wrong;

static void compare(const char *name)
{
    cudaMemcpy(y, d_y, sizeof y, cudaMemcpyDeviceToHost);
    cudaMemset(d_y, 0, sizeof y);
    int differ = 0;
    for (int i = 0; i < BLOCKS * N; i++)
        differ += y[i] != expected[i];
    if (differ)
        printf("%s: %d differ\n", name, differ);
    wrong += differ;
}

static void compare_few()
{
    for (int i = 0; i < BLOCKS * N; i++) {
        const int t = i % 8;
        expected[i] =
            (x[i] + (t < 3) + 4) * (t ? 1 : 3) + (t < 6 ? 8 : 0) + (t < 3 ? 16 : 32) + 192;
    }
    few<<<BLOCKS, dim3(8, 12)>>>(d_x, d_y, 3, -1);
    compare("few");
}

int main()
{
    for (int i = 0; i < BLOCKS * N; i++)
        x[i] = i * 37 % 101 - 20;
    cudaMalloc(&d_x, sizeof x);
    cudaMalloc(&d_y, sizeof y);
    cudaMemcpy(d_x, x, sizeof x, cudaMemcpyHostToDevice);
    cudaMemset(d_y, 0, sizeof y);

    for (int i = 0; i < BLOCKS * N; i++)
        expected[i] = x[i] + (i % N ? expected[i - 1] : 0);
    doubling<<<BLOCKS, N>>>(d_x, d_y, N);
    compare("doubling");

    const int rounds = 5;
    for (int b = 0; b < BLOCKS; b++) {
        int s[N], other[N], count[N] = {0};
        for (int t = 0; t < N; t++)
            s[t] = x[b * N + t];
        for (int round = 0; round < rounds; round++) {
            for (int t = 0; t < N; t++) {
                other[t] = s[(t + round) % N];
                count[t] += other[t] % 2 && t >> 1 != 3;
            }
            for (int t = 0; t < N; t++)
                s[t] = other[t] + x[b * N + t] * (round & 3);
        }
        for (int t = 0; t < N; t++)
            expected[b * N + t] = s[t] * 100 + count[t];
    }
    own<<<BLOCKS, N>>>(d_x, d_y, rounds);
    compare("own");

    for (int i = 0; i < BLOCKS * N; i++) /* turned by 4 + 3 + 2 */
        expected[i] = x[i / N * N + (i + 9) % N] + 4 + 3 + 7 + 1;
    moves<<<BLOCKS, N>>>(d_x, d_y, 4, 7);
    compare("moves");

    for (int i = 0; i < BLOCKS * N; i++)
        expected[i] = x[i / N * N + N - 1 - i % N] + 4 + 7 + i % N % 3;
    own_parameter<<<BLOCKS, N>>>(d_x, d_y, 4, 7);
    compare("own_parameter");

    for (int i = 0; i < BLOCKS * N; i++)
        expected[i] = x[i / N * N + (i + 1) % N] + (i % 2 ? 10 : 5);
    by_reference<<<BLOCKS, N>>>(d_x, d_y, 5);
    compare("by_reference");

    for (int i = 0; i < BLOCKS * N; i++)
        expected[i] = 0;
    for (int i = 0; i < BLOCKS * N; i++)
        expected[i / N * N] += x[i];
    by_size<N><<<BLOCKS, dim3(8, 12), N * sizeof(int)>>>(d_x, d_y);
    compare("by_size");
    compare_few();
    cudaFree(d_x);
    cudaFree(d_y);
    printf(wrong ? "FAIL\n" : "PASS\n");
    return wrong != 0;
}
