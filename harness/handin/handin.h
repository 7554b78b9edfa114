/* What a student hands in: a folder, or an archive that tar or unzip read. Of all that it holds
 * only the files that a lab's tasks name are taken, as plain files, into a project of their own
 * beside ours. Nothing of it is trusted: archives are read in the jail, and files are opened link
 * by link. */
#ifndef HPC_HARNESS_HANDIN_HANDIN_H
#define HPC_HARNESS_HANDIN_HANDIN_H

#include "harness/lab/lab.h"

#define HANDIN_PATH         1200
#define HANDIN_MOST_ARCHIVE ((size_t)16 << 20) /* bytes of an archive */

struct handin {
    char root[HANDIN_PATH]; /* a project folder with the submission's files in labs/LAB/ */
    char name[64];          /* of what was handed in, made harmless: "hpclab-lab3-ada" */
    int taken;              /* files that were there */
    char sha256[65];        /* of the archive; of a folder, of the files that were taken */
    char unread[200];       /* which archive or file beside these was not read, and why, and what
                               was taken under a numbered name; or empty */
};

/* How many characters of a name are an archive's suffix; 0: none. Some of them are of archives that
 * are not read here. */
size_t handin_suffix(const char *name);
/* The archives below an open folder, by their names: how many, the first in `path`. What is hidden
 * and what macOS adds are none; a link may be one. */
int handin_archives(int folder, char path[HANDIN_PATH]);
/* Lay the project out in ROOT/build/tmp/, all but the lab's files being links to ours. False with a
 * line that says what is wrong with the submission (exit 2) or this machine (exit 3). */
bool handin_open(const char *root, const struct lab *lab, const char *from, struct handin *s,
                 struct hpc_error *err);
/* The one archive below a folder, where there is just one: Moodle and Gradescope put each into a
 * folder of its own, and systems add files beside it. The caller's. */
char *handin_archive_in(const char *folder);
/* Which of the lab's files the last `rest` bytes of a name are, which a system or a browser may
 * have numbered: "_flat.c", "flat-1.c", "flat (1).c". NULL: none. */
const char *handin_which(const struct lab *lab, const char *name, size_t rest);
/* Files that were handed in one by one, as one folder: copies of DIR/file[i] as
 * KEPT/HASH/NAME/as[i], whose bytes and names, with NAME, HASH is of, so that the same ones are
 * copied once. The caller's; NULL with *err, as of handin_open. */
struct handin_loose {
    const char *file, *as;
};
char *handin_gather(const char *dir, const struct handin_loose *loose, int n, const char *kept,
                    const char *name, struct hpc_error *err);
/* Where its records are kept: ROOT/results/submissions/NAME, NAME as in s->name, which gets a
 * number where another submission has that folder already. Whose a folder is stands in its file
 * `origin`: the name that the course gave (`as`, or NULL), else the path that the submission was
 * read from. */
bool handin_place(const char *root, const char *from, const char *as, struct handin *s,
                  struct hpc_error *err);
/* Remove the project, after a handin_open that failed too. */
void handin_close(struct handin *s);

#endif
