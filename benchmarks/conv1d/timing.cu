/* Times on the GPU. */
#include "bench.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include <algorithm>
#include <random>

extern "C" {
#include "common/stats.h"
}

static const double COLD_BYTES = 240e6; /* that a graph goes through, or a flush: 4 times the L2 */
static const double GRAPH_SECONDS = 0.3, ROUNDS_SECONDS = 1.5, SCALED_SECONDS = 0.5;
static const cudaStream_t STREAM = cudaStreamPerThread;

double timing::median() const
{
    return seconds.empty() ? -1 : stats_median(seconds.data(), (int)seconds.size());
}

double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Seconds between two events around `work`. */
static double time_once(const std::function<void()> &work)
{
    static cudaEvent_t begin, end;
    float ms;
    if (!begin) {
        CUDA(cudaEventCreate(&begin));
        CUDA(cudaEventCreate(&end));
    }
    CUDA(cudaEventRecord(begin, STREAM));
    work();
    CUDA(cudaEventRecord(end, STREAM));
    CUDA(cudaEventSynchronize(end));
    CUDA(cudaEventElapsedTime(&ms, begin, end));
    return 1e-3 * ms;
}

static void call(const contestant &c, const signals *s, int pair)
{
    if (c.run(s->x[pair], s->y[pair]) == 0)
        return;
    fprintf(stderr, "%s: run() failed\n", c.name.c_str());
    exit(EXIT_FAILURE);
}

static cudaGraphExec_t capture(const contestant &c, const signals *s, int nodes, bool hot)
{
    cudaGraph_t graph;
    cudaGraphExec_t ready;
    CUDA(cudaStreamBeginCapture(STREAM, cudaStreamCaptureModeThreadLocal));
    for (int i = 0; i < nodes; i++)
        call(c, s, hot ? 0 : i % s->pairs);
    CUDA(cudaStreamEndCapture(STREAM, &graph));
    CUDA(cudaGraphInstantiate(&ready, graph, 0));
    CUDA(cudaGraphDestroy(graph));
    return ready;
}

/* Reads more than any L2 holds. */
__global__ void flush_kernel(const float4 *p, int64_t n, float *sink)
{
    float sum = 0;
    for (int64_t i = (int64_t)blockIdx.x * blockDim.x + threadIdx.x; i < n;
         i += (int64_t)gridDim.x * blockDim.x)
        sum += p[i].x + p[i].w;
    if (sum == 1.5f)
        *sink = sum;
}

static void flush(void)
{
    static float *data;
    const int64_t n = (int64_t)(COLD_BYTES / sizeof(float4));
    if (!data) {
        CUDA(cudaMalloc(&data, n * sizeof(float4)));
        CUDA(cudaMemset(data, 0, n * sizeof(float4)));
    }
    flush_kernel<<<1024, 256>>>((const float4 *)data, n, data);
}

/* One graph to be replayed, and where its times go. */
struct race {
    cudaGraphExec_t graph;
    bool flushed;
    int rounds;
    timing *to;
};

/* All in turn, in an order drawn anew each round. Round 0 does not count. */
static void run_races(std::vector<race> *races)
{
    static std::mt19937 random(20);
    int rounds = 0;
    for (const race &r : *races)
        rounds = std::max(rounds, r.rounds);
    for (int round = 0; round <= rounds; round++) {
        std::shuffle(races->begin(), races->end(), random);
        for (const race &r : *races) {
            if (round > r.rounds)
                continue;
            if (r.flushed)
                flush();
            const double t = time_once([&]() { CUDA(cudaGraphLaunch(r.graph, STREAM)); });
            if (round > 0)
                r.to->seconds.push_back(t / r.to->nodes);
        }
    }
    for (const race &r : *races)
        CUDA(cudaGraphExecDestroy(r.graph));
}

/* Calls of a graph at this n: enough that the launch of the graph is nothing beside them. */
static int nodes_for(int64_t n)
{
    return n <= 10000 ? 1000 : n <= 1000000 ? 400 : n <= 100000000 ? 100 : 20;
}

static race prepare(contestant *c, const signals *s, const char *kind, double estimate,
                    const options &o)
{
    const bool hot = strcmp(kind, "hot") == 0;
    timing *t = &c->times[kind];
    t->nodes = nodes_for(s->n);
    if (estimate * t->nodes > GRAPH_SECONDS)
        t->nodes = std::max(1, (int)(GRAPH_SECONDS / estimate));
    const double round = estimate * t->nodes;
    const int rounds = std::max(3, std::min(o.rounds, (int)(ROUNDS_SECONDS / round)));
    const double bytes = 8.0 * (double)s->n * std::min(t->nodes, s->pairs);
    return {capture(*c, s, t->nodes, hot), !hot && bytes < COLD_BYTES, hot ? 5 : rounds, t};
}

