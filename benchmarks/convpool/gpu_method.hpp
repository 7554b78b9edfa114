/* A variant on a gpu_case, as benchmarks time it: captured into CUDA graphs whose nodes go round
 * the slots (cold), into one that stays on slot 0 (hot), and in a plain loop. */
#ifndef HPC_BENCHMARKS_GPU_METHOD_H
#define HPC_BENCHMARKS_GPU_METHOD_H

#include <cuda_runtime.h>

#include "benchmarks/convpool/gpu_case.hpp"

struct gpu_method {
    std::string name;
    const struct hpc_variant *variant;
    std::vector<void *> states;        /* one, or one a slot where a state holds the weights */
    std::vector<cudaGraphExec_t> cold; /* one a part, each of `nodes` calls */
    cudaGraphExec_t hot;               /* of hot_nodes calls */
    int nodes, hot_nodes;
    std::vector<double> samples; /* seconds a call, cold */
    double hot_s, loop_s, open_s;
    size_t workspace; /* device bytes that one state holds */
    gpu_errors normal, positive, scaled;
};

/* False where the variant does not take the problem. Poisons, runs and checks all slots first. */
bool gpu_method_open(gpu_method *m, const struct hpc_variant *v, gpu_case *g);
void gpu_method_close(gpu_method *m);
/* One call on a slot; returns before the device is done. */
void gpu_method_call(const gpu_method *m, const gpu_case *g, int slot);
/* One call of each case after another, over two slots each, in one graph; states[i] is cases[i]'s
 * on both slots. All cases must be taken. */
bool gpu_method_open_sequence(gpu_method *m, const struct hpc_variant *v,
                              std::vector<gpu_case> *cases);
void gpu_method_check_sequence(gpu_method *m, std::vector<gpu_case> *cases);
/* All methods in turn, in random order, `rounds` times, or fewer (5 at least) where that takes more
 * than `budget` seconds; then hot and loop. */
void gpu_methods_time(std::vector<gpu_method> *all, gpu_case *g, int rounds, double budget);
/* The timed graph once more on poisoned outputs: are they right? */
void gpu_method_check(gpu_method *m, gpu_case *g);
/* Are they on positive and on ill-scaled inputs? Leaves other inputs in slot 0. */
void gpu_methods_check_values(std::vector<gpu_method> *all, gpu_case *g);
double gpu_now(void); /* seconds of a clock that only goes forward */
/* A graph that is launched, and how many calls it has. */
struct gpu_launch {
    cudaGraphExec_t graph;
    int calls;
};
/* Seconds a call of each, launched one behind another: the queue is filled before the first begins,
 * so that no launch waits for the host. */
std::vector<double> gpu_launches_time(const std::vector<gpu_launch> &all);
/* How often to repeat what takes `seconds`: `rounds` times, or fewer, 5 at least, for a budget. */
int gpu_rounds_within(int rounds, double seconds, double budget);

/* Device bytes that cudaMalloc has given and not taken back (by --wrap of the linker). */
size_t gpu_bytes_held(void);

#endif
