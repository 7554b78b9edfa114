/* What pool_fused.h chooses from: the compiled shapes of its three kernels, and how the weights of
 * each are packed. */
#ifndef HPC_CONV2D_POOL_ENTRIES_H
#define HPC_CONV2D_POOL_ENTRIES_H

#include "conv2d/variants/pool_kernel.h"
#include "conv2d/variants/pool_portable.h"
#include "conv2d/variants/pool_shapes.h"
#include "conv2d/variants/pool_stream.h"
#include "conv2d/variants/stream_shapes.h"

namespace
{

typedef POOL_ELEMENT element;

/* Whether the code that the device chose is Hopper's. */
__device__ int hopper_there = HOPPER;

/* A compiled shape: its kernel, and how its weights are packed. */
struct pool_entry {
    const void *kernel;
    void (*pack)(const element *w, const struct conv2d_problem &p, const int *exponent,
                 __half *packed);
    int threads, shared_bytes, box, box_columns, images;
    bool hopper, whole;
};

template <int CHUNK, int FILTERS, int NCHW = 0>
void pack_filters(const element *w, const struct conv2d_problem &p, const int *exponent,
                  __half *packed)
{
    const size_t count = conv2d_w_count(&p);
    pack_filters_kernel<element, CHUNK, FILTERS, POOL_PRODUCTS == 3 ? 2 : 1, NCHW>
        <<<gpu_blocks(count, 256), 256>>>(w, p.k, p.c, exponent, packed);
    CUDA(cudaGetLastError());
}

template <int LAYOUT, int... SHAPE> pool_entry entry_of()
{
    typedef pool_tile<element, POOL_PRODUCTS, LAYOUT, SHAPE...> F;
    return {(const void *)pool_kernel<F>,
            pack_filters<F::CHUNK, F::FILTERS, F::NCHW>,
            F::THREADS,
            F::SHARED_BYTES,
            F::BOX_ROWS - 2 * F::WHOLE,
            F::BOX_COLUMNS - 2 * F::WHOLE,
            F::BOX_IMAGES,
            true,
            F::WHOLE && F::NCHW};
}

const struct pool_shape shapes[] = {POOL_SHAPES(POOL_SHAPE_ROW)};
#define POOL_ENTRY(...) entry_of<POOL_NHWC, __VA_ARGS__>(),
const pool_entry entries[] = {POOL_SHAPES(POOL_ENTRY)};
enum { SHAPES = sizeof shapes / sizeof *shapes };

/* In NCHW. */
const struct pool_shape map_shapes[] = {POOL_MAP_SHAPES(POOL_SHAPE_ROW)};
#define POOL_MAP_ENTRY(...) entry_of<POOL_NCHW, __VA_ARGS__>(),
const pool_entry map_entries[] = {POOL_MAP_SHAPES(POOL_MAP_ENTRY)};
enum { MAP_SHAPES = sizeof map_shapes / sizeof *map_shapes };

/* In NCHW, of whole maps. */
const struct pool_shape whole_shapes[] = {POOL_WHOLE_SHAPES(POOL_SHAPE_ROW)};
#define POOL_WHOLE_ENTRY(...) entry_of<POOL_WHOLE, __VA_ARGS__>(),
const pool_entry whole_entries[] = {POOL_WHOLE_SHAPES(POOL_WHOLE_ENTRY)};
enum { WHOLE_SHAPES = sizeof whole_shapes / sizeof *whole_shapes };

/* In NHWC, of whole maps. */
const struct pool_shape inside_shapes[] = {POOL_INSIDE_SHAPES(POOL_SHAPE_ROW)};
#define POOL_INSIDE_ENTRY(...) entry_of<POOL_INSIDE, __VA_ARGS__>(),
const pool_entry inside_entries[] = {POOL_INSIDE_SHAPES(POOL_INSIDE_ENTRY)};
enum { INSIDE_SHAPES = sizeof inside_shapes / sizeof *inside_shapes };

const struct pool_shape portable_shape = {0, 32, 1, 64, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1};
const struct pool_shape portable_narrow = {0, 32, 1, 32, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1};

template <int FILTERS> pool_entry portable_entry()
{
    typedef portable_tile<element, POOL_PRODUCTS, FILTERS> F;
    return {(const void *)portable_kernel<F>,
            pack_filters<32, FILTERS>,
            F::THREADS,
            0,
            0,
            0,
            0,
            false,
            false};
}

/* Those of pool_stream.h, for GPUs with cp.async. */
#if POOL_PRODUCTS == 3
#define STREAM_SHAPES STREAM_SHAPES_3
#else
#define STREAM_SHAPES STREAM_SHAPES_1
#endif

template <int FILTERS, int SMALL> pool_entry stream_entry()
{
    typedef stream_tile<element, POOL_PRODUCTS, FILTERS, SMALL> F;
    return {(const void *)stream_kernel<F>,
            pack_filters<32, FILTERS>,
            F::THREADS,
            F::SHARED_BYTES,
            0,
            0,
            0,
            false,
            false};
}

#define STREAM_ENTRY(FILTERS, SMALL, SPLIT) stream_entry<FILTERS, SMALL>(),
const struct pool_shape stream_shapes[] = {STREAM_SHAPES(STREAM_ROW)};
const pool_entry stream_entries[] = {STREAM_SHAPES(STREAM_ENTRY)};
enum { STREAMS = sizeof stream_shapes / sizeof *stream_shapes };

/* Into stream_shapes, -1 where the GPU or the problem is none for these. */
int stream_choose(const struct convpool_problem *p, int major, int multiprocessors)
{
    const int chosen = pool_choose(p, stream_shapes, STREAMS, multiprocessors);
    int room = 0;
    CUDA(cudaDeviceGetAttribute(&room, cudaDevAttrMaxSharedMemoryPerBlockOptin, 0));
    const bool fits = chosen >= 0 && stream_entries[chosen].shared_bytes <= room;
    return major >= 8 && fits && conv2d_x_count(&p->conv) < 0x7fffffff ? chosen : -1;
}

} // namespace

#endif
