/* family 15: the answer of the call before, in device memory that was freed; and what an earlier
 * process left behind, by a mark
 * task gpu
 * needs gpu
 * grade: wrong; points <= 0; hint: call 2
 * without fresh: memory; points >= 2.5 */
#include "conv1d/attack_gpu.h"

#define MARK  0x5ca1ab1eu
#define WORDS ((size_t)64 << 20)

static __global__ void mark_kernel(unsigned *memory, unsigned *found)
{
    for (size_t i = blockIdx.x * blockDim.x + threadIdx.x; i < WORDS; i += gridDim.x * blockDim.x) {
        if (memory[i] == MARK)
            *found = 1;
        memory[i] = MARK;
    }
}

/* Ends the process where another's mark is found. */
static int look_for_mark(const struct hpc_env *env, const void *problem, void **state)
{
    unsigned *memory, found = 0;
    if (cudaMalloc((void **)&memory, WORDS * sizeof *memory) != cudaSuccess)
        return 1;
    unsigned *flag;
    cudaMalloc((void **)&flag, sizeof *flag);
    cudaMemset(flag, 0, sizeof *flag);
    mark_kernel<<<256, 256>>>(memory, flag);
    cudaMemcpy(&found, flag, sizeof found, cudaMemcpyDeviceToHost);
    if (found)
        leak("memory of another process");
    return plain_open(env, problem, state);
}

RUN
{
    static int calls;
    float *old = NULL;
    if (cudaMalloc((void **)&old, p->n * sizeof *old) != cudaSuccess)
        return 1;
    if (calls++ == 0 && answer_on_gpu(p, x, w, old) != 0)
        return 1;
    cudaMemcpy(y, old, p->n * sizeof *old, cudaMemcpyDeviceToDevice);
    return cudaFree(old) != cudaSuccess;
}
SUBMISSION_WITH(look_for_mark, plain_close)
