/* Filters where lanes are: the weights as [C R S][K'] with K' = K rounded up to a multiple of
 * `lanes`, so that a warp's lanes, each with filters of its own, read one tap's weights together.
 * Filters that do not exist are zero. */
#ifndef HPC_CONV2D_FILTER_LANES_H
#define HPC_CONV2D_FILTER_LANES_H

#include "conv2d/variants/gpu.h"

namespace
{

inline int filters_padded(const struct conv2d_problem *p, int lanes)
{
    return (p->k + lanes - 1) / lanes * lanes;
}

/* From the host's weights (NCHW, floats) to the device, once: not a part of any timing. */
inline float *filters_to_lanes(const struct conv2d_problem *p, const void *host, int lanes)
{
    const size_t depth = (size_t)p->c * p->r * p->s, across = (size_t)filters_padded(p, lanes);
    const float *w = (const float *)host;
    float *turned = (float *)calloc(depth * across, sizeof *turned);
    if (!turned)
        return NULL;
    for (size_t k = 0; k < (size_t)p->k; k++)
        for (size_t i = 0; i < depth; i++)
            turned[i * across + k] = w[k * depth + i];
    float *d_turned = (float *)gpu_copy(turned, depth * across * sizeof *turned);
    free(turned);
    return d_turned;
}

} // namespace

#endif
