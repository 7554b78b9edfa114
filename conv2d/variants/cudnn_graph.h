/* A convolution by cuDNN's graph (backend) interface: the engines that its heuristics propose, and
 * one of them as a plan that can be run. Engines that are less precise than the type asks for are
 * left out by their numerical notes. */
#ifndef HPC_CONV2D_CUDNN_GRAPH_H
#define HPC_CONV2D_CUDNN_GRAPH_H

#include "conv2d/variants/cudnn_forward.h"

namespace
{

enum { MOST_ENGINES = 32 };

/* A backend descriptor: made, filled, finished. */
struct graph_part {
    cudnnBackendDescriptor_t d;

    void make(cudnnBackendDescriptorType_t type)
    {
        CUDNN(cudnnBackendCreateDescriptor(type, &d));
    }

    void set(cudnnBackendAttributeName_t name, cudnnBackendAttributeType_t type, int64_t count,
             const void *values)
    {
        CUDNN(cudnnBackendSetAttribute(d, name, type, count, values));
    }

    void set(cudnnBackendAttributeName_t name, const graph_part &part)
    {
        set(name, CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &part.d);
    }

    void set(cudnnBackendAttributeName_t name, int64_t value)
    {
        set(name, CUDNN_TYPE_INT64, 1, &value);
    }

    bool finish()
    {
        return cudnnBackendFinalize(d) == CUDNN_STATUS_SUCCESS;
    }

    void free()
    {
        if (d)
            CUDNN(cudnnBackendDestroyDescriptor(d));
        d = NULL;
    }
};

/* The graph of one convolution; x, w and y are known by these numbers. */
struct cudnn_graph {
    enum { X = 1, W, Y };
    graph_part x, w, y, convolution, operation, graph;

    static void tensor(graph_part &t, int64_t id, const struct conv2d_problem &p, int64_t outer,
                       int64_t channels, int64_t rows, int64_t columns)
    {
        const int64_t size[4] = {outer, channels, rows, columns};
        const int64_t nchw[4] = {channels * rows * columns, rows * columns, columns, 1};
        const int64_t nhwc[4] = {channels * rows * columns, 1, columns * channels, channels};
        const cudnnDataType_t type = cudnn_type(p.type);
        t.make(CUDNN_BACKEND_TENSOR_DESCRIPTOR);
        t.set(CUDNN_ATTR_TENSOR_UNIQUE_ID, id);
        t.set(CUDNN_ATTR_TENSOR_DATA_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &type);
        t.set(CUDNN_ATTR_TENSOR_DIMENSIONS, CUDNN_TYPE_INT64, 4, size);
        t.set(CUDNN_ATTR_TENSOR_STRIDES, CUDNN_TYPE_INT64, 4, p.layout == CONV_NHWC ? nhwc : nchw);
        t.set(CUDNN_ATTR_TENSOR_BYTE_ALIGNMENT, 16);
        CUDNN(cudnnBackendFinalize(t.d));
    }

