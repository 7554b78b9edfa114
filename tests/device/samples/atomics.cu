/* All atomic functions on integers, and those on floating point and 64-bit numbers, in global and
 * in shared memory. */
#include <cstdio>
#include <cuda_runtime.h>

enum { ADD, SUB, EXCH, MAX, MIN, INC, DEC, CAS, AND, OR, XOR, OPS };

__global__ void testKernel(int *g)
{
    const unsigned int tid = blockDim.x * blockIdx.x + threadIdx.x;

    atomicAdd(&g[ADD], 10);
    atomicSub(&g[SUB], 10);
    atomicExch(&g[EXCH], tid);
    atomicMax(&g[MAX], tid);
    atomicMin(&g[MIN], tid);
    atomicInc((unsigned int *)&g[INC], 17);
    atomicDec((unsigned int *)&g[DEC], 137);
    atomicCAS(&g[CAS], tid - 1, tid);
    atomicAnd(&g[AND], 2 * tid + 7);
    atomicOr(&g[OR], 1 << (tid & 31));
    atomicXor(&g[XOR], tid);
}

/* A lock-free maximum of floats, from compare and swap. */
__device__ float atomicMaxFloat(float *address, float value)
{
    int *address_as_int = (int *)address, old = *(volatile int *)address_as_int, assumed;
    do {
        assumed = old;
        if (__int_as_float(assumed) >= value)
            break;
        old = atomicCAS(address_as_int, assumed, __float_as_int(value));
    } while (assumed != old);
    return __int_as_float(old);
}

struct totals {
    float sum, largest;
    double square;
    unsigned long long count, bits;
};

__global__ void wideKernel(totals *t, int n)
{
    __shared__ unsigned long long count;
    __shared__ float sum;
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (threadIdx.x == 0) {
        count = 0;
        sum = 0;
    }
    __syncthreads();
    if (i < n) {
        atomicAdd(&count, 1ull);
        atomicAdd(&sum, 0.5f);
        atomicAdd(&t->square, (double)i * i);
        atomicOr(&t->bits, 1ull << (i % 64));
        atomicMaxFloat(&t->largest, (float)(i * 7919 % 1009));
    }
    __syncthreads();
    if (threadIdx.x == 0) {
        atomicAdd(&t->count, count);
        atomicAdd(&t->sum, sum);
    }
}

static bool verify(const int *g, const int len)
{
    unsigned inc = 0, dec = 0, bits = 0xff;
    int orBits = 0, xorBits = 0xff;
    for (int i = 0; i < len; ++i) {
        inc = inc >= 17 ? 0 : inc + 1;
        dec = dec == 0 || dec > 137 ? 137 : dec - 1;
        bits &= 2 * i + 7;
        orBits |= 1 << (i & 31);
        xorBits ^= i;
    }
    return g[ADD] == 10 * len && g[SUB] == -10 * len && g[EXCH] >= 0 && g[EXCH] < len &&
           g[MAX] == len - 1 && g[MIN] == 0 && (unsigned)g[INC] == inc && (unsigned)g[DEC] == dec &&
           g[CAS] >= 0 && g[CAS] < len && (unsigned)g[AND] == bits && g[OR] == orBits &&
           g[XOR] == xorBits;
}

int main()
{
    const int threads = 256, blocks = 16, len = threads * blocks, n = len - 100;
    int h[OPS] = {0, 0, 0, -(1 << 8), 1 << 8, 0, 0, 0, 0xff, 0, 0xff}, *d;
    totals t = {0, 0, 0, 0, 0}, *d_t;

    cudaMalloc(&d, sizeof(h));
    cudaMalloc(&d_t, sizeof(t));
    cudaMemcpy(d, h, sizeof(h), cudaMemcpyHostToDevice);
    cudaMemcpy(d_t, &t, sizeof(t), cudaMemcpyHostToDevice);
    testKernel<<<blocks, threads>>>(d);
    wideKernel<<<blocks, threads>>>(d_t, n);
    cudaMemcpy(h, d, sizeof(h), cudaMemcpyDeviceToHost);
    cudaMemcpy(&t, d_t, sizeof(t), cudaMemcpyDeviceToHost);

    double square = 0;
    float largest = 0;
    for (int i = 0; i < n; i++) {
        square += (double)i * i;
        largest = i * 7919 % 1009 > largest ? i * 7919 % 1009 : largest;
    }
    bool right = verify(h, len) && t.square == square && t.largest == largest &&
                 t.sum == 0.5f * n && t.count == (unsigned long long)n && t.bits == ~0ull;
    printf("%s\n", right ? "PASS" : "FAIL");
    cudaFree(d);
    cudaFree(d_t);
    return !right;
}
