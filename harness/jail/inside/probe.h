/* What the files of build/lib/jail-probe share. */
#ifndef HPC_HARNESS_JAIL_INSIDE_PROBE_H
#define HPC_HARNESS_JAIL_INSIDE_PROBE_H

#include <stdbool.h>
#include <sys/types.h>

#include "harness/jail/doctor.h"

extern pid_t grader; /* the process that started it */
extern int port;     /* of its server */
bool can_open(const char *path, int flags);

/* True where it was let. */
#define ATTEMPT(function, run, mpi, words) bool function(void);
#include "harness/jail/inside/attempts.def"

#endif
