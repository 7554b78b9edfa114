/* conv_dense_split on Hopper: what a block will read of x comes as far as the L2 while the launch
 * before this one ends. It may still be written then: nobody looks at it before it is complete. */
#ifndef HPC_CONV2D_WIDE_FETCH_H
#define HPC_CONV2D_WIDE_FETCH_H

#include "conv2d/variants/wide_split.h"

namespace
{

enum { WIDE_LINE = 32 }; /* floats that the L2 fetches at a time */

DEVICE void wide_fetch_line(const float *at)
{
    asm volatile("prefetch.global.L2 [%0];" ::"l"(at));
}

/* The pixels of a tile's patch that lie in the image. */
struct wide_box {
    int top, left, rows, columns;

    DEVICE wide_box(const wide_job &j, const wide_place &at)
    {
        const struct conv2d_problem &p = j.p;
        const int row = at.top * p.stride - p.pad, column = at.left * p.stride - p.pad;
        top = max(row, 0);
        left = max(column, 0);
        rows = min(row + (j.plan.th - 1) * p.stride + p.r, p.h) - top;
        columns = min(column + (j.plan.tw - 1) * p.stride + p.s, p.w) - left;
    }
};

/* Groups begin .. end - 1, a map after the other: a line of a row of each a thread. */
DEVICE void wide_fetch_maps(const wide_job &j, const wide_box &box, const float *image, int begin,
                            int end, int thread)
{
    const int plane = j.p.h * j.p.w;
    const int lines = (box.columns + 2 * WIDE_LINE - 2) / WIDE_LINE; /* of a row, at most */
    for (int i = thread; i < box.rows * lines * WIDE_GROUP; i += WIDE_CONVERTING) {
        const int row = i / lines % box.rows, channel = i / lines / box.rows;
        const int column = min(i % lines * WIDE_LINE, box.columns - 1);
        const float *at = image + (size_t)(begin * WIDE_GROUP + channel) * plane +
                          (box.top + row) * j.p.w + box.left + column;
        for (int group = begin; group < end; group++) {
            wide_fetch_line(at);
            at += (size_t)WIDE_GROUP * plane;
        }
    }
}

/* The same where a pixel's channels lie together: a pixel a thread. */
DEVICE void wide_fetch_pixels(const wide_job &j, const wide_box &box, const float *image, int begin,
                              int end, int thread)
{
    for (int i = thread; i < box.rows * box.columns; i += WIDE_CONVERTING) {
        const int row = i / box.columns, column = i % box.columns;
        const float *at = image + (size_t)((box.top + row) * j.p.w + box.left + column) * j.p.c;
        for (int c = begin * WIDE_GROUP; c < end * WIDE_GROUP; c += WIDE_LINE)
            wide_fetch_line(at + c);
    }
}

DEVICE void wide_fetch(const wide_job &j, const wide_place &at, const float *image, int begin,
                       int end, int thread)
{
    const wide_box box(j, at);
    if (j.p.layout == CONV_NHWC)
        wide_fetch_pixels(j, box, image, begin, end, thread);
    else
        wide_fetch_maps(j, box, image, begin, end, thread);
}

} // namespace

#endif
