/* A dense convolution by the best of four kernels: few_kernel.h where there are few channels, on
 * every GPU; wide_kernel.h or near_kernel.h, where it was
 * measured to be (wide_known.h, near_known.h); wide_kernel.h, where the GPU has Hopper's products
 * and the rule says that it is worth its start (wide_rule.h); else near_kernel.h where the GPU has
 * clusters, or split_kernel.h. */
#ifndef HPC_CONV2D_DENSE_H
#define HPC_CONV2D_DENSE_H

#include "conv2d/variants/dense_split.h"
#include "conv2d/variants/few.h"
#include "conv2d/variants/near.h"

#if CUDART_VERSION >= 12030 /* graphs with clusters and overlapping launches */
#include "conv2d/variants/wide.h"
#else
namespace
{

template <int HALVES> struct wide {
    bool open(const struct conv2d_problem &, const void *, bool)
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
    near<HALVES> by_near;
    few by_few;
    bool is_few, is_wide, is_near;

    /* False where the problem is none that this supports. */
    bool open(const struct conv2d_problem &p, const void *w)
    {
        bool takes = dense_split<HALVES>::takes(p);
        is_few = takes && by_few.open(p, w);
        takes = takes && !is_few;
        is_wide = takes && by_wide.open(p, w, true);
        is_near = takes && !is_wide && by_near.open(p, w, true);
        is_wide |= takes && !is_wide && !is_near && by_wide.open(p, w, false);
        is_near |= takes && !is_wide && !is_near && by_near.open(p, w, false);
        return is_few || is_near || is_wide || split.open(p, w);
    }

    bool is_split() const
    {
        return !is_few && !is_near && !is_wide;
    }

    void run(const void *x, const void *w, void *y) const
    {
        if (is_few)
            by_few.run(x, y);
        else if (is_near)
            by_near.run(x, w, y);
        else if (is_wide)
            by_wide.run(x, w, y);
        else
            split.run(x, w, y);
    }

    void close()
    {
        split.close();
        by_few.close();
        by_wide.close();
        by_near.close();
    }
};

} // namespace

#endif
