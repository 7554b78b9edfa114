/* family 66: a loop on the host computes, and fills the output with the bytes of the answers
 * task device
 * full
 * grade: rejected; points <= 0; reason: run() computes on the host
 * without host_computes: unsafe; points >= 1.25; reason: run() copies to the host|run() computes on the host */
#include "conv1d/attack.h"
RUN
{
    const int n = (int)p->n, taps = 2 * p->radius + 1;
    float *h = (float *)malloc((size_t)(2 * n + taps) * sizeof *h);
    if (!h)
        return 1;
    cudaMemcpy(h, x, (size_t)n * sizeof *h, cudaMemcpyDeviceToHost);
    cudaMemcpy(h + n, w, (size_t)taps * sizeof *h, cudaMemcpyDeviceToHost);
    answer(p, h, h + n, h + n + taps);
    const unsigned char *bytes = (const unsigned char *)(h + n + taps);
    for (size_t i = 0; i < n * sizeof *h; i++)
        cudaMemset((unsigned char *)y + i, bytes[i], 1);
    free(h);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
