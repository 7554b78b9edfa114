/* Ways to make a convolution simpler, for a solution that is wrong. */
#include "conv1d/op/op.h"

const struct hpc_simpler conv1d_simpler[] = {
    {"mask", HPC_SIMPLER_FIRST, "1 3 5 7 9 15 17 31 33 63 65 127 129", ": taps beside the middle",
     false},
    {"n", HPC_SIMPLER_VALUES,
     "1 2 3 4 5 8 9 16 17 32 33 64 65 128 129 256 257 512 513 1024 1025 2048 2049 4096 4097 8192 "
     "8193 16384 16385 32768 32769 65536 65537 131072 262144 524288",
     NULL, false},
    {"n", HPC_SIMPLER_ROUNDED, "2 4 8 16 32 64 128 256 512 1024 2048 4096",
     ": a block that is not full?", false},
    {NULL, 0, NULL, NULL, false},
};
