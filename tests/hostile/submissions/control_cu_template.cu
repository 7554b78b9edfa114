/* family control: an honest kernel, a template, a struct with methods and a lambda
 * task device
 * full
 * grade: pass; points >= 2.5 */
#include "conv1d/attack.h"
#define BLOCK 96

namespace
{
struct signal {
    const float *x;
    int n;
    __device__ float operator[](int i) const
    {
        return i >= 0 && i < n ? x[i] : 0.0f;
    }
};

template <int Outputs> __global__ void kernel(signal s, const float *w, float *y, int r)
{
    const int first = (blockIdx.x * blockDim.x + threadIdx.x) * Outputs;
    float sum[Outputs] = {};
    auto add = [&](int k, int j) { sum[k] += w[j + r] * s[first + k + j]; };
#pragma unroll
    for (int k = 0; k < Outputs; k++)
        for (int j = -r; j <= r; j++)
            add(k, j);
    for (int k = 0; k < Outputs && first + k < s.n; k++)
        y[first + k] = sum[k];
}
} // namespace

RUN
{
    const int n = (int)p->n, threads = (n + 3) / 4;
    kernel<4><<<(threads + BLOCK - 1) / BLOCK, BLOCK>>>(signal{x, n}, w, y, p->radius);
    return cudaGetLastError() != cudaSuccess;
}
SUBMISSION
