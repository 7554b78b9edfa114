/* The toy operation on a device, y = 2 x + 1, and what its variant does besides, chosen by
 * -DATTACK=.. (toy.h). */
#include <stdlib.h>

#include "tests/unit/toy/toy.h"

#ifndef ATTACK
#define ATTACK TOY_NONE
#endif

__constant__ double c_factor;

struct state {
    int n;
    double *own;
};

__global__ void toy_kernel(const double *x, double *y, int n, int extra)
{
    __shared__ double tile[64];
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    tile[threadIdx.x] = i < n ? x[i] : 0;
    if (ATTACK != TOY_RACE)
        __syncthreads();
    /* Its neighbour's element, which is in the tile for all but the first thread. */
    double left = threadIdx.x ? tile[threadIdx.x - 1] : x[i < n ? i : 0];
    if (i < n + extra)
        y[i] = 2 * tile[threadIdx.x] + 1 + 0 * left;
    if (ATTACK == TOY_FIXED && i < n)
        y[i] = c_factor * x[i] + 1;
    if (ATTACK == TOY_BEFORE && i == 0)
        y[-1] = 0;
}

static int toy_open(const struct hpc_env *env, const void *problem, void **state)
{
    struct state *s = (struct state *)calloc(1, sizeof *s);
    if (!s || env->fixed[0] || !env->fixed[1])
        return 1;
    double factor = *(const double *)env->fixed[1] - 9;
    cudaMemcpyToSymbol(c_factor, &factor, sizeof factor);
    s->n = ((const struct toy_problem *)problem)->n;
    cudaMalloc(&s->own, 64);
    *state = s;
    return ATTACK == TOY_REFUSE ? 7 : 0;
}

static int toy_run(void *state, const void *const in[], void *const out[])
{
    struct state *s = (struct state *)state;
    const double *x = (const double *)in[0];
    double *y = (double *)out[0];
    int blocks = (s->n + 63) / 64, threads = ATTACK == TOY_FORK ? 2048 : 64;
    if (ATTACK == TOY_FAIL)
        return 9;
    if (ATTACK == TOY_HANG)
        for (;;)
            ;
    if (ATTACK == TOY_CRASH)
        y[0] = *(volatile double *)8;
    if (s->n > 0 && ATTACK != TOY_LAZY) /* returns before the device is done */
        toy_kernel<<<blocks, threads>>>(x, y, s->n, ATTACK == TOY_AFTER ? 1 : 0);
    return 0;
}

static void toy_close(void *state)
{
    struct state *s = (struct state *)state;
    if (ATTACK != TOY_LEAK)
        cudaFree(s->own);
    free(s);
}

extern "C" const struct hpc_variant hpc_variant = {HPC_ABI,  "toy",   "toy",
                                                   toy_open, toy_run, toy_close};