/* Seconds of one call, the second one. */
static double estimate(const contestant &c, const signals *s)
{
    time_once([&]() { call(c, s, 0); });
    return time_once([&]() { call(c, s, 0); });
}

static void time_loop(contestant *c, const signals *s, double seconds)
{
    timing *t = &c->times["loop"];
    t->nodes = std::max(1, std::min(nodes_for(s->n), (int)(0.1 / seconds)));
    for (int round = 0; round < 5; round++)
        t->seconds.push_back(time_once([&]() {
                                 for (int i = 0; i < t->nodes; i++)
                                     call(*c, s, i % s->pairs);
                             }) /
                             t->nodes);
}

timing time_transfers(const contestant &c, signals *s, int rounds)
{
    const size_t bytes = s->n * sizeof(float), mask = s->host_mask.size() * sizeof(float);
    float *x = host_buffer(0, bytes), *y = host_buffer(1, bytes);
    timing t = {};
    t.nodes = 1;
    CUDA(cudaMemcpy(x, s->x[0], bytes, cudaMemcpyDeviceToHost));
    for (int round = 0; round < rounds; round++) {
        const double begin = now();
        CUDA(cudaMemcpy(s->x[0], x, bytes, cudaMemcpyHostToDevice));
        CUDA(cudaMemcpy(s->mask, s->host_mask.data(), mask, cudaMemcpyHostToDevice));
        call(c, s, 0);
        CUDA(cudaStreamSynchronize(STREAM));
        CUDA(cudaMemcpy(y, s->y[0], bytes, cudaMemcpyDeviceToHost));
        t.seconds.push_back(now() - begin);
    }
    return t;
}

/* The timed graph's calls once more, on poisoned outputs: the worst pair. */
static errors check(const contestant &c, signals *s)
{
    errors worst = {0, 0};
    const int pairs = std::min(s->pairs, s->n > 1000000 ? 2 : 8);
    signals_poison(s);
    for (int p = 0; p < s->pairs; p++)
        call(c, s, p);
    for (int p = 0; p < pairs; p++) {
        const errors e = signals_check(s, p * (s->pairs - 1) / std::max(1, pairs - 1), c.copy);
        worst.most = std::max(worst.most, e.most);
        worst.rms = std::max(worst.rms, e.rms);
    }
    return worst;
}

/* From a smaller n in proportion, where a call would take too long. */
static bool scale(contestant *c, const signals *s, const cell *before)
{
    if (!before)
        return false;
    for (const contestant &b : before->all) {
        const double factor = (double)s->n / (double)before->n;
        if (b.name != c->name || b.times.at("cold").median() * factor < SCALED_SECONDS)
            continue;
        c->times["cold"] = {{b.times.at("cold").median() * factor}, 0, true};
        c->timed = c->positive = c->scaled = {-1, -1};
        return true;
    }
    return false;
}

void time_cell(cell *c, signals *s, const cell *before, const options &o)
{
    std::vector<race> races;
    std::vector<double> estimates;
    for (contestant &k : c->all) {
        estimates.push_back(scale(&k, s, before) ? -1 : estimate(k, s));
        if (estimates.back() < 0)
            continue;
        races.push_back(prepare(&k, s, "cold", estimates.back(), o));
        if (s->n <= 10000000)
            races.push_back(prepare(&k, s, "hot", estimates.back(), o));
    }
    run_races(&races);
    for (size_t i = 0; i < c->all.size(); i++) {
        contestant &k = c->all[i];
        if (estimates[i] < 0)
            continue;
        time_loop(&k, s, estimates[i]);
        if (s->n <= 10000000 || (c->taps == 3 && !o.quick))
            k.times["transfers"] = time_transfers(k, s, s->n <= 10000000 ? 3 : 1);
        k.timed = check(k, s);
        k.positive = k.scaled = {-1, -1};
    }
    for (enum values v : {POSITIVE, SCALED}) {
        if (s->n > 10000000)
            break;
        signals_fill(s, v);
        for (contestant &k : c->all)
            if (!k.times["cold"].scaled)
                (v == POSITIVE ? k.positive : k.scaled) = check(k, s);
    }
}

void time_cold(std::vector<contestant> *all, signals *s, const options &o)
{
    std::vector<race> races;
    for (contestant &c : *all) {
        races.push_back(prepare(&c, s, "cold", estimate(c, s), o));
        c.timed = {-1, -1};
    }
    run_races(&races);
    for (contestant &c : *all)
        c.timed = check(c, s);
}
