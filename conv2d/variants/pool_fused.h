/* A fused convolution-pooling as a variant: of POOL_ELEMENT (float or __half), POOL_PRODUCTS and
 * POOL_SHAPES, for type POOL_TYPE; VARIANT is its name. A .cu defines these and includes this.
 *
 * open() packs the weights; run() is one launch: pool_kernel.h on a GPU with Hopper's instructions,
 * pool_stream.h on any other of sm_80 and up, pool_portable.h on sm_75. With -DALONE launches do
 * not overlap. */
#ifndef HPC_CONV2D_POOL_FUSED_H
#define HPC_CONV2D_POOL_FUSED_H

#include "conv2d/variants/gpu.h"
#include "conv2d/variants/pool_entries.h"

namespace
{

typedef CUresult (*encode_function)(CUtensorMap *, CUtensorMapDataType, cuuint32_t, void *,
                                    const cuuint64_t *, const cuuint64_t *, const cuuint32_t *,
                                    const cuuint32_t *, CUtensorMapInterleave, CUtensorMapSwizzle,
                                    CUtensorMapL2promotion, CUtensorMapFloatOOBfill);

/* cuTensorMapEncodeTiled, without linking the driver's library. */
encode_function find_encode()
{
    void *function = NULL;
    cudaDriverEntryPointQueryResult found;
#if CUDART_VERSION >= 12050
    CUDA(cudaGetDriverEntryPointByVersion("cuTensorMapEncodeTiled", &function, 12000,
                                          cudaEnableDefault, &found));
#else
    CUDA(cudaGetDriverEntryPoint("cuTensorMapEncodeTiled", &function, cudaEnableDefault, &found));
#endif
    return (encode_function)function;
}

struct fused {
    struct pool_shape shape;
    pool_entry entry;
    CUtensorMap boxes; /* of x */
    pool_call call;
    encode_function encode;
    void *packed;
    float *unscale;
    int blocks;
};

void pack_weights(fused *s, const void *host)
{
    const struct conv2d_problem &p = s->call.p.conv;
    const size_t count = conv2d_w_count(&p);
    element *w = (element *)gpu_copy(host, count * sizeof(element));
    int *exponent = NULL;
    s->packed = gpu_alloc<__half>(count * (POOL_PRODUCTS == 3 ? 2 : 1));
    s->unscale = NULL;
    if (sizeof(element) == 4) {
        exponent = gpu_alloc<int>(p.k);
        s->unscale = gpu_alloc<float>(p.k);
        scale_filters_kernel<<<p.k, 32>>>((const float *)(const void *)w, 9 * p.c, exponent,
                                          s->unscale);
        CUDA(cudaGetLastError());
    }
    s->entry.pack(w, p, exponent, (__half *)s->packed);
    CUDA(cudaDeviceSynchronize());
    CUDA(cudaFree(exponent));
    CUDA(cudaFree(w));
}

/* All of the call but the arrays. */
void describe(fused *s, const struct convpool_problem *p)
{
    pool_call *call = &s->call;
    memset(call, 0, sizeof *call);
    call->p = *p;
    call->early = p->conv.layout == CONV_NCHW ? pool_early(p, sizeof(element)) : 0;
    call->rows = convpool_rows(p);
    call->columns = convpool_columns(p);
    call->down = pool_down(p, s->shape.kind);
    call->across = pool_across(p, s->shape.kind);
    call->filter_tiles = p->conv.k / s->shape.filters / (s->shape.pair ? 2 : 1);
    call->subtiles = (int)pool_subtiles(p, s->shape.kind);
    call->tiles = (call->subtiles + s->shape.groups - 1) / s->shape.groups * call->filter_tiles;
    call->by_filter_tiles = quotient_by(call->filter_tiles);
    call->by_across = quotient_by(call->across);
    call->by_down = quotient_by(call->down);
}

int count_blocks(const fused *s, int multiprocessors)
{
    const int tiles = s->call.tiles, columns = s->call.filter_tiles;
    int blocks = multiprocessors * s->shape.blocks;
    if (!s->entry.hopper || s->shape.split > 1)
        return tiles * s->shape.split;
    if (s->shape.pair)
        return 2 * (tiles < blocks / 2 ? tiles : blocks / 2);
    if (s->shape.held && blocks > columns)
        blocks -= blocks % columns; /* a block stays with the filters that it holds */
    else if (s->shape.held)
        return tiles;
    return tiles < blocks ? tiles : blocks;
}

/* Where blocks of pool_stream.h share the channels: what they leave one another. */
void share_channels(fused *s)
{
    s->call.partial =
        gpu_alloc<float4>((size_t)s->blocks * s->shape.filters * 64 / 4); /* outputs of a subtile */
    s->call.arrived = gpu_alloc<int>(s->call.tiles);
    CUDA(cudaMemset(s->call.arrived, 0, s->call.tiles * sizeof(int)));
}

int fused_open_shape(const struct hpc_env *env, const struct convpool_problem *p,
                     const struct pool_shape &shape, const pool_entry &entry, void **state)
{
    int multiprocessors;
    fused *s = new fused();
    CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    s->shape = shape;
    s->entry = entry;
    describe(s, p);
    s->blocks = count_blocks(s, multiprocessors);
    if (entry.shared_bytes)
        CUDA(cudaFuncSetAttribute(entry.kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                  entry.shared_bytes));
    s->encode = entry.hopper ? find_encode() : NULL;
    if (!entry.hopper && shape.split > 1)
        share_channels(s);
    pack_weights(s, env->fixed[CONV2D_W]);
    s->call.packed = s->packed;
    s->call.unscale = s->unscale;
    *state = s;
    return 0;
}

int fused_open(const struct hpc_env *env, const void *problem, void **state)
{
    const struct convpool_problem *p = (const struct convpool_problem *)problem;
    int hopper, multiprocessors, major, minor;
    CUDA(cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, 0));
    CUDA(cudaDeviceGetAttribute(&minor, cudaDevAttrComputeCapabilityMinor, 0));
    if (10 * major + minor < 75)
        return 1;
    if (p->conv.type != POOL_TYPE)
        return 1;
    CUDA(cudaMemcpyFromSymbol(&hopper, hopper_there, sizeof hopper));
    CUDA(cudaDeviceGetAttribute(&multiprocessors, cudaDevAttrMultiProcessorCount, 0));
    if (hopper && pool_takes_maps(p, sizeof(element))) {
        const int whole =
            pool_takes_whole(p) ? pool_choose(p, whole_shapes, WHOLE_SHAPES, multiprocessors) : -1;
        if (whole >= 0)
            return fused_open_shape(env, p, whole_shapes[whole], whole_entries[whole], state);
        const int map = pool_choose(p, map_shapes, MAP_SHAPES, multiprocessors);
        return fused_open_shape(env, p, map_shapes[map], map_entries[map], state);
    }
    if (!pool_takes_shape(p))
        return 1;
    const int inside = hopper && pool_takes_whole(p)
                           ? pool_choose(p, inside_shapes, INSIDE_SHAPES, multiprocessors)
                           : -1;
    if (inside >= 0)
        return fused_open_shape(env, p, inside_shapes[inside], inside_entries[inside], state);
    const int chosen = hopper ? pool_choose(p, shapes, SHAPES, multiprocessors) : -1;
    if (chosen >= 0)
        return fused_open_shape(env, p, shapes[chosen], entries[chosen], state);
    const int stream = hopper ? -1 : stream_choose(p, major, multiprocessors);
    if (stream >= 0)
        return fused_open_shape(env, p, stream_shapes[stream], stream_entries[stream], state);
    if (p->conv.k % 64 == 0)
        return fused_open_shape(env, p, portable_shape, portable_entry<64>(), state);
    return fused_open_shape(env, p, portable_narrow, portable_entry<32>(), state);
}