    void open(cudnnHandle_t handle, const struct conv2d_problem &p)
    {
        const int64_t stride[2] = {p.stride, p.stride}, pad[2] = {p.pad, p.pad}, once[2] = {1, 1};
        const cudnnDataType_t sums = CUDNN_DATA_FLOAT;
        const cudnnConvolutionMode_t mode = CUDNN_CROSS_CORRELATION;
        const float one = 1, zero = 0;
        tensor(x, X, p, p.n, p.c, p.h, p.w);
        tensor(w, W, p, p.k, p.c, p.r, p.s);
        tensor(y, Y, p, p.n, p.k, conv2d_rows(&p), conv2d_columns(&p));
        convolution.make(CUDNN_BACKEND_CONVOLUTION_DESCRIPTOR);
        convolution.set(CUDNN_ATTR_CONVOLUTION_SPATIAL_DIMS, 2);
        convolution.set(CUDNN_ATTR_CONVOLUTION_COMP_TYPE, CUDNN_TYPE_DATA_TYPE, 1, &sums);
        convolution.set(CUDNN_ATTR_CONVOLUTION_CONV_MODE, CUDNN_TYPE_CONVOLUTION_MODE, 1, &mode);
        convolution.set(CUDNN_ATTR_CONVOLUTION_PRE_PADDINGS, CUDNN_TYPE_INT64, 2, pad);
        convolution.set(CUDNN_ATTR_CONVOLUTION_POST_PADDINGS, CUDNN_TYPE_INT64, 2, pad);
        convolution.set(CUDNN_ATTR_CONVOLUTION_FILTER_STRIDES, CUDNN_TYPE_INT64, 2, stride);
        convolution.set(CUDNN_ATTR_CONVOLUTION_DILATIONS, CUDNN_TYPE_INT64, 2, once);
        CUDNN(cudnnBackendFinalize(convolution.d));
        operation.make(CUDNN_BACKEND_OPERATION_CONVOLUTION_FORWARD_DESCRIPTOR);
        operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_X, x);
        operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_W, w);
        operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_Y, y);
        operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_CONV_DESC, convolution);
        operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_ALPHA, CUDNN_TYPE_FLOAT, 1, &one);
        operation.set(CUDNN_ATTR_OPERATION_CONVOLUTION_FORWARD_BETA, CUDNN_TYPE_FLOAT, 1, &zero);
        CUDNN(cudnnBackendFinalize(operation.d));
        graph.make(CUDNN_BACKEND_OPERATIONGRAPH_DESCRIPTOR);
        graph.set(CUDNN_ATTR_OPERATIONGRAPH_OPS, operation);
        graph.set(CUDNN_ATTR_OPERATIONGRAPH_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle);
        CUDNN(cudnnBackendFinalize(graph.d));
    }

    void close()
    {
        graph.free();
        operation.free();
        convolution.free();
        y.free();
        w.free();
        x.free();
    }

    /* What the heuristics propose in this mode, best first; returns how many. */
    int propose(cudnnBackendHeurMode_t mode, graph_part *configs) const
    {
        graph_part heuristics;
        int64_t n = 0;
        cudnnBackendDescriptor_t found[MOST_ENGINES];
        heuristics.make(CUDNN_BACKEND_ENGINEHEUR_DESCRIPTOR);
        heuristics.set(CUDNN_ATTR_ENGINEHEUR_OPERATION_GRAPH, graph);
        heuristics.set(CUDNN_ATTR_ENGINEHEUR_MODE, CUDNN_TYPE_HEUR_MODE, 1, &mode);
        for (int i = 0; i < MOST_ENGINES; i++) {
            configs[i].make(CUDNN_BACKEND_ENGINECFG_DESCRIPTOR);
            found[i] = configs[i].d;
        }
        if (!heuristics.finish() ||
            cudnnBackendGetAttribute(heuristics.d, CUDNN_ATTR_ENGINEHEUR_RESULTS,
                                     CUDNN_TYPE_BACKEND_DESCRIPTOR, MOST_ENGINES, &n,
                                     found) != CUDNN_STATUS_SUCCESS)
            n = 0;
        heuristics.free();
        n = n < MOST_ENGINES ? n : MOST_ENGINES;
        for (int i = (int)n; i < MOST_ENGINES; i++)
            configs[i].free();
        return (int)n;
    }
};

