/* An exclusive scan of any length: blocks of 2 x THREADS elements, their sums scanned in turn, the
 * sums added to the blocks. Padding against bank conflicts by a macro. */
#include <stdio.h>
#include <stdlib.h>
#include <cuda_runtime.h>

#define THREADS                 128
#define LOG_NUM_BANKS           5
#define CONFLICT_FREE_OFFSET(n) ((n) >> LOG_NUM_BANKS)
#define CHECK(call)                                                                                \
    do {                                                                                           \
        cudaError_t e_ = (call);                                                                   \
        if (e_ != cudaSuccess) {                                                                   \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(e_));            \
            exit(1);                                                                               \
        }                                                                                          \
    } while (0)

__global__ void prescan(unsigned *g_odata, const unsigned *g_idata, unsigned *g_sums, int n)
{
    extern __shared__ unsigned temp[];
    int thid = threadIdx.x, offset = 1, first = blockIdx.x * 2 * THREADS;
    int ai = thid, bi = thid + THREADS;
    int bankOffsetA = CONFLICT_FREE_OFFSET(ai), bankOffsetB = CONFLICT_FREE_OFFSET(bi);

    temp[ai + bankOffsetA] = first + ai < n ? g_idata[first + ai] : 0u;
    temp[bi + bankOffsetB] = first + bi < n ? g_idata[first + bi] : 0u;
    for (int d = THREADS; d > 0; d >>= 1) {
        __syncthreads();
        if (thid < d) {
            int a = offset * (2 * thid + 1) - 1, b = offset * (2 * thid + 2) - 1;
            a += CONFLICT_FREE_OFFSET(a);
            b += CONFLICT_FREE_OFFSET(b);
            temp[b] += temp[a];
        }
        offset *= 2;
    }
    if (thid == 0) {
        int last = 2 * THREADS - 1 + CONFLICT_FREE_OFFSET(2 * THREADS - 1);
        if (g_sums)
            g_sums[blockIdx.x] = temp[last];
        temp[last] = 0;
    }
    for (int d = 1; d < 2 * THREADS; d *= 2) {
        offset >>= 1;
        __syncthreads();
        if (thid < d) {
            int a = offset * (2 * thid + 1) - 1, b = offset * (2 * thid + 2) - 1;
            a += CONFLICT_FREE_OFFSET(a);
            b += CONFLICT_FREE_OFFSET(b);
            unsigned t = temp[a];
            temp[a] = temp[b];
            temp[b] += t;
        }
    }
    __syncthreads();
    if (first + ai < n)
        g_odata[first + ai] = temp[ai + bankOffsetA];
    if (first + bi < n)
        g_odata[first + bi] = temp[bi + bankOffsetB];
}

__global__ void uniform_add(unsigned *g_data, const unsigned *g_sums, int n)
{
    __shared__ unsigned add;
    if (threadIdx.x == 0)
        add = g_sums[blockIdx.x];
    __syncthreads();
    for (int k = threadIdx.x; k < 2 * THREADS; k += blockDim.x) {
        int i = blockIdx.x * 2 * THREADS + k;
        if (i < n)
            g_data[i] += add;
    }
}

static void scan(unsigned *d_out, const unsigned *d_in, int n)
{
    const int per_block = 2 * THREADS;
    int blocks = (n + per_block - 1) / per_block;
    size_t shared = (per_block + CONFLICT_FREE_OFFSET(per_block)) * sizeof(unsigned);
    if (blocks == 1) {
        prescan<<<1, THREADS, shared>>>(d_out, d_in, NULL, n);
        CHECK(cudaGetLastError());
        return;
    }
    unsigned *d_sums, *d_offsets;
    CHECK(cudaMalloc(&d_sums, blocks * sizeof(unsigned)));
    CHECK(cudaMalloc(&d_offsets, blocks * sizeof(unsigned)));
    prescan<<<blocks, THREADS, shared>>>(d_out, d_in, d_sums, n);
    CHECK(cudaGetLastError());
    scan(d_offsets, d_sums, blocks);
    uniform_add<<<blocks, THREADS>>>(d_out, d_offsets, n);
    CHECK(cudaGetLastError());
    CHECK(cudaFree(d_sums));
    CHECK(cudaFree(d_offsets));
}

int main()
{
    const int lengths[] = {1, 255, 256, 257, 10007, 70000};
    int wrong = 0;
    for (int n : lengths) {
        unsigned *in = (unsigned *)malloc(n * sizeof(unsigned)), *d_in;
        unsigned *out = (unsigned *)malloc(n * sizeof(unsigned)), *d_out, sum = 0;
        for (int i = 0; i < n; i++)
            in[i] = (unsigned)rand() % 1000;
        CHECK(cudaMalloc(&d_in, n * sizeof(unsigned)));
        CHECK(cudaMalloc(&d_out, n * sizeof(unsigned)));
        CHECK(cudaMemcpy(d_in, in, n * sizeof(unsigned), cudaMemcpyHostToDevice));
        scan(d_out, d_in, n);
        CHECK(cudaMemcpy(out, d_out, n * sizeof(unsigned), cudaMemcpyDeviceToHost));
        for (int i = 0; i < n; sum += in[i++])
            wrong += out[i] != sum;
        CHECK(cudaFree(d_in));
        CHECK(cudaFree(d_out));
        free(in);
        free(out);
    }
    printf("%s: %d wrong\n", wrong ? "FAIL" : "PASS", wrong);
    return wrong != 0;
}
