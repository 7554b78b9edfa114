/* A problem of conv2d or convpool on a GPU, for benchmarks: its arrays in so many copies ("slots")
 * that calls which go round them find nothing in the L2, and the check of an output in double. */
#ifndef HPC_BENCHMARKS_GPU_CASE_H
#define HPC_BENCHMARKS_GPU_CASE_H

#include <string>
#include <vector>

#include "conv2d/op/op.h"

#define BENCH_CUDA(call) bench_check((call), #call, __FILE__, __LINE__)
void bench_check(int error, const char *call, const char *file, int line); /* ends the process */

const double COLD_BYTES = 240e6; /* what the slots hold together, at least */

struct gpu_case {
    const struct hpc_op *op;
    struct conv_case c;
    size_t x_bytes, w_bytes, y_bytes;
    /* Slots are parted among `parts` graphs, each of `nodes` calls (20 at least) on one slot after
     * another; replays take the parts in turn, so that a slot is met again only after all others.
     */
    int slots, parts, nodes;
    std::vector<void *> x, w, y;
    std::vector<char> host_w;
};

/* `words` as on a command line, "n=64 c=32 ..". map: x in the problem's layout and type on the
 * host, or NULL for noise as the words say. slots: 0 for as many as make all calls cold. Ends the
 * process on words that are wrong. */
void gpu_case_open(gpu_case *g, const struct hpc_op *op, const std::string &words,
                   const void *map = NULL, int slots = 0);
void gpu_case_close(gpu_case *g);
/* Fill slot 0's x and w anew (`values`: enum conv_values); host_w is then those weights. */
void gpu_case_refill(gpu_case *g, int values);
void gpu_case_poison(gpu_case *g); /* all y become NaN */

/* How an output differs from the oracle in double, on all elements or 4096 of them drawn. */
struct gpu_errors {
    double most, rms;    /* of |got - y| / sum |x||w| */
    double units;        /* rms of (got - y) / conv_unit: conv2d/op/check.c */
    bool each, normwise; /* right by the operation's bounds, element by element; in the norm */
};
gpu_errors gpu_case_check(const gpu_case *g, int slot);

/* Least seconds of the problem, by targets: 1.2 us, and bytes at 4.3 TB/s or FLOP at the peak of
 * the type (fp32 FMA 63.6, TF32 367, half 740 TFLOP/s). FLOP of a convpool are the interchange's.
 */
double gpu_case_floor(const gpu_case *g);

#endif
