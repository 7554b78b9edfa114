#include "benchmarks/convpool/gpu_method.hpp"

#include <map>
#include <math.h>
#include <string.h>

static std::map<void *, size_t> held;
static size_t held_bytes;

extern "C" cudaError_t __real_cudaMalloc(void **p, size_t bytes);
extern "C" cudaError_t __real_cudaFree(void *p);

extern "C" cudaError_t __wrap_cudaMalloc(void **p, size_t bytes)
{
    const cudaError_t error = __real_cudaMalloc(p, bytes);
    if (error == cudaSuccess)
        held_bytes += held[*p] = bytes;
    return error;
}

extern "C" cudaError_t __wrap_cudaFree(void *p)
{
    auto at = held.find(p);
    if (at != held.end()) {
        held_bytes -= at->second;
        held.erase(at);
    }
    return __real_cudaFree(p);
}

size_t gpu_bytes_held(void)
{
    return held_bytes;
}

/* Variants whose states hold weights that open() has transformed: each slot gets a state, so that
 * they are as cold as all else. */
static bool holds_weights(const std::string &name)
{
    return name.find("fused") != std::string::npos || name.find("sparse_blocked") == 0 ||
           name.find("conv_") == 0 || name == "csr";
}

void gpu_method_call(const gpu_method *m, const gpu_case *g, int slot)
{
    const void *in[] = {g->x[slot], g->w[slot]};
    void *out[] = {g->y[slot]};
    m->variant->run(m->states[slot % m->states.size()], in, out);
}

/* A graph of `calls` calls, each on the slot after the last one's, from `first` on, or all on slot
 * 0 (first = -1). It is on the device before it is launched. */
static cudaGraphExec_t capture(const gpu_method *m, const gpu_case *g, int calls, int first)
{
    cudaGraph_t graph;
    cudaGraphExec_t ready = NULL;
    BENCH_CUDA(cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < calls; i++)
        gpu_method_call(m, g, first < 0 ? 0 : (first + i) % g->slots);
    BENCH_CUDA(cudaStreamEndCapture(cudaStreamPerThread, &graph));
    BENCH_CUDA(cudaGraphInstantiate(&ready, graph, 0));
    BENCH_CUDA(cudaGraphDestroy(graph));
    BENCH_CUDA(cudaGraphUpload(ready, cudaStreamPerThread));
    return ready;
}

/* Seconds of one call that nothing was prepared for, roughly. */
static double call_time(const gpu_method *m, const gpu_case *g)
{
    BENCH_CUDA(cudaDeviceSynchronize());
    const double begin = gpu_now();
    gpu_method_call(m, g, 0);
    BENCH_CUDA(cudaDeviceSynchronize());
    return gpu_now() - begin;
}

static bool open_state(gpu_method *m, const gpu_case *g)
{
    if (!m->variant)
        return false;
    const void *fixed[] = {NULL, g->host_w.data()};
    const struct hpc_env env = {1, 0, fixed};
    void *state = NULL;
    if (m->variant->open(&env, &g->c, &state) != 0)
        return false;
    m->states.push_back(state);
    return true;
}

/* A search's result lives as long as some state with its problem: one is never closed, so that rows
 * and sequences with the same layer search once. Returns the bytes that the first state held, which
 * are `bytes` where this is the first. */
static size_t keep_search(const gpu_method *m, const gpu_case *g, size_t bytes)
{
    static std::map<std::string, size_t> kept;
    const std::string key = m->name + std::string((const char *)&g->c.p, sizeof g->c.p);
    if (m->name.find("cudnn_best") != 0)
        return bytes;
    const auto at = kept.insert({key, bytes});
    gpu_method other = gpu_method();
    other.variant = m->variant;
    if (at.second)
        open_state(&other, g);
    return at.first->second;
}

bool gpu_method_open(gpu_method *m, const struct hpc_variant *v, gpu_case *g)
{
    m->variant = v;
    if (m->name.empty())
        m->name = v->name;
    const size_t before = gpu_bytes_held();
    const double begin = gpu_now();
    if (!open_state(m, g))
        return false;
    BENCH_CUDA(cudaDeviceSynchronize());
    m->open_s = gpu_now() - begin;
    m->workspace = keep_search(m, g, gpu_bytes_held() - before);
    for (int i = 1; i < g->slots && holds_weights(m->name); i++)
        if (!open_state(m, g))
            return false;
    gpu_method_call(m, g, 0); /* what a first call loads or allocates is not captured */
    const double once = call_time(m, g);
    m->hot_nodes = once > 5e-3 ? 1 : once > 5e-4 ? 4 : 20;
    m->nodes = g->nodes;
    if (g->slots < 20 && once > 5e-4) /* launches are nothing beside such calls */
        m->nodes = once > 5e-3 || g->slots > 4 ? g->slots : 4;
    for (int part = 0; part < g->parts; part++)
        m->cold.push_back(capture(m, g, m->nodes, part * g->nodes));
    m->hot = capture(m, g, m->hot_nodes, -1);
    return true;
}

