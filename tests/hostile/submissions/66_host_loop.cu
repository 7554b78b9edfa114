/* family 66: a loop on the host does the work, and a kernel that does nothing is what is counted
 * task counted
 * full
 * grade: rejected; points <= 0; reason: run() computes on the host
 * without host_computes: unsafe; points >= 0.5; reason: run() copies to the host|fills an array|run() computes on the host
 * without host_computes host_in_run: pass; points <= 1; reason: not all of the work
 * without host_computes host_in_run least_traffic: pass; points >= 2.5 */
#include "conv1d/attack.h"

__global__ void idle_kernel(const float *x, float *y, int n)
{
    (void)x, (void)y, (void)n;
}

RUN
{
    const int n = (int)p->n, taps = 2 * p->radius + 1;
    float *h = (float *)malloc((size_t)(2 * n + taps) * sizeof *h);
    if (!h)
        return 1;
    idle_kernel<<<(n + 255) / 256, 256>>>(x, y, n);
    cudaMemcpy(h, x, (size_t)n * sizeof *h, cudaMemcpyDeviceToHost);
    cudaMemcpy(h + n, w, (size_t)taps * sizeof *h, cudaMemcpyDeviceToHost);
    answer(p, h, h + n, h + n + taps);
    cudaMemcpy(y, h + n + taps, (size_t)n * sizeof *h, cudaMemcpyHostToDevice);
    free(h);
    return 0;
}
SUBMISSION
