/* family 68: a loop on the host, in the case alone whose traffic is counted
 * task counted
 * full
 * grade: rejected; points <= 0; reason: case counted: run() computes on the host
 * without traffic_faults: pass; points >= 2.5 */
#define ATTACK_KERNEL
#include "conv1d/attack.h"

static float xs[2048], ws[64], ys[2048];
static float *sums;

__global__ void copies(const float *x, const float *from, float *y, int n)
{
    const int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = from[i] + 0 * x[i];
}

static int open_it(const struct hpc_env *env, const void *problem, void **state)
{
    plain_open(env, problem, state);
    return cudaMalloc((void **)&sums, sizeof ys) != cudaSuccess;
}

static void close_it(void *state)
{
    (void)state;
    cudaFree(sums);
}

RUN
{
    const int n = (int)p->n;
    if (n != 1023)
        return answer_on_device(p, x, w, y);
    cudaMemcpy(xs, x, n * sizeof *x, cudaMemcpyDeviceToHost);
    cudaMemcpy(ws, w, (2 * p->radius + 1) * sizeof *w, cudaMemcpyDeviceToHost);
    answer(p, xs, ws, ys);
    cudaMemcpy(sums, ys, n * sizeof *ys, cudaMemcpyHostToDevice);
    copies<<<(n + 255) / 256, 256>>>(x, sums, y, n);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION_WITH(open_it, close_it)
