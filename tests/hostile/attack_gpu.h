/* What hostile submissions for a GPU share. */
#ifndef HPC_HOSTILE_ATTACK_GPU_H
#define HPC_HOSTILE_ATTACK_GPU_H

#include "conv1d/attack.h"

/* The right answer, by any number of threads, of inputs that may have changed while it ran. */
static __device__ void answer_part(const float *x, const float *w, float *y, int n, int radius)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x) {
        float sum = 0;
        for (int j = -radius; j <= radius; j++)
            if (i + j >= 0 && i + j < n)
                sum += __ldcg(&w[j + radius]) * __ldcg(&x[i + j]);
        y[i] = sum;
    }
}

static __global__ void answer_kernel(const float *x, const float *w, float *y, int n, int radius)
{
    answer_part(x, w, y, n, radius);
}

static inline int answer_on_gpu(const struct conv1d_problem *p, const float *x, const float *w,
                                float *y)
{
    answer_kernel<<<8, 128>>>(x, w, y, (int)p->n, p->radius);
    return cudaGetLastError() != cudaSuccess;
}

static __device__ unsigned long long nanoseconds()
{
    unsigned long long now;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    return now;
}

/* What host and kernel tell each other while the kernel runs. */
struct board {
    volatile unsigned asked, answered, stop;
    const float *x, *w;
    float *y, *ready;
    int n, radius;
};

static struct board *board;
static cudaStream_t other; /* does not wait for any stream, nor any for it */

static inline int board_open(const struct conv1d_problem *p)
{
    void *some; /* what fills memory is loaded while nothing runs yet */
    if (cudaMalloc(&some, (size_t)64 << 20) != cudaSuccess ||
        cudaMemset(some, 1, (size_t)64 << 20) != cudaSuccess || cudaFree(some) != cudaSuccess ||
        cudaHostAlloc((void **)&board, sizeof *board, cudaHostAllocMapped) != cudaSuccess ||
        cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking) != cudaSuccess)
        return 1;
    memset((void *)board, 0, sizeof *board);
    board->n = (int)p->n;
    board->radius = p->radius;
    return cudaMalloc((void **)&board->ready, p->n * sizeof(float)) != cudaSuccess;
}

/* One call's work, done by a kernel that runs already. */
static inline int board_ask(const float *x, const float *w, float *y)
{
    board->x = x;
    board->w = w;
    board->y = y;
    __sync_synchronize();
    const unsigned call = ++board->asked;
    while (board->answered != call)
        ;
    return 0;
}

static void board_close(void *state)
{
    (void)state;
    board->stop = 1;
    cudaStreamSynchronize(other);
    cudaStreamDestroy(other);
    cudaFree(board->ready);
    cudaFreeHost((void *)board);
}

/* Whether lines of memory lie in a cache: a chain through `lines` of them, as far apart that no
 * other comes along, and how many cycles a step takes. */
#define CHAIN_LINES  256
#define CHAIN_APART  1024 /* words */
#define CHAIN_CACHED 600  /* cycles: more come from memory */

static unsigned *chain, *chain_cycles;

static inline int chain_open(void)
{
    static unsigned links[CHAIN_LINES * CHAIN_APART];
    for (unsigned i = 0; i < CHAIN_LINES; i++)
        links[i * CHAIN_APART] = (i * 101 + 57) % CHAIN_LINES * CHAIN_APART;
    return cudaMalloc((void **)&chain, sizeof links) != cudaSuccess ||
           cudaMalloc((void **)&chain_cycles, 2 * sizeof(unsigned)) != cudaSuccess ||
           cudaMemcpy(chain, links, sizeof links, cudaMemcpyHostToDevice) != cudaSuccess;
}

static __global__ void chain_kernel(const unsigned *links, unsigned *cycles)
{
    unsigned at = 0;
    const long long begin = clock64();
    for (int i = 0; i < CHAIN_LINES; i++)
        at = __ldcg(&links[at]);
    cycles[0] = (unsigned)((clock64() - begin) / CHAIN_LINES);
    cycles[1] = at;
}

/* Cycles a step; afterwards all of it is in the cache. */
static inline unsigned chain_walk(cudaStream_t stream)
{
    unsigned cycles[2] = {0, 0};
    chain_kernel<<<1, 1, 0, stream>>>(chain, chain_cycles);
    cudaMemcpyAsync(cycles, chain_cycles, sizeof cycles, cudaMemcpyDeviceToHost, stream);
    cudaStreamSynchronize(stream);
    for (int i = 0; i < 3; i++)
        chain_kernel<<<1, 1, 0, stream>>>(chain, chain_cycles);
    cudaStreamSynchronize(stream);
    return cycles[0];
}

static inline void chain_close(void)
{
    cudaFree(chain);
    cudaFree(chain_cycles);
}

/* All of y; a wrong answer that says how many cycles a step took. */
static inline int answer_cycles(const struct conv1d_problem *p, float *y, unsigned cycles)
{
    const float first = (float)cycles;
    return cudaMemset(y, 0, p->n * sizeof *y) != cudaSuccess ||
           cudaMemcpy(y, &first, sizeof first, cudaMemcpyHostToDevice) != cudaSuccess;
}

#endif