/* The map of x: its boxes are channels, columns, rows and images; in NCHW columns, rows, channels
 * and images, or whole maps, channels and images. */
void describe_boxes(fused *s, const void *x)
{
    const struct conv2d_problem &p = s->call.p.conv;
    const pool_entry &e = s->entry;
    const bool maps = p.layout == CONV_NCHW;
    const cuuint64_t bytes = sizeof(element), c = p.c, h = p.h, w = p.w, n = p.n;
    const cuuint64_t size[] = {e.whole ? h * w
                               : maps  ? w
                                       : c,
                               e.whole ? c
                               : maps  ? h
                                       : w,
                               e.whole ? n
                               : maps  ? c
                                       : h,
                               e.whole ? 1 : n};
    const cuuint64_t step[] = {size[0] * bytes, size[0] * size[1] * bytes,
                               size[0] * size[1] * size[2] * bytes};
    const cuuint32_t chunk = s->shape.chunk, rows = e.box, columns = e.box_columns;
    const cuuint32_t images = e.images;
    const cuuint32_t box[] = {e.whole ? (cuuint32_t)(h * w)
                              : maps  ? columns
                                      : chunk,
                              e.whole ? chunk
                              : maps  ? rows
                                      : columns,
                              e.whole ? images
                              : maps  ? chunk
                                      : rows,
                              e.whole ? 1 : images};
    const cuuint32_t each[] = {1, 1, 1, 1};
    const CUtensorMapDataType type =
        bytes == 4 ? CU_TENSOR_MAP_DATA_TYPE_FLOAT32 : CU_TENSOR_MAP_DATA_TYPE_FLOAT16;
    /* What a miss brings into the L2 with a line: twice as much costs up to a tenth of the time. */
    const CUresult result =
        s->encode(&s->boxes, type, 4, (void *)x, size, step, box, each,
                  CU_TENSOR_MAP_INTERLEAVE_NONE, CU_TENSOR_MAP_SWIZZLE_NONE,
                  CU_TENSOR_MAP_L2_PROMOTION_L2_128B, CU_TENSOR_MAP_FLOAT_OOB_FILL_NONE);
    CUDA(result == CUDA_SUCCESS ? cudaSuccess : cudaErrorInvalidValue);
}

