/* Ways to make a convolution, or one with pooling, simpler, for a solution that is wrong. */
#include "conv2d/op/op.h"

#define COUNTS "1 2 3 4 5 7 8 9 15 16 17 31 32 33 63 64 65"
#define GROUPS "2 4 8 16 32 64"
#define REST   ": what is left over after whole tiles"

/* Keys of both. */
#define SHARED                                                                                     \
    {"values", HPC_SIMPLER_VALUES, "normal", NULL, false},                                         \
        {"sparsity", HPC_SIMPLER_VALUES, "0", NULL, false},                                        \
        {"w", HPC_SIMPLER_AS, "h", ": rows where columns belong?", false},                         \
        {"s", HPC_SIMPLER_AS, "r", ": rows where columns belong?", false},                         \
        {"n", HPC_SIMPLER_VALUES, COUNTS, ": images after the first", false},                      \
        {"c", HPC_SIMPLER_VALUES, COUNTS, ": the sum over the channels", false},                   \
        {"k", HPC_SIMPLER_VALUES, COUNTS, NULL, false},                                            \
    {                                                                                              \
        "pad", HPC_SIMPLER_VALUES, "0 1", NULL, false                                              \
    }

/* Of sizes, after what is each operation's own. */
#define SIZES                                                                                      \
    {"h", HPC_SIMPLER_VALUES, COUNTS, NULL, false},                                                \
        {"w", HPC_SIMPLER_VALUES, COUNTS, NULL, false},                                            \
        {"c", HPC_SIMPLER_ROUNDED, GROUPS, REST, false},                                           \
        {"k", HPC_SIMPLER_ROUNDED, GROUPS, REST, false},                                           \
        {"h", HPC_SIMPLER_ROUNDED, GROUPS, REST, false},                                           \
    {                                                                                              \
        "w", HPC_SIMPLER_ROUNDED, GROUPS, REST, false                                              \
    }

const struct hpc_simpler conv2d_simpler[] = {
    SHARED,
    {"stride", HPC_SIMPLER_VALUES, "1 2", NULL, false},
    SIZES,
    {NULL, 0, NULL, NULL, false},
};

const struct hpc_simpler convpool_simpler[] = {
    SHARED,
    {"pool", HPC_SIMPLER_VALUES, "1 2", NULL, false},
    SIZES,
    {NULL, 0, NULL, NULL, false},
};
