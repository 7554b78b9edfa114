/* x on its way into a block of near_kernel.h: [quad of channels][pixel][4], as it is. */
#ifndef HPC_CONV2D_NEAR_PATCH_H
#define HPC_CONV2D_NEAR_PATCH_H

#include "conv2d/variants/near_job.h"

namespace
{

/* The block's x: pixels of its patch, channels of its share. A thread has pixels `first`, and those
 * of every blockDim.x-th one after it, and of them every quads_at_a_time-th quad of channels. */
struct near_patch {
    const near_job &j;
    const float *x; /* the image */
    char *memory;
    int top, left, channel,
        last; /* the first of the thread's channels; the block's end before it */
    int first, quad;
    int each, quads;   /* elements from a channel to the next; quads of a chunk */
    bool there, whole; /* the first pixel lies in the image; a quad is 16 bytes that may be read */
    const float *from; /* its element */

    __device__ bool find(int pixel, const float **at) const
    {
        const int row = split_over(pixel, j.by_patch), h = top + row;
        const int v = left + pixel - row * j.columns;
        const bool is = h >= 0 && h < j.p.h && v >= 0 && v < j.p.w;
        *at = x + (is ? (h * j.p.w + v) * (each == 1 ? j.p.c : 1) + channel * each : 0);
        return is;
    }

    __device__ near_patch(const near_job &job, const float *x_, int tile, char *to)
        : j(job), memory(to)
    {
        const int image = j.p.n == 1 ? 0 : tile / j.tiles, here = tile - image * j.tiles;
        const int row = here / j.across;
        top = row * j.plan.th * j.p.stride - j.p.pad;
        left = (here - row * j.across) * j.plan.tw * j.p.stride - j.p.pad;
        x = x_ + (size_t)image * j.p.c * j.p.h * j.p.w;
        each = j.p.layout == CONV_NHWC ? 1 : j.p.h * j.p.w;
        quads = j.plan.chunk * 4;
        whole = each == 1 && j.p.layout == CONV_NHWC && j.p.c % 4 == 0 && ((size_t)x & 15) == 0;
        quad = 0;
        first = threadIdx.x;
        if (j.pixels <= (int)blockDim.x) {
            quad = split_over(threadIdx.x, j.by_pixels);
            first -= quad * j.pixels;
            if (quad >= j.quads_at_a_time)
                quad = quads; /* none */
        }
        channel = (int)blockIdx.x * j.share * SPLIT_GROUP;
        last = min(j.p.c, channel + j.share * SPLIT_GROUP);
        channel += 4 * quad;
        there = find(first, &from);
    }

    /* A pixel's quads. */
    __device__ void bring_pixel(char *to, const float *at, int c, bool is) const
    {
        const int further = j.quads_at_a_time * j.apart * 16, step = 4 * j.quads_at_a_time;
        if (whole) {
#pragma unroll 2
            for (int q = quad; q < quads; q += j.quads_at_a_time) {
                near_copy_16(to, at, is && c < last);
                to += further, at += step, c += step;
            }
            return;
        }
#pragma unroll 2
        for (int q = quad; q < quads; q += j.quads_at_a_time) {
#pragma unroll
            for (int k = 0; k < 4; k++)
                near_copy_4(to + 4 * k, at + k * each, is && c + k < last);
            to += further, at += step * each, c += step;
        }
    }

    /* Chunk `chunk` on its way. */
    __device__ void bring(int chunk) const
    {
        char *const to = memory + (chunk & 1) * j.memory.buffer + quad * j.apart * 16;
        const int c = chunk * j.plan.chunk * SPLIT_GROUP;
        if (first < j.pixels)
            bring_pixel(to + first * 16, from + (there ? c * each : 0), channel + c, there);
#pragma unroll 1
        for (int pixel = first + blockDim.x; pixel < j.pixels; pixel += blockDim.x) {
            const float *at;
            const bool is = find(pixel, &at);
            bring_pixel(to + pixel * 16, at + (is ? c * each : 0), channel + c, is);
        }
        near_copies_end();
    }

    /* A pixel's lines of the L2 of which it has the first element, or the patch has. */
    __device__ void fetch_pixel(const float *at, int c, bool begins) const
    {
        const int step = 4 * j.quads_at_a_time;
#pragma unroll 1
        for (int q = quad; q < quads; q += j.quads_at_a_time) {
            if (whole) {
                if (c < last && (q == 0 || ((size_t)at & 112) == 0))
                    l2_prefetch(at);
            } else {
#pragma unroll
                for (int k = 0; k < 4; k++)
                    if (c + k < last && (begins || ((size_t)(at + k * each) & 124) == 0))
                        l2_prefetch(at + k * each);
            }
            at += step * each, c += step;
        }
    }

    /* Chunk `chunk` on its way to the L2, before it may be read. */
    __device__ void fetch(int chunk) const
    {
        const int c = chunk * j.plan.chunk * SPLIT_GROUP;
#pragma unroll 1
        for (int pixel = first; pixel < j.pixels; pixel += blockDim.x) {
            const float *at;
            const int column = pixel - split_over(pixel, j.by_patch) * j.columns;
            if (find(pixel, &at))
                fetch_pixel(at + c * each, channel + c, column == 0 || column == -left);
        }
    }
};
} // namespace

#endif
