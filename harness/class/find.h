/* What was handed in: the files and folders of one folder, and whose each is. */
#ifndef HPC_HARNESS_CLASS_FIND_H
#define HPC_HARNESS_CLASS_FIND_H

#include "common/text.h"
#include "harness/class/names.h"
#include "harness/lab/lab.h"

#ifdef __cplusplus
extern "C" {
#endif

struct submission {
    char *path, *name;         /* of the archive or folder; its name in DIR */
    char student[ROSTER_TEXT]; /* an id of the roster's; empty: nobody's */
    char *with;                /* ids of those who handed it in too, a line each; or NULL */
    const char *system;        /* whose pattern it was */
    char account[24];          /* as in names.h; empty too where a group's name was known */
    int attempt;               /* 1 .. in the order of attempts and times */
    long long time;            /* seconds since 1970, UTC */
    size_t rest;               /* as in names.h */
    bool late;                 /* the export says so */
    bool single, joined;       /* a file that is no archive; part of another one, while found */
    bool row_left;             /* nobody's, and a row of the roster that is left out may be whose */
    char sha256[65];           /* of the archive; of a folder, of the lab's files in it */
    char refused[300];         /* why it can't be graded; or empty */
    char unread[200];          /* what of it could not be read; or empty */
};

struct submissions {
    int n;
    struct submission *at;
};

/* Read DIR: its archives and folders; Gradescope's submission_metadata.yml where it is there. A
 * roster without students gets one for each name. Files of the lab that lie there one by one, and
 * an archive beside them, are one submission, of which the folder `kept` gets a copy. Sorted by
 * student and attempt. False where DIR can't be read or holds nothing. */
bool submissions_find(const char *root, const struct lab *lab, const char *dir, const char *pattern,
                      const char *kept, struct roster *roster, struct submissions *s,
                      struct hpc_error *err);
/* Without a roster "ada-2" is the second attempt of ada, where something is ada's by a plain name.
 */
void submissions_attempts(struct submissions *s, struct roster *r);
/* A student has one account: refuses all that a system has of one by several, for a name that is
 * shown can be changed to a neighbour's. */
void submissions_accounts(struct submissions *s);
void submissions_free(struct submissions *s);

/* gradescope.c. Of DIR/submission_metadata.yml: the first submitter that the roster knows, the ids
 * of the others, a line each, and the time of the submission `name`. A roster that is made gets
 * them all. False where the file is not there or says nothing of it. */
bool gradescope_read(const char *dir, const char *name, struct roster *r, struct named *found,
                     struct text *others, long long *time);
/* "2026-11-22T23:59", "2026-11-22 23:59:30 +0100", "..Z": seconds since 1970; UTC where no zone
 * stands. */
bool find_time(const char *text, long long *seconds);

#ifdef __cplusplus
}
#endif
#endif
