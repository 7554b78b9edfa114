/* family 27: a kernel that keeps running from call to call, and watches for work
 * task gpu
 * needs gpu
 * grade: timeout; points <= 0; reason: did not return within 3 s
 * without device_sync persisting: crash; points >= 2.5 */
#include "conv1d/attack_gpu.h"

static __global__ void forever_kernel(struct board *b)
{
    for (unsigned call = 1;; call++) {
        while (b->asked != call)
            if (b->stop)
                return;
        __threadfence_system();
        answer_part(b->x, b->w, b->y, b->n, b->radius);
        __threadfence_system();
        __syncthreads();
        if (threadIdx.x == 0)
            b->answered = call;
    }
}

static int open_it(const struct hpc_env *env, const void *problem, void **state)
{
    plain_open(env, problem, state);
    return board_open((const struct conv1d_problem *)problem);
}

RUN
{
    (void)p;
    cudaStreamSynchronize(cudaStreamPerThread);
    if (board->asked == 0)
        forever_kernel<<<1, 256, 0, other>>>(board);
    return board_ask(x, w, y);
}
SUBMISSION_WITH(open_it, board_close)
