#include "benchmarks/convpool/gpu_method.hpp"

#include <algorithm>
#include <random>
#include <time.h>

extern "C" {
#include "common/stats.h"
}

double gpu_now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Keeps the device busy while the host fills the queue. */
static __global__ void wait_kernel(long long nanoseconds)
{
    long long begin, now_at;
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(begin));
    do
        asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now_at));
    while (now_at - begin < nanoseconds);
}

std::vector<double> gpu_launches_time(const std::vector<gpu_launch> &all)
{
    static std::vector<cudaEvent_t> events;
    std::vector<double> seconds;
    while (events.size() <= all.size()) {
        cudaEvent_t event;
        BENCH_CUDA(cudaEventCreate(&event));
        events.push_back(event);
    }
    wait_kernel<<<1, 1, 0, cudaStreamPerThread>>>(40000 + 30000 * (long long)all.size());
    BENCH_CUDA(cudaGetLastError());
    BENCH_CUDA(cudaEventRecord(events[0], cudaStreamPerThread));
    for (size_t i = 0; i < all.size(); i++) {
        BENCH_CUDA(cudaGraphLaunch(all[i].graph, cudaStreamPerThread));
        BENCH_CUDA(cudaEventRecord(events[i + 1], cudaStreamPerThread));
    }
    BENCH_CUDA(cudaStreamSynchronize(cudaStreamPerThread));
    for (size_t i = 0; i < all.size(); i++) {
        float ms;
        BENCH_CUDA(cudaEventElapsedTime(&ms, events[i], events[i + 1]));
        seconds.push_back(ms * 1e-3 / all[i].calls);
    }
    return seconds;
}

int gpu_rounds_within(int rounds, double seconds, double budget)
{
    const double most = budget / seconds;
    return most >= rounds ? rounds : most > 5 ? (int)most : rounds < 5 ? rounds : 5;
}

/* Calls of a plain loop, launched one by one: what the host costs at small sizes. */
static double loop_time(const gpu_method *m, const gpu_case *g)
{
    BENCH_CUDA(cudaDeviceSynchronize());
    const double begin = gpu_now();
    for (int i = 0; i < m->hot_nodes; i++)
        gpu_method_call(m, g, i % g->slots);
    BENCH_CUDA(cudaDeviceSynchronize());
    return (gpu_now() - begin) / m->hot_nodes;
}

static void time_hot(std::vector<gpu_method> *all, const gpu_case *g)
{
    for (gpu_method &m : *all) {
        const gpu_launch once = {m.hot, m.hot_nodes};
        std::vector<double> hot = gpu_launches_time({once, once});
        if (hot[1] * m.hot_nodes < 2e-3)
            hot = gpu_launches_time({once, once, once, once, once});
        m.hot_s = stats_median(hot.data() + 1, (int)hot.size() - 1);
        m.loop_s = loop_time(&m, g);
    }
}

void gpu_methods_time(std::vector<gpu_method> *all, gpu_case *g, int rounds, double budget)
{
    std::mt19937 random(20);
    std::vector<int> order;
    std::vector<gpu_launch> launches;
    double round_s = 0;
    int part = 0; /* replays take the parts in turn, whosever they are: all stay cold */
    for (size_t i = 0; i < all->size(); i++) {
        order.push_back((int)i);
        launches.push_back({(*all)[i].cold[0], (*all)[i].nodes});
    }
    const std::vector<double> first = gpu_launches_time(launches); /* wakes the clocks */
    for (size_t i = 0; i < all->size(); i++)
        round_s += first[i] * (*all)[i].nodes;
    rounds = gpu_rounds_within(rounds, round_s, budget);
    for (int round = 0; round < rounds; round++) {
        std::shuffle(order.begin(), order.end(), random);
        launches.clear();
        for (int i : order)
            launches.push_back({(*all)[i].cold[part++ % g->parts], (*all)[i].nodes});
        const std::vector<double> seconds = gpu_launches_time(launches);
        for (size_t i = 0; i < order.size(); i++)
            (*all)[order[i]].samples.push_back(seconds[i]);
    }
    time_hot(all, g);
}