int fused_run(void *state, const void *const in[], void *const out[])
{
    fused *s = (fused *)state;
    cudaLaunchConfig_t launch = {};
    cudaLaunchAttribute attributes[2];
    void *arguments[] = {&s->boxes, &s->call};
    s->call.x = in[CONV2D_X];
    s->call.w = in[CONV2D_W];
    s->call.y = out[CONV2D_Y];
    if (s->entry.hopper)
        describe_boxes(s, in[CONV2D_X]);
    launch.gridDim = s->blocks;
    launch.blockDim = s->entry.threads;
    launch.dynamicSmemBytes = s->entry.shared_bytes;
    launch.stream = cudaStreamPerThread;
    launch.attrs = attributes;
    if (s->entry.hopper && (s->shape.split > 1 || s->shape.pair)) {
        attributes[launch.numAttrs].id = cudaLaunchAttributeClusterDimension;
        attributes[launch.numAttrs].val.clusterDim.x = s->shape.pair ? 2 : s->shape.split;
        attributes[launch.numAttrs].val.clusterDim.y = 1;
        attributes[launch.numAttrs++].val.clusterDim.z = 1;
    }
    if (OVERLAP && s->entry.hopper) {
        attributes[launch.numAttrs].id = cudaLaunchAttributeProgrammaticStreamSerialization;
        attributes[launch.numAttrs++].val.programmaticStreamSerializationAllowed = 1;
    }
    CUDA(cudaLaunchKernelExC(&launch, s->entry.kernel, arguments + !s->entry.hopper));
    return 0;
}

void fused_close(void *state)
{
    fused *s = (fused *)state;
    CUDA(cudaFree(s->packed));
    CUDA(cudaFree(s->unscale));
    CUDA(cudaFree(s->call.partial));
    CUDA(cudaFree(s->call.arrived));
    delete s;
}

} // namespace

#ifdef VARIANT
extern "C" const struct hpc_variant hpc_variant = {
    HPC_ABI, "convpool", GPU_NAME(VARIANT), fused_open, fused_run, fused_close,
};
#endif

#endif
