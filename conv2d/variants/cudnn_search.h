/* A convolution by the best that cuDNN can do: all algorithms of the legacy interface and all that
 * the graph interface's heuristics propose, each timed as it will be used, in a CUDA graph.
 *
 * The search is repeated ROUNDS times in turn over all candidates, since a single one makes bad
 * picks; a candidate counts with its least time. With -DACCURATE, FFT and Winograd are left out:
 * what remains errs as sums of fp32 do. HPC_SEARCH_LOG=1 in the environment prints what was chosen.
 */
#ifndef HPC_CONV2D_CUDNN_SEARCH_H
#define HPC_CONV2D_CUDNN_SEARCH_H

#include <cuda_fp16.h>
#include <vector>

#include "conv2d/variants/cudnn_graph.h"

namespace
{

#ifdef ACCURATE
enum { TRANSFORMS_ALLOWED = 0 };
#else
enum { TRANSFORMS_ALLOWED = 1 };
#endif
enum { ROUNDS = 3 };
const size_t MOST_WORKSPACE = (size_t)8 << 30;

/* An engine of cuDNN 9.14 stores floats in pairs without a look at their address, which ends the
 * process where a row of y has an odd number of them. */
enum { STORES_PAIRS = 71 };

inline bool would_fault(const struct conv2d_problem &p, int64_t engine)
{
    return engine == STORES_PAIRS && p.layout == CONV_NCHW && p.type != CONV_F16 &&
           conv2d_columns(&p) % 2;
}

/* Noise in [-1, 1): the time of a product of zeros is not that of others. */
template <class T> __global__ void noise_kernel(T *data, size_t count)
{
    const size_t i = (size_t)blockIdx.x * blockDim.x + threadIdx.x;
    unsigned bits = (unsigned)i * 2654435761u;
    bits = (bits ^ bits >> 15) * 2246822519u;
    if (i < count)
        data[i] = T((float)(int)bits * 0x1p-31f);
}

struct cudnn_search {
    struct candidate {
        bool of_graph;
        cudnnConvolutionFwdAlgo_t algorithm;
        int64_t engine;
        graph_part plan;
        size_t bytes;
        float ms;
    };
    cudnn_forward legacy;
    candidate best;
    void *workspace;

    cudnnStatus_t try_run(const candidate &c, const void *x, const void *w, void *y) const
    {
        const float one = 1, zero = 0;
        if (c.of_graph)
            return plan_run(legacy.handle, c.plan, x, w, y, workspace);
        return cudnnConvolutionForward(legacy.handle, &one, legacy.x, x, legacy.w, w,
                                       legacy.convolution, c.algorithm, workspace, c.bytes, &zero,
                                       legacy.y, y);
    }

    void run(const void *x, const void *w, void *y) const
    {
        CUDNN(try_run(best, x, w, y)); /* it was timed */
    }

    static float replay(cudaGraphExec_t graph, cudaEvent_t begin, cudaEvent_t end)
    {
        float ms;
        CUDA(cudaEventRecord(begin, cudaStreamPerThread));
        CUDA(cudaGraphLaunch(graph, cudaStreamPerThread));
        CUDA(cudaEventRecord(end, cudaStreamPerThread));
        CUDA(cudaEventSynchronize(end));
        CUDA(cudaEventElapsedTime(&ms, begin, end));
        return ms;
    }

    /* Milliseconds of one call in a graph of `calls`; negative where it cannot be captured. A first
     * replay loads the kernels; where it takes longer than `limit` there is no second. */
    float time(const candidate &c, int calls, float limit, const void *x, const void *w,
               void *y) const
    {
        cudaGraph_t graph = NULL;
        cudaGraphExec_t ready;
        cudaEvent_t begin, end;
        float ms = -1;
        bool ran = true;
        CUDA(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeThreadLocal));
        for (int i = 0; i < calls && ran; i++)
            ran = try_run(c, x, w, y) == CUDNN_STATUS_SUCCESS;
        const bool captured = cudaStreamEndCapture(cudaStreamPerThread, &graph) == cudaSuccess;
        if (captured && ran && cudaGraphInstantiate(&ready, graph, 0) == cudaSuccess) {
            CUDA(cudaEventCreate(&begin));
            CUDA(cudaEventCreate(&end));
            ms = replay(ready, begin, end);
            ms = ms > limit ? ms : replay(ready, begin, end);
            CUDA(cudaEventDestroy(begin));
            CUDA(cudaEventDestroy(end));
            CUDA(cudaGraphExecDestroy(ready));
        }
        if (graph)
            CUDA(cudaGraphDestroy(graph));
        (void)cudaGetLastError(); /* a capture that failed is no error of ours */
        return ms / calls;
    }

