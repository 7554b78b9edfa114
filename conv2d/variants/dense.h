/* A dense convolution by the better of two kernels: wide_kernel.h, where the GPU has Hopper's
 * products and the rule says that it is worth its start (wide_rule.h), or split_kernel.h. */
#ifndef HPC_CONV2D_DENSE_H
#define HPC_CONV2D_DENSE_H

#include "conv2d/variants/dense_split.h"

#if CUDART_VERSION >= 12030 /* graphs with clusters and overlapping launches */
#include "conv2d/variants/wide.h"
#else
namespace
{

template <int HALVES> struct wide {
    bool open(const struct conv2d_problem &, const void *)
    {
        return false;
    }
    void run(const void *, const void *, void *) const
    {
    }
    void close()
    {
    }
};

} // namespace
#endif

namespace
{

template <int HALVES> struct dense {
    dense_split<HALVES> split;
    wide<HALVES> by_wide;
    bool is_wide;

    /* False where the problem is none that this supports. */
    bool open(const struct conv2d_problem &p, const void *w)
    {
        is_wide = dense_split<HALVES>::takes(p) && by_wide.open(p, w);
        return is_wide || split.open(p, w);
    }

    void run(const void *x, const void *w, void *y) const
    {
        if (is_wide)
            by_wide.run(x, w, y);
        else
            split.run(x, w, y);
    }

    void close()
    {
        split.close();
        by_wide.close();
    }
};

} // namespace

#endif
