/* Names that few programs use: kinds of memory, largest sums, halves, Bessel functions, one of a
 * group, a barrier in two halves, calls as they were before CUDA 4. */
#include <cooperative_groups.h>
#include <cuda_fp16.h>
#include <math.h>
#include <stdio.h>

namespace cg = cooperative_groups;

__constant__ int fixed[4];
__device__ int counted;

static __device__ unsigned kinds(const void *p)
{
    return __isGlobal(p) << 3 | __isShared(p) << 2 | __isConstant(p) << 1 | __isLocal(p);
}

__global__ void memory_kernel(unsigned *out)
{
    __shared__ int shared[32];
    int own[2] = {(int)threadIdx.x, 1};
    shared[threadIdx.x] = own[0] + own[1];
    int *same = (int *)__cvta_shared_to_generic((unsigned)__cvta_generic_to_shared(shared));
    unsigned *global = (unsigned *)__cvta_global_to_generic(__cvta_generic_to_global(out));
    global[5 * threadIdx.x] = kinds(out);
    out[5 * threadIdx.x + 1] = kinds(&shared[threadIdx.x]);
    out[5 * threadIdx.x + 2] = kinds(&fixed[1]);
    out[5 * threadIdx.x + 3] = kinds(&own[threadIdx.x % 2]);
    out[5 * threadIdx.x + 4] = kinds(&counted) + 16 * (unsigned)same[threadIdx.x];
}

/* a2 and b2 come from the host: ptxas 13.0 takes predicates of a minimum of constants for each other. */
__global__ void numbers_kernel(unsigned a2, unsigned b2, int *out, float *real)
{
    bool first, low;
    out[0] = __viaddmax_s32(-7, 3, -5);
    out[1] = __viaddmin_s32_relu(-7, 3, 9);
    out[2] = __viaddmax_s16x2(0x7fff0001, 0x00010001, 0x80000003);
    out[3] = __viaddmin_u16x2(0xffff0001, 0x00010005, 0x00030004);
    out[4] = __vimax3_s32(3, -9, 4) + __vimin3_s16x2_relu(0x00050003, 0x00060002, 0x00070004);
    out[5] = __vimin_s32_relu(-3, 4) + 10 * __vimax_s16x2_relu(0xffff0002, 0xfffe0001);
    out[6] = __vibmax_s32(4, 4, &first);
    out[6] += 10 * first;
    out[7] = __vibmin_u16x2(a2, b2, &first, &low);
    out[7] += 2 * first + low;
    const __half2 a = __floats2half2_rn(3, 5), b = __floats2half2_rn(2, 4);
    const float2 over = __half22float2(__h2div(a, b)), sum = __half22float2(__hcmadd(a, b, b));
    real[0] = over.x + over.y;
    real[1] = sum.x;
    real[2] = sum.y;
    real[3] = cyl_bessel_i0f(1) + cyl_bessel_i1f(-1);
    real[4] = (float)(cyl_bessel_i0(20.0) / cyl_bessel_i1(20.0));
}

__global__ void groups_kernel(int *out)
{
    __shared__ int turned[64];
    cg::thread_block block = cg::this_thread_block();
    auto tile = cg::tiled_partition<32>(block);
    turned[63 - threadIdx.x] = threadIdx.x;
    auto token = block.barrier_arrive();
    const int rank = cg::invoke_one_broadcast(tile, [] { return (int)threadIdx.x / 32 + 1; });
    block.barrier_wait(std::move(token));
    cg::invoke_one(
        block, [](int n) { atomicAdd(&counted, n); }, 5);
    out[threadIdx.x] = turned[threadIdx.x] + 100 * rank;
}

int main()
{
    unsigned *places;
    int *out, wrong[4] = {}, h[64], five; /* places, numbers, groups, streams */
    float *real, r[5];
    cudaMalloc(&places, 160 * sizeof(unsigned));
    cudaMalloc(&out, 64 * sizeof(int));
    cudaMalloc(&real, 5 * sizeof(float));
    memory_kernel<<<1, 32>>>(places);
    unsigned kinds[160];
    cudaMemcpy(kinds, places, sizeof kinds, cudaMemcpyDeviceToHost);
    for (unsigned t = 0; t < 32; t++)
        wrong[0] += kinds[5 * t] != 8 || kinds[5 * t + 1] != 4 || kinds[5 * t + 2] != 2 ||
                    kinds[5 * t + 3] != 1 || kinds[5 * t + 4] != 8 + 16 * (t + 1);
    numbers_kernel<<<1, 1>>>(0x00020009, 0x00030001, out, real);
    cudaMemcpy(h, out, 8 * sizeof(int), cudaMemcpyDeviceToHost);
    cudaMemcpy(r, real, sizeof r, cudaMemcpyDeviceToHost);
    const int expected[8] = {-4, 0,  (int)0x80000003, 0x00000004, 4 + 0x00050002,
                             20, 14, 0x00020001 + 2};
    for (int k = 0; k < 8; k++) {
        wrong[1] += h[k] != expected[k];
        printf("%08x%s", (unsigned)h[k], k == 7 ? "\n" : " ");
    }
    /* (3 + 5 i) (2 + 4 i) + 2 + 4 i = -12 + 26 i; I0(1) - I1(1); I0(20) / I1(20) */
    wrong[1] += r[0] != 2.75f || r[1] != -12 || r[2] != 26 || fabsf(r[3] - 0.7009067738f) > 1e-6f ||
                fabsf(r[4] - 1.0259877f) > 1e-5f;
    groups_kernel<<<1, 64>>>(out);
    cudaMemcpy(h, out, sizeof h, cudaMemcpyDeviceToHost);
    cudaMemcpyFromSymbol(&five, counted, sizeof five);
    for (int t = 0; t < 64; t++)
        wrong[2] += h[t] != 63 - t + 100 * (t / 32 + 1);
    wrong[2] += five != 5;
    cudaStream_t stream;
    unsigned long long one, other;
    cudaStreamCreate(&stream);
    wrong[3] +=
        cudaStreamGetId(stream, &one) != cudaSuccess || cudaStreamGetId(0, &other) != cudaSuccess;
    wrong[3] += one == other;
    cudaStreamDestroy(stream);
    cudaFree(places);
    cudaFree(out);
    cudaFree(real);
    const bool right = !(wrong[0] || wrong[1] || wrong[2] || wrong[3]);
    printf("%s: %d places, %d numbers, %d of groups, %d of streams are wrong\n",
           right ? "PASS" : "FAIL", wrong[0], wrong[1], wrong[2], wrong[3]);
    return !right;
}