    void find_legacy(const struct conv2d_problem &p, std::vector<candidate> *all)
    {
        for (int a = 0; a < CUDNN_CONVOLUTION_FWD_ALGO_COUNT; a++) {
            const bool spread = a == CUDNN_CONVOLUTION_FWD_ALGO_FFT ||
                                a == CUDNN_CONVOLUTION_FWD_ALGO_FFT_TILING ||
                                a == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD ||
                                a == CUDNN_CONVOLUTION_FWD_ALGO_WINOGRAD_NONFUSED;
            if ((TRANSFORMS_ALLOWED || !spread) && !in_tf32_anyway(a, p) &&
                legacy.take((cudnnConvolutionFwdAlgo_t)a))
                all->push_back({false, legacy.algorithm, a, {}, legacy.bytes, 0});
        }
    }

    void find_graph(const struct conv2d_problem &p, std::vector<candidate> *all)
    {
        const cudnnBackendHeurMode_t modes[] = {CUDNN_HEUR_MODE_A, CUDNN_HEUR_MODE_FALLBACK};
        cudnn_graph graph;
        graph.open(legacy.handle, p);
        for (cudnnBackendHeurMode_t mode : modes) {
            graph_part configs[MOST_ENGINES];
            const int n = graph.propose(mode, configs);
            for (int i = 0; i < n; i++) {
                candidate c = {true, {}, 0, {}, 0, 0};
                unsigned notes;
                if (engine_of(configs[i], &c.engine, &notes) && precise(p.type, notes) &&
                    !would_fault(p, c.engine) && (TRANSFORMS_ALLOWED || !transforms(notes)) &&
                    plan_open(legacy.handle, configs[i], &c.plan, &c.bytes))
                    all->push_back(c);
                configs[i].free();
            }
        }
        graph.close();
    }

    /* Time all on noise; those that do not run get no time and are removed. */
    void time_all(const struct conv2d_problem &p, std::vector<candidate> *all)
    {
        const size_t bytes = conv_type_bytes(p.type), n_x = conv2d_x_count(&p);
        const size_t n_w = conv2d_w_count(&p), n_y = conv2d_y_count(&p);
        char *x = gpu_alloc<char>(n_x * bytes), *w = gpu_alloc<char>(n_w * bytes);
        char *y = gpu_alloc<char>(n_y * bytes);
        if (p.type == CONV_F16) {
            noise_kernel<<<gpu_blocks(n_x, 256), 256>>>((__half *)x, n_x);
            noise_kernel<<<gpu_blocks(n_w, 256), 256>>>((__half *)w, n_w);
        } else {
            noise_kernel<<<gpu_blocks(n_x, 256), 256>>>((float *)x, n_x);
            noise_kernel<<<gpu_blocks(n_w, 256), 256>>>((float *)w, n_w);
        }
        CUDA(cudaGetLastError());
        CUDA(cudaStreamSynchronize(cudaStreamPerThread));
        float least = 1e30f;
        for (int round = 0; round <= ROUNDS; round++) /* round 0: a first estimate by one call */
            for (candidate &c : *all) {
                if (c.ms < 0 || (round > 0 && c.ms > 2 * least))
                    continue;
                const int calls = round == 0 || c.ms > 0.5f ? 1 : 10;
                const float limit = round == 0 ? 40 + 4 * least : c.ms > 0.5f ? 0 : 1e30f;
                const float ms = time(c, calls, limit, x, w, y);
                c.ms = round <= 1 || ms < c.ms ? ms : c.ms;
                least = ms > 0 && ms < least ? ms : least;
            }
        CUDA(cudaFree(x));
        CUDA(cudaFree(w));
        CUDA(cudaFree(y));
    }

    bool open(const struct conv2d_problem &p)
    {
        std::vector<candidate> all;
        size_t bytes = 0;
        *this = cudnn_search();
        legacy.describe(p);
        find_legacy(p, &all);
        find_graph(p, &all);
        for (candidate &c : all) {
            if (c.bytes > MOST_WORKSPACE)
                c.ms = -1;
            else
                bytes = c.bytes > bytes ? c.bytes : bytes;
        }
        workspace = gpu_alloc<char>(bytes);
        time_all(p, &all);
        const candidate *found = NULL;
        for (const candidate &c : all)
            if (c.ms > 0 && (!found || c.ms < found->ms))
                found = &c;
        if (found)
            best = *found;
        for (candidate &c : all)
            if (&c != found)
                c.plan.free();
        CUDA(cudaFree(workspace));
        workspace = found ? gpu_alloc<char>(best.bytes) : NULL;
        if (getenv("HPC_SEARCH_LOG") && found)
            fprintf(stderr,
                    "search: n %d c %d h %d k %d r %d stride %d: %s %lld, %.4f ms, of %zu\n", p.n,
                    p.c, p.h, p.k, p.r, p.stride, best.of_graph ? "engine" : "algorithm",
                    (long long)best.engine, best.ms, all.size());
        if (!found)
            close();
        return found != NULL;
    }

    void close()
    {
        best.plan.free();
        CUDA(cudaFree(workspace));
        legacy.workspace = NULL;
        legacy.close();
    }
};

} // namespace

#endif
