/* A dense convolution by the best of five kernels: few_kernel.h where there are few channels, on
 * every GPU; box_kernel.h, wide_kernel.h or near_kernel.h, where it was measured to be
 * (box_known.h, wide_known.h, near_known.h); where the GPU has Hopper's products box_kernel.h with
 * a stride, as box_plan.h says, and wide_kernel.h where it is worth its start (wide_rule.h); else
 * near_kernel.h where the GPU has clusters, or split_kernel.h. */
#ifndef HPC_CONV2D_DENSE_H
#define HPC_CONV2D_DENSE_H

#include "conv2d/variants/dense_split.h"
#include "conv2d/variants/few.h"
#include "conv2d/variants/near.h"

#if CUDART_VERSION >= 12030 /* graphs with clusters and overlapping launches */
#include "conv2d/variants/box.h"
#include "conv2d/variants/wide.h"
#else
namespace
{

template <int HALVES> struct no_kernel {
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
template <int HALVES> using wide = no_kernel<HALVES>;
template <int HALVES> using box = no_kernel<HALVES>;

} // namespace
#endif

namespace
{

template <int HALVES> struct dense {
    dense_split<HALVES> split;
    box<HALVES> by_box;
    wide<HALVES> by_wide;
    near<HALVES> by_near;
    few by_few;
    bool is_few, is_box, is_wide, is_near;

    /* False where the problem is none that this supports. */
    bool open(const struct conv2d_problem &p, const void *w)
    {
        bool takes = dense_split<HALVES>::takes(p);
        is_few = takes && by_few.open(p, w);
        takes = takes && !is_few;
        is_box = is_wide = is_near = false;
        for (int known = 1; known >= 0 && takes; known--) {
            takes = !(is_box = by_box.open(p, w, known));
            takes = takes && !(is_wide = by_wide.open(p, w, known));
            takes = takes && !(is_near = by_near.open(p, w, known));
        }
        return !is_split() || split.open(p, w);
    }

    bool is_split() const
    {
        return !is_few && !is_box && !is_near && !is_wide;
    }

    void run(const void *x, const void *w, void *y) const
    {
        if (is_few)
            by_few.run(x, y);
        else if (is_box)
            by_box.run(x, w, y);
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
        by_box.close();
        by_wide.close();
        by_near.close();
    }
};

} // namespace

#endif
