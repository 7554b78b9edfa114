// Threads that look again and again for what others do: warps of a block hand a number back and
// forth and fill a ring, by volatile flags and by atomics; blocks scan in a chain, each behind its
// predecessor; a lock with tickets.
#include <cstdio>

#include <cuda_runtime.h>

__global__ void ping_pong_kernel(volatile int *flag, volatile int *data)
{
    if (threadIdx.x == 32) {
        for (int k = 1; k <= 5; k++) {
            while (flag[0] != k)
                ;
            __threadfence();
            *data = *data * 2;
            __threadfence();
            flag[1] = k;
        }
    } else if (threadIdx.x == 0) {
        for (int k = 1; k <= 5; k++) {
            *data = *data + 1;
            __threadfence();
            flag[0] = k;
            while (flag[1] != k) {
            }
            __threadfence();
        }
    }
}

__global__ void ring_kernel(int *out, int n)
{
    __shared__ volatile int head, tail, ring[4];
    if (threadIdx.x == 0)
        head = tail = 0;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int i = 0; i < n; i++) {
            while (head - tail >= 4)
                ;
            ring[head & 3] = i * i;
            __threadfence_block();
            head = head + 1;
        }
    } else if (threadIdx.x == 64) {
        for (int i = 0; i < n; i++) {
            for (;;)
                if (tail != head)
                    break;
            __threadfence_block();
            out[i] = ring[tail & 3];
            __threadfence_block();
            tail = tail + 1;
        }
    }
}

__global__ void atomic_flag_kernel(int *flag, int *value, int *out)
{
    if (threadIdx.x == 0) {
        while (atomicAdd(flag, 0) == 0)
            ;
        *out = atomicAdd(value, 0);
    } else if (threadIdx.x == 96) {
        atomicExch(value, 77);
        __threadfence();
        atomicExch(flag, 1);
    }
}

__global__ void chained_scan_kernel(int *data, int n, volatile int *flags, volatile int *sums)
{
    __shared__ int s[256], carry;
    int t = threadIdx.x, i = blockIdx.x * 256 + t;
    s[t] = i < n ? data[i] : 0;
    __syncthreads();
    for (int d = 1; d < 256; d *= 2) {
        int v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
        __syncthreads();
    }
    if (t == 255) {
        carry = 0;
        if (blockIdx.x > 0) {
            while (flags[blockIdx.x - 1] == 0)
                ;
            __threadfence();
            carry = sums[blockIdx.x - 1];
        }
        sums[blockIdx.x] = carry + s[255];
        __threadfence();
        flags[blockIdx.x] = 1;
    }
    __syncthreads();
    if (i < n)
        data[i] = s[t] + carry;
}

__device__ unsigned next_ticket, serving;

__global__ void ticket_kernel(volatile int *count)
{
    for (int lane = 0; lane < 32; lane++)
        if (threadIdx.x % 32 == lane) {
            unsigned mine = atomicAdd(&next_ticket, 1u);
            while (atomicAdd(&serving, 0u) != mine)
                ;
            *count = *count + 1;
            __threadfence();
            atomicAdd(&serving, 1u);
        }
}

static int got[10000];

static int differ(const char *what, const int *d, int n, int (*expected)(int))
{
    int bad = 0;
    cudaMemcpy(got, d, n * sizeof *d, cudaMemcpyDeviceToHost);
    for (int i = 0; i < n; i++)
        bad += got[i] != expected(i);
    if (bad)
        printf("%s: %d differ\n", what, bad);
    return bad != 0;
}

int main()
{
    const int n = 10000, blocks = (n + 255) / 256;
    int *d, *flags, bad = 0;
    cudaMalloc(&d, n * sizeof *d);
    cudaMalloc(&flags, 2 * blocks * sizeof *flags);
    cudaMemset(d, 0, n * sizeof *d);
    ping_pong_kernel<<<1, 64>>>(d, d + 2);
    bad += differ("ping-pong", d + 2, 1, [](int) { return 62; });
    ring_kernel<<<1, 96>>>(d, 100);
    bad += differ("ring", d, 100, [](int i) { return i * i; });
    cudaMemset(d, 0, n * sizeof *d);
    atomic_flag_kernel<<<1, 128>>>(d, d + 1, d + 2);
    bad += differ("flag by atomics", d + 2, 1, [](int) { return 77; });
    for (int i = 0; i < n; i++)
        got[i] = 1;
    cudaMemcpy(d, got, n * sizeof *d, cudaMemcpyHostToDevice);
    cudaMemset(flags, 0, 2 * blocks * sizeof *flags);
    chained_scan_kernel<<<blocks, 256>>>(d, n, flags, flags + blocks);
    bad += differ("chained scan", d, n, [](int i) { return i + 1; });
    cudaMemset(d, 0, sizeof *d);
    ticket_kernel<<<4, 64>>>(d);
    bad += differ("tickets", d, 1, [](int) { return 256; });
    cudaFree(d);
    cudaFree(flags);
    printf(bad ? "FAIL\n" : "PASS\n");
    return bad;
}
