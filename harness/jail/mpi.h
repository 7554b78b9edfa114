/* Starting an MPI program in a jail: the command line and the environment of an mpirun that the
 * profile JAIL_MPI lets run. Open MPI's alone (tested: 4.1). Its ranks speak through shared memory,
 * and with mpirun over the loopback of their namespace. */
#ifndef HPC_HARNESS_JAIL_MPI_H
#define HPC_HARNESS_JAIL_MPI_H

#include "harness/jail/jail.h"

#ifdef __cplusplus
extern "C" {
#endif

#define JAIL_MPI_MAX_RANKS 64
#define JAIL_MPI_WORDS     24

/* Threads and processes of mpirun and of a rank, without what the program itself starts. */
#define JAIL_MPI_PROCESSES(ranks) (8 + 6 * (ranks))
/* Of /tmp and /dev/shm (jail_limits.file_bytes), for what Open MPI itself keeps there. */
#define JAIL_MPI_FILE_BYTES(ranks) ((size_t)(8 + 8 * (ranks)) << 20)

struct jail_mpi {
    const char *argv[JAIL_MPI_WORDS]; /* for jail_spec */
    const char *env[JAIL_MPI_WORDS];
    char mpirun[1024];
    char version[80]; /* "mpirun (Open MPI) 4.1.4" */
    char ranks[12];
};

/* Fill *m, to which argv and env then point, with what starts `ranks` times a program: a NULL-ended
 * command line whose first word is an absolute path, of at most 8 words; or NULL, where only mpirun
 * is asked for. False with *err where there is no mpirun that a jail can start. */
bool jail_mpi(struct jail_mpi *m, int ranks, const char *const *program, struct hpc_error *err);
/* From then on the ranks of *m send all that they send over the loopback, where jail_carried counts
 * it, and nothing through shared memory. */
void jail_mpi_by_loopback(struct jail_mpi *m);

#ifdef __cplusplus
}
#endif
#endif
