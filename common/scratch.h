/* Files and folders that are there while a process of ours works. One that is killed leaves them;
 * the next start removes them. */
#ifndef HPC_COMMON_SCRATCH_H
#define HPC_COMMON_SCRATCH_H

#include <stdbool.h>
#include <stdio.h>

#ifdef __cplusplus
extern "C" {
#endif

/* The name of a folder for this process alone, which is not made: ROOT/build/tmp/PID-HOST-WHAT.
 * Owned by the caller, who makes and removes the folder. */
char *scratch_name(const char *root, const char *what);
/* The name of a file beside PATH, to be renamed to it once it is whole: PATH.tmp.PID-HOST. Removes
 * those that processes which are gone left there. Owned by the caller. */
char *scratch_beside(const char *path);
/* Remove what processes of this machine that are gone left in ROOT/build/tmp, and what anybody else
 * left there over a day ago. */
void scratch_sweep(const char *root);

/* Whether the disk of a folder, and whoever counts what a user may have there, has room for that
 * many bytes more. */
bool scratch_room(const char *folder, size_t bytes);

/* Open a file to read in a folder where a jailed user may write: regular, of one name, no link;
 * else NULL with errno. */
FILE *scratch_open(const char *path);
/* Open a regular file to read, or a link to one: a pipe, which nobody may ever write, is NULL with
 * errno. */
FILE *scratch_open_regular(const char *path);
/* Whether it is one that scratch_open opens; else false with errno. */
bool scratch_plain(const char *path);

#ifdef __cplusplus
}
#endif
#endif
