/* `hpclab cuda`: the user's own CUDA programs on the CPU device. They are run as the user's own,
 * not in a jail. */
#ifndef HPC_HARNESS_CUDA_H
#define HPC_HARNESS_CUDA_H

#include "common/error.h"

#ifdef __cplusplus
extern "C" {
#endif

#define CUDA_MOST_WORDS 256

struct cuda_job {
    const char *root;
    const char *mode;               /* run, check, asan */
    int schedules;                  /* orders of threads to compare; 1: as they come */
    int timeout;                    /* seconds; 0: none */
    char *options[CUDA_MOST_WORDS]; /* of the compiler: -DNAME=VALUE, -IDIR, -O.. */
    int n_options;
    char *files[CUDA_MOST_WORDS];
    int n_files;
    char **arguments; /* of the program, NULL-ended */
    char *folder;     /* absolute, of this run alone: objects, the program, what it copied */
    char *program;    /* in it */
};

/* Compile and link. HPC_EXIT_OK; HPC_EXIT_USAGE where the sources do not compile, the compiler's
 * lines are on stderr; HPC_EXIT_ENVIRONMENT with *err. */
int cuda_build(struct cuda_job *job, struct hpc_error *err);

/* Run it, with the terminal; how it ended is told on stderr. HPC_EXIT_OK, HPC_EXIT_BELOW for
 * reports, a hang, a signal or another status than 0; 130 after Ctrl-C. */
int cuda_run(const struct cuda_job *job, struct hpc_error *err);

#ifdef __cplusplus
}
#endif
#endif
