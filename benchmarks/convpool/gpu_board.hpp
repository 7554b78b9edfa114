/* What the GPU's board says while a benchmark runs, from NVML where it is there. */
#ifndef HPC_BENCHMARKS_GPU_BOARD_H
#define HPC_BENCHMARKS_GPU_BOARD_H

#include <string>

struct gpu_board {
    int sm_mhz;                   /* -1 where NVML does not say */
    double watts;                 /* -1 likewise */
    unsigned long long throttled; /* NVML's bits of reasons; 0: none, or unknown */
};

gpu_board gpu_board_read(void);
/* Joule that the GPU has taken since its driver was loaded, in steps of some 20 ms; -1 where that
 * is not allowed. */
double gpu_board_joule(void);
/* "NVIDIA H200, driver 580.159, CUDA 13.0": one line for the head of results. */
std::string gpu_board_name(void);

#endif
