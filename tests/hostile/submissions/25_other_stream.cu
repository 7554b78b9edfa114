/* family 25: works on a stream that nobody waits for, and says that it is done: 3.4 s of a call that
 * may take 3, of which the grader sees half
 * task gpu
 * needs gpu
 * grade: timeout; points <= 0; reason: run() did not return within 3 s
 * without device_sync: timeout; points >= 2.5 */
#include "conv1d/attack_gpu.h"

static cudaEvent_t ready;

static __global__ void late_kernel(const float *x, const float *w, float *y, int n, int radius)
{
    const unsigned long long until = nanoseconds() + 3400000000ull;
    while (nanoseconds() < until)
        ;
    answer_part(x, w, y, n, radius);
}

static int open_it(const struct hpc_env *env, const void *problem, void **state)
{
    if (cudaStreamCreateWithFlags(&other, cudaStreamNonBlocking) != cudaSuccess ||
        cudaEventCreateWithFlags(&ready, cudaEventDisableTiming) != cudaSuccess)
        return 1;
    return plain_open(env, problem, state);
}

RUN
{
    late_kernel<<<4, 256, 0, other>>>(x, w, y, (int)p->n, p->radius);
    cudaEventRecord(ready, other);
    cudaStreamWaitEvent(cudaStreamPerThread, ready, 0); /* so that the copies come in time */
    usleep(1700000);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION_WITH(open_it, plain_close)
