/* What a student hands in: a folder, a .tar, .tar.gz, .tgz or .zip. Of all that it holds only the
 * files that a lab's tasks name are taken, as plain files, into a project of their own beside ours.
 * Nothing of it is trusted: archives are read in the jail, and files are opened link by link. */
#ifndef HPC_HARNESS_HANDIN_HANDIN_H
#define HPC_HARNESS_HANDIN_HANDIN_H

#include "harness/lab/lab.h"

#define HANDIN_PATH 1200

struct handin {
    char root[HANDIN_PATH]; /* a project folder with the submission's files in labs/LAB/ */
    char name[64];          /* of what was handed in, made harmless: "hpclab-lab3-ada" */
    int taken;              /* files that were there */
};

/* Lay the project out in ROOT/build/tmp/, all but the lab's files being links to ours. False with a
 * line that says what is wrong with the submission (exit 2) or this machine (exit 3). */
bool handin_open(const char *root, const struct lab *lab, const char *from, struct handin *s,
                 struct hpc_error *err);
/* Remove the project, after a handin_open that failed too. */
void handin_close(struct handin *s);

#endif
