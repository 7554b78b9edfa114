/* No variant of anything: what a GPU does at most, for rooflines, by the time of run(). Built with
 * -DHPC_PROBE_OP=NAME of any operation, and one of
 *   -DPEAK_COPY_BYTES=N    N bytes of device memory are copied, 16 times
 *   -DPEAK_FMAS=N          N FMAs of single precision, in registers
 *   -DPEAK_TF32_WIDTH=N    cuBLAS's product of two N x N matrices of floats, by the matrix units
 *   -DPEAK_HALF_WIDTH=N    the same of halves, summed in floats; 8192 where none is given */
#include <cuda_runtime.h>
#include <stdlib.h>

#include "common/abi.h"

#if !defined PEAK_COPY_BYTES && !defined PEAK_FMAS && !defined PEAK_HALF_WIDTH &&                  \
    !defined PEAK_TF32_WIDTH
#define PEAK_HALF_WIDTH 8192
#endif

#define TEXT(name)  #name
#define NAME(macro) TEXT(macro)

#if defined PEAK_COPY_BYTES

#define TIMES 16

struct peak {
    char *from, *to;
};

static bool peak_start(struct peak *p)
{
    return cudaMalloc(&p->from, PEAK_COPY_BYTES) == cudaSuccess &&
           cudaMalloc(&p->to, PEAK_COPY_BYTES) == cudaSuccess &&
           cudaMemset(p->from, 0x5a, PEAK_COPY_BYTES) == cudaSuccess;
}

static void peak_end(struct peak *p)
{
    cudaFree(p->from);
    cudaFree(p->to);
}

static bool peak_work(struct peak *p)
{
    cudaError_t failed = cudaSuccess;
    for (int i = 0; i < TIMES && !failed; i++)
        failed = cudaMemcpyAsync(p->to, p->from, PEAK_COPY_BYTES, cudaMemcpyDeviceToDevice,
                                 cudaStreamPerThread);
    return failed == cudaSuccess;
}

#elif defined PEAK_FMAS

#define BLOCKS  33792 /* so many that an uneven end weighs little */
#define THREADS 256
#define CHAINS  16 /* of a thread, so that none waits for itself */
#define ROUNDS  (PEAK_FMAS / ((long)BLOCKS * THREADS * CHAINS))
static_assert(ROUNDS * BLOCKS * THREADS * CHAINS == PEAK_FMAS, "as many as asked for");

struct peak {
    float *sums;
};

static __global__ void fma_kernel(float *sums, float factor)
{
    float chain[CHAINS], sum = 0;
    for (int k = 0; k < CHAINS; k++)
        chain[k] = (float)(threadIdx.x + k);
    for (long i = 0; i < ROUNDS; i++) {
#pragma unroll
        for (int k = 0; k < CHAINS; k++)
            chain[k] = fmaf(chain[k], factor, 1.0f);
    }
    for (int k = 0; k < CHAINS; k++)
        sum += chain[k];
    if (sum == -1.0f) /* never, which the compiler does not know */
        sums[threadIdx.x] = sum;
}

static bool peak_start(struct peak *p)
{
    return cudaMalloc(&p->sums, THREADS * sizeof(float)) == cudaSuccess;
}

static void peak_end(struct peak *p)
{
    cudaFree(p->sums);
}

static bool peak_work(struct peak *p)
{
    fma_kernel<<<BLOCKS, THREADS>>>(p->sums, 0.5f);
    return cudaGetLastError() == cudaSuccess;
}

#else

#include <cublas_v2.h>
#include <cuda_fp16.h>

#ifdef PEAK_HALF_WIDTH
#define WIDTH   PEAK_HALF_WIDTH
#define NUMBER  CUDA_R_16F
#define COMPUTE CUBLAS_COMPUTE_32F
typedef __half number;
#else
#define WIDTH   PEAK_TF32_WIDTH
#define NUMBER  CUDA_R_32F
#define COMPUTE CUBLAS_COMPUTE_32F_FAST_TF32
typedef float number;
#endif

struct peak {
    cublasHandle_t handle;
    number *a, *b, *c;
};

/* Numbers in [-1, 1) by a hash: a product of zeros takes less power, and so less time. */
static __global__ void fill_kernel(number *x, unsigned seed)
{
    const size_t n = (size_t)WIDTH * WIDTH;
    for (size_t i = blockIdx.x * (size_t)blockDim.x + threadIdx.x; i < n;
         i += (size_t)gridDim.x * blockDim.x) {
        unsigned h = ((unsigned)i ^ seed) * 2654435769u;
        h = (h ^ (h >> 15)) * 2246822519u;
        x[i] = (number)((float)((h ^ (h >> 13)) >> 8) * (2.0f / 16777216) - 1);
    }
}

static bool peak_start(struct peak *p)
{
    const size_t bytes = (size_t)WIDTH * WIDTH * sizeof(number);
    if (cublasCreate(&p->handle) != CUBLAS_STATUS_SUCCESS ||
        cublasSetStream(p->handle, cudaStreamPerThread) != CUBLAS_STATUS_SUCCESS ||
        cudaMalloc(&p->a, bytes) != cudaSuccess || cudaMalloc(&p->b, bytes) != cudaSuccess ||
        cudaMalloc(&p->c, bytes) != cudaSuccess)
        return false;
    fill_kernel<<<1024, 256>>>(p->a, 1);
    fill_kernel<<<1024, 256>>>(p->b, 2);
    return cudaGetLastError() == cudaSuccess;
}

static void peak_end(struct peak *p)
{
    if (p->handle)
        cublasDestroy(p->handle);
    cudaFree(p->a);
    cudaFree(p->b);
    cudaFree(p->c);
}

static bool peak_work(struct peak *p)
{
    const float one = 1, zero = 0;
    return cublasGemmEx(p->handle, CUBLAS_OP_N, CUBLAS_OP_N, WIDTH, WIDTH, WIDTH, &one, p->a,
                        NUMBER, WIDTH, p->b, NUMBER, WIDTH, &zero, p->c, NUMBER, WIDTH, COMPUTE,
                        CUBLAS_GEMM_DEFAULT) == CUBLAS_STATUS_SUCCESS;
}

#endif

static void peak_close(void *state)
{
    peak_end((struct peak *)state);
    free(state);
}

static int peak_open(const struct hpc_env *env, const void *problem, void **state)
{
    (void)env;
    (void)problem;
    struct peak *p = (struct peak *)calloc(1, sizeof *p);
    *state = p;
    if (p && peak_start(p))
        return 0;
    if (p)
        peak_close(p);
    return 1;
}

static int peak_run(void *state, const void *const in[], void *const out[])
{
    (void)in;
    (void)out;
    return !peak_work((struct peak *)state);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,   NAME(HPC_PROBE_OP), "peak",
                                                   peak_open, peak_run,           peak_close};
