/* The part of a runner that makes it a rank of an MPI program: runner.c calls it where it is linked
 * in (ranks.c), and is one process otherwise. */
#ifndef HPC_RUNNER_RANKS_H
#define HPC_RUNNER_RANKS_H

#include "common/abi.h"

#ifdef __cplusplus
extern "C" {
#endif

struct runner_ranks {
    /* Start MPI; the rank of this process. mpirun has the shared memories' descriptors, and closes
     * them in its children: these become descriptors of this process, by mpirun's. */
    uint32_t (*begin)(int *input, int *control);
    /* Tell the parent there which call of MPI's this rank is in. */
    void (*note)(struct hpc_rank *where);
    /* End MPI. Waits for all ranks. */
    void (*end)(void);
};

/* Absent, and so NULL, from all other runners. */
extern const struct runner_ranks runner_ranks __attribute__((weak));

#ifdef __cplusplus
}
#endif
#endif
