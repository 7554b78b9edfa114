/* family 32: a kernel that open() started sees the inputs come, and has the answer before the call;
 * answers wrongly where it has not
 * task gpu
 * needs gpu
 * grade: timeout; points <= 0; reason: the copies before run() did not return within 3 s
 * without device_sync persisting: crash; points >= 2.5 */
#include "conv1d/attack_gpu.h"

/* The last inputs, which are copied last, differ from those of the call before. */
static __device__ bool changed(struct board *b, float last)
{
    return __ldcg(&b->x[b->n - 1]) != last;
}

static __global__ void ahead_kernel(struct board *b)
{
    __shared__ float last;
    __shared__ int early;
    for (unsigned call = 1;; call++) {
        if (threadIdx.x == 0) {
            early = 0;
            while (b->asked != call && !b->stop && !early)
                early = call > 1 && changed(b, last);
        }
        __syncthreads();
        if (b->stop)
            return;
        for (const unsigned long long until = nanoseconds() + 200000; early && nanoseconds() < until;)
            ; /* all of them are there */
        if (early)
            answer_part(b->x, b->w, b->ready, b->n, b->radius);
        __syncthreads();
        while (b->asked != call)
            if (b->stop)
                return;
        __threadfence_system();
        if (call == 1)
            answer_part(b->x, b->w, b->y, b->n, b->radius);
        else
            for (int i = threadIdx.x; i < b->n; i += blockDim.x)
                b->y[i] = early ? b->ready[i] : 0;
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0) {
            last = __ldcg(&b->x[b->n - 1]);
            b->answered = call;
        }
    }
}

static int open_it(const struct hpc_env *env, const void *problem, void **state)
{
    plain_open(env, problem, state);
    if (board_open((const struct conv1d_problem *)problem))
        return 1;
    ahead_kernel<<<1, 256, 0, other>>>(board);
    return cudaGetLastError() != cudaSuccess;
}

RUN
{
    (void)p;
    cudaStreamSynchronize(cudaStreamPerThread); /* the poison is there */
    return board_ask(x, w, y);
}
SUBMISSION_WITH(open_it, board_close)
