/* Ways to make a training simpler, for a solution that is wrong. */
#include "mlp/op/op.h"

#define COUNTS  "1 2 3 4 5 7 8 9 15 16 17 31 32 33 63 64 65"
#define GROUPS  "2 4 8 16 32 64"
#define NO_REST ": what is left over after whole groups"

const struct hpc_simpler mlp_sgd_simpler[] = {
    {"data", HPC_SIMPLER_VALUES, "blobs", NULL, false},
    {"samples", HPC_SIMPLER_ROUNDED, "replicas", ": shards that are not all of one size", false},
    {"networks", HPC_SIMPLER_VALUES, "1 2 3", NULL, false},
    {"replicas", HPC_SIMPLER_VALUES, "1 2 3", NULL, false},
    {"merge_every", HPC_SIMPLER_VALUES, "1 2", NULL, false},
    {"epochs", HPC_SIMPLER_VALUES, "1 2 3", ": what an epoch leaves to the next", false},
    {"permutations", HPC_SIMPLER_VALUES, "1 2", ": the row of the order that an epoch takes",
     false},
    {"samples", HPC_SIMPLER_VALUES, COUNTS, ": what a sample leaves to the next", true},
    {"layers", HPC_SIMPLER_DROPPED, "activations", NULL, false},
    {"layers", HPC_SIMPLER_ROUNDED, GROUPS, NO_REST, false},
    {NULL, 0, NULL, NULL, false},
};

const struct hpc_simpler mlp_minibatch_simpler[] = {
    {"data", HPC_SIMPLER_VALUES, "blobs", NULL, false},
    {"epochs", HPC_SIMPLER_VALUES, "1 2 3", ": what an epoch leaves to the next", false},
    {"batch", HPC_SIMPLER_VALUES, COUNTS, ": the samples of a batch after its first", false},
    {"samples", HPC_SIMPLER_VALUES, COUNTS, NULL, true},
    {"batch", HPC_SIMPLER_ROUNDED, GROUPS, NO_REST, false},
    {"layers", HPC_SIMPLER_DROPPED, "activations", NULL, false},
    {"layers", HPC_SIMPLER_ROUNDED, GROUPS, NO_REST, false},
    {NULL, 0, NULL, NULL, false},
};