void gpu_method_close(gpu_method *m)
{
    for (void *state : m->states)
        m->variant->close(state);
    for (cudaGraphExec_t graph : m->cold)
        BENCH_CUDA(cudaGraphExecDestroy(graph));
    if (m->hot)
        BENCH_CUDA(cudaGraphExecDestroy(m->hot));
    *m = gpu_method();
}

/* One call on inputs of another kind, by a state of its own. */
static gpu_errors check_values(const gpu_method *m, gpu_case *g, int values)
{
    gpu_method other = gpu_method();
    other.variant = m->variant;
    const int as_timed = g->c.values;
    gpu_case_refill(g, values);
    g->c.values = values;
    gpu_errors e = gpu_errors();
    if (open_state(&other, g)) {
        BENCH_CUDA(cudaMemset(g->y[0], 0xff, g->y_bytes));
        BENCH_CUDA(cudaDeviceSynchronize());
        gpu_method_call(&other, g, 0);
        BENCH_CUDA(cudaDeviceSynchronize());
        e = gpu_case_check(g, 0);
        other.variant->close(other.states[0]);
    }
    g->c.values = as_timed;
    return e;
}

void gpu_method_check(gpu_method *m, gpu_case *g)
{
    gpu_case_poison(g);
    gpu_launches_time({{m->cold[0], m->nodes}}); /* what was timed, once more, on poison */
    m->normal = gpu_case_check(g, (m->nodes - 1) % g->slots);
    const gpu_errors first = gpu_case_check(g, 0);
    m->normal.each &= first.each;
    m->normal.normwise &= first.normwise;
}

void gpu_methods_check_values(std::vector<gpu_method> *all, gpu_case *g)
{
    for (gpu_method &m : *all) {
        m.positive = check_values(&m, g, CONV_POSITIVE);
        m.scaled = check_values(&m, g, CONV_SCALED);
    }
}

bool gpu_method_open_sequence(gpu_method *m, const struct hpc_variant *v,
                              std::vector<gpu_case> *cases)
{
    cudaGraph_t graph;
    m->variant = v;
    for (int slot = 0; slot < 2; slot++) /* two states each: transformed weights are cold too */
        for (gpu_case &g : *cases) {
            const size_t before = gpu_bytes_held();
            if (!open_state(m, &g)) {
                gpu_method_close(m);
                return false;
            }
            m->workspace += keep_search(m, &g, gpu_bytes_held() - before);
        }
    const int n = (int)cases->size();
    for (int pass = 0; pass < 2; pass++) { /* a first one outside of the graph */
        if (pass == 1)
            BENCH_CUDA(
                cudaStreamBeginCapture(cudaStreamPerThread, cudaStreamCaptureModeThreadLocal));
        for (int i = 0; i < 2 * n; i++) {
            const gpu_case &g = (*cases)[i % n];
            const void *in[] = {g.x[i / n], g.w[i / n]};
            void *out[] = {g.y[i / n]};
            v->run(m->states[i], in, out);
        }
        if (pass == 0)
            BENCH_CUDA(cudaDeviceSynchronize());
    }
    BENCH_CUDA(cudaStreamEndCapture(cudaStreamPerThread, &graph));
    m->cold.resize(1);
    m->nodes = 2;
    BENCH_CUDA(cudaGraphInstantiate(&m->cold[0], graph, 0));
    BENCH_CUDA(cudaGraphDestroy(graph));
    return true;
}

void gpu_method_check_sequence(gpu_method *m, std::vector<gpu_case> *cases)
{
    for (gpu_case &g : *cases)
        gpu_case_poison(&g);
    gpu_launches_time({{m->cold[0], m->nodes}});
    m->normal = {0, 0, 0, true, true};
    for (gpu_case &g : *cases)
        for (int slot = 0; slot < 2; slot++) {
            const gpu_errors e = gpu_case_check(&g, slot);
            m->normal.each &= e.each;
            m->normal.normwise &= e.normwise;
            m->normal.most = fmax(m->normal.most, e.most);
            m->normal.units = fmax(m->normal.units, e.units);
        }
}
