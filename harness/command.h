/* Running programs of the machine (gcc, gprof, gnuplot) and our own trusted ones, and the folders
 * that they write to. Nothing of a student's is run by this. */
#ifndef HPC_HARNESS_COMMAND_H
#define HPC_HARNESS_COMMAND_H

#include "common/error.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Run argv (NULL-ended, found by PATH) in `folder`, with stdout in the file `out` and stderr in
 * log.txt there; *cpu (may be NULL) gets its seconds, user and system. False with *err, which names
 * the program and the log, when it cannot start or does not end with 0. */
bool command_run(const char *const *argv, const char *folder, const char *out, double *cpu,
                 struct hpc_error *err);
/* A file of a folder as text, to be freed; NULL with *err. */
char *command_text(const char *folder, const char *name, struct hpc_error *err);
/* Make an absolute folder and those above it. */
bool folder_make(const char *folder, struct hpc_error *err);
/* Remove it with all that is in it, as far as it goes. */
void folder_remove(const char *folder);

#ifdef __cplusplus
}
#endif
#endif
