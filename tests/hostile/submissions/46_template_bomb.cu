/* family 46: templates that double, forty levels deep, in a kernel
 * task kernels
 * long
 * grade: timeout|build; points <= 0; reason: did not end within its 3 s|memory|limit
 * without build_limits: hangs */
#define ATTACK_KERNEL
#include "conv1d/attack.h"

template <unsigned level, unsigned long place> struct both {
    __device__ static float sum(float x)
    {
        return both<level - 1, 2 * place>::sum(x) + both<level - 1, 2 * place + 1>::sum(x);
    }
};
template <unsigned long place> struct both<0, place> {
    __device__ static float sum(float x)
    {
        return x * place;
    }
};

__global__ void sum_all(float *y)
{
    y[0] = both<40, 0>::sum(y[0]);
}

RUN
{
    zeros(p, y);
    sum_all<<<1, 1>>>(y);
    (void)x, (void)w;
    return answer_on_device == NULL;
}
SUBMISSION
