/* The options of benchmarks/mlp/minibatch. */
#ifndef HPC_BENCHMARKS_MLP_MINIBATCH_OPTIONS_H
#define HPC_BENCHMARKS_MLP_MINIBATCH_OPTIONS_H

#include <stdbool.h>
#include <stdint.h>

struct minibatch_options {
    const char *out;
    int rounds, threads, quick;
    uint64_t seed;
};

/* *o comes with its defaults. False, after a line on stderr, where the words are off. */
bool minibatch_options(int argc, char **argv, int max_rounds, struct minibatch_options *o);

#endif
