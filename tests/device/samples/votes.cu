/* What a warp's threads can ask of each other, and what a block's can while they wait. */
#include <cstdio>
#include <cuda_runtime.h>

#define FULL 0xffffffffu
#define N    256

struct answers {
    unsigned ballot;
    int all, any, count, block_all, block_any, position, leader;
};

__global__ void ask(const int *x, answers *a)
{
    int t = threadIdx.x, lane = t & 31;
    bool odd = x[t] % 2 != 0;
    a[t].ballot = __ballot_sync(FULL, odd);
    a[t].all = __all_sync(FULL, x[t] >= 0);
    a[t].any = __any_sync(FULL, x[t] == 77);
    a[t].count = __syncthreads_count(odd);
    a[t].block_all = __syncthreads_and(x[t] < 1000);
    a[t].block_any = __syncthreads_or(x[t] == 5000);
    a[t].position = __popc(a[t].ballot & ((1u << lane) - 1));
    a[t].leader = __ffs(a[t].ballot) - 1;
}

/* The places of selected elements, one atomic a warp. */
__global__ void compact(const int *x, int *out, int *count)
{
    int t = blockIdx.x * blockDim.x + threadIdx.x, lane = threadIdx.x % warpSize, base = 0;
    bool keep = x[t] % 3 == 0;
    unsigned mask = __ballot_sync(FULL, keep);
    if (mask != 0) {
        int leader = __ffs(mask) - 1;
        if (lane == leader)
            base = atomicAdd(count, __popc(mask));
        base = __shfl_sync(FULL, base, leader);
    }
    if (keep)
        out[base + __popc(mask & ((1u << lane) - 1))] = x[t];
}

__global__ void bits(unsigned long long *out)
{
    unsigned v = 0x00f01234u;
    out[0] = __clz(v);
    out[1] = __brev(v);
    out[2] = __popcll(0xff00ff0000000001ull);
    out[3] = __ffsll(1ll << 40);
    out[4] = __byte_perm(0x33221100, 0x77665544, 0x0246);
    out[5] = __umulhi(0x80000000u, 6u);
    out[6] = __clzll(1);
    out[7] = __mul24(1000, 1000) + __mul64hi(1ll << 62, 8);
}

int main()
{
    int x[N], out[N], count, wrong = 0, *d_x, *d_out, *d_count;
    answers a[N], *d_a;
    unsigned long long b[8], *d_b;
    const unsigned long long want_b[8] = {8, 0x2c480f00u, 17, 41, 0x00224466u, 3, 63, 1000002};

    for (int i = 0; i < N; i++)
        x[i] = i * 11 % 250;
    cudaMalloc(&d_x, sizeof(x));
    cudaMalloc(&d_out, sizeof(x));
    cudaMalloc(&d_count, sizeof(int));
    cudaMalloc(&d_a, sizeof(a));
    cudaMalloc(&d_b, sizeof(b));
    cudaMemcpy(d_x, x, sizeof(x), cudaMemcpyHostToDevice);
    cudaMemset(d_count, 0, sizeof(int));
    ask<<<1, N>>>(d_x, d_a);
    compact<<<2, N / 2>>>(d_x, d_out, d_count);
    bits<<<1, 1>>>(d_b);
    cudaMemcpy(a, d_a, sizeof(a), cudaMemcpyDeviceToHost);
    cudaMemcpy(&count, d_count, sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(out, d_out, count * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(b, d_b, sizeof(b), cudaMemcpyDeviceToHost);

    int odd = 0, third = 0, sum = 0;
    for (int i = 0; i < N; i++) {
        odd += x[i] % 2;
        third += x[i] % 3 == 0;
        sum += x[i] % 3 == 0 ? x[i] : 0;
    }
    for (int i = 0; i < count; i++)
        sum -= out[i];
    wrong += count != third || sum != 0;
    for (int i = 0; i < N; i++) {
        unsigned ballot = 0;
        int any = 0, first = i / 32 * 32, before = 0, leader = -1;
        for (int k = 31; k >= 0; k--) {
            ballot |= (unsigned)(x[first + k] % 2) << k;
            any |= x[first + k] == 77;
            before += k < i % 32 && x[first + k] % 2;
            leader = x[first + k] % 2 ? k : leader;
        }
        wrong += a[i].ballot != ballot || !a[i].all || (a[i].any != 0) != any ||
                 a[i].count != odd || !a[i].block_all || a[i].block_any ||
                 a[i].position != before || a[i].leader != leader;
    }
    for (int k = 0; k < 8; k++)
        wrong += b[k] != want_b[k];
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    cudaFree(d_x);
    cudaFree(d_out);
    cudaFree(d_count);
    cudaFree(d_a);
    cudaFree(d_b);
    return wrong != 0;
}