/* The number of a proposal's engine, and its numerical notes, one bit each. */
inline bool engine_of(const graph_part &config, int64_t *number, unsigned *notes)
{
    graph_part engine;
    int64_t n = 0;
    cudnnBackendNumericalNote_t found[CUDNN_NUMERICAL_NOTE_TYPE_COUNT];
    engine.make(CUDNN_BACKEND_ENGINE_DESCRIPTOR);
    bool known = cudnnBackendGetAttribute(config.d, CUDNN_ATTR_ENGINECFG_ENGINE,
                                          CUDNN_TYPE_BACKEND_DESCRIPTOR, 1, &n,
                                          &engine.d) == CUDNN_STATUS_SUCCESS &&
                 cudnnBackendGetAttribute(engine.d, CUDNN_ATTR_ENGINE_GLOBAL_INDEX,
                                          CUDNN_TYPE_INT64, 1, &n, number) == CUDNN_STATUS_SUCCESS;
    *notes = 0;
    if (known && cudnnBackendGetAttribute(
                     engine.d, CUDNN_ATTR_ENGINE_NUMERICAL_NOTE, CUDNN_TYPE_NUMERICAL_NOTE,
                     CUDNN_NUMERICAL_NOTE_TYPE_COUNT, &n, found) == CUDNN_STATUS_SUCCESS)
        for (int i = 0; i < n; i++)
            *notes |= 1u << found[i];
    engine.free();
    return known;
}

/* Whether an engine with these notes keeps to the type: no TF32 in fp32, no half in TF32, no sums
 * in half. */
inline bool precise(int type, unsigned notes)
{
    unsigned refused = 1u << CUDNN_NUMERICAL_NOTE_REDUCED_PRECISION_REDUCTION;
    if (type != CONV_F16)
        refused |= 1u << CUDNN_NUMERICAL_NOTE_DOWN_CONVERT_INPUTS;
    if (type == CONV_F32)
        refused |= 1u << CUDNN_NUMERICAL_NOTE_TENSOR_CORE;
    return (notes & refused) == 0;
}

/* Whether the engine's errors spread over a tile: FFT, Winograd. */
inline bool transforms(unsigned notes)
{
    return notes & (1u << CUDNN_NUMERICAL_NOTE_FFT | 1u << CUDNN_NUMERICAL_NOTE_WINOGRAD |
                    1u << CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_4x4 |
                    1u << CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_6x6 |
                    1u << CUDNN_NUMERICAL_NOTE_WINOGRAD_TILE_13x13);
}

/* A proposal made ready to run; false where it cannot be. */
inline bool plan_open(cudnnHandle_t handle, const graph_part &config, graph_part *plan,
                      size_t *workspace)
{
    int64_t bytes = 0, n = 0;
    plan->make(CUDNN_BACKEND_EXECUTION_PLAN_DESCRIPTOR);
    plan->set(CUDNN_ATTR_EXECUTION_PLAN_ENGINE_CONFIG, config);
    plan->set(CUDNN_ATTR_EXECUTION_PLAN_HANDLE, CUDNN_TYPE_HANDLE, 1, &handle);
    if (!plan->finish() ||
        cudnnBackendGetAttribute(plan->d, CUDNN_ATTR_EXECUTION_PLAN_WORKSPACE_SIZE,
                                 CUDNN_TYPE_INT64, 1, &n, &bytes) != CUDNN_STATUS_SUCCESS) {
        plan->free();
        return false;
    }
    *workspace = (size_t)bytes;
    return true;
}

inline cudnnStatus_t plan_run(cudnnHandle_t handle, const graph_part &plan, const void *x,
                              const void *w, void *y, void *workspace)
{
    const int64_t numbers[3] = {cudnn_graph::X, cudnn_graph::W, cudnn_graph::Y};
    const void *pointers[3] = {x, w, y};
    graph_part pack;
    pack.make(CUDNN_BACKEND_VARIANT_PACK_DESCRIPTOR);
    pack.set(CUDNN_ATTR_VARIANT_PACK_UNIQUE_IDS, CUDNN_TYPE_INT64, 3, numbers);
    pack.set(CUDNN_ATTR_VARIANT_PACK_DATA_POINTERS, CUDNN_TYPE_VOID_PTR, 3, pointers);
    pack.set(CUDNN_ATTR_VARIANT_PACK_WORKSPACE, CUDNN_TYPE_VOID_PTR, 1, &workspace);
    cudnnStatus_t ran = cudnnBackendFinalize(pack.d);
    if (ran == CUDNN_STATUS_SUCCESS)
        ran = cudnnBackendExecute(handle, plan.d, pack.d);
    pack.free();
    return ran;
}

} // namespace

#endif
