/* What a term may ask of conv1d: the mask in another order. */
#include "conv1d/op/op.h"

static size_t flipped(const void *problem, size_t i)
{
    const struct conv1d_problem *p = problem;
    return 2 * (size_t)p->radius - i;
}

static size_t centre_first(const void *problem, size_t i)
{
    const struct conv1d_problem *p = problem;
    const size_t r = (size_t)p->radius;
    return i < r ? 2 * (r - i) - 1 : 2 * (i - r);
}

const struct hpc_term conv1d_asked[] = {
    {.name = "flipped",
     .says = "The mask is flipped, a convolution as mathematics has it: y[i] = sum of w[r - j] * "
             "x[i + j] over j = -r .. r.",
     .place = flipped,
     .in = 1u << CONV1D_W},
    {.name = "centre_first",
     .says = "The mask is stored from its centre outwards: w[0] meets x[i], w[2d - 1] meets "
             "x[i - d] and w[2d] meets x[i + d], for d = 1 .. r.",
     .place = centre_first,
     .in = 1u << CONV1D_W},
    {0},
};
