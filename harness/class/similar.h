/* What the files of `class similar` share: texts that are compared, and pairs that are alike. */
#ifndef HPC_HARNESS_CLASS_SIMILAR_H
#define HPC_HARNESS_CLASS_SIMILAR_H

#include "harness/class/class.h"

#ifdef __cplusplus
extern "C" {
#endif

struct similar_text {
    char *label, *text;    /* "ada", "reference mlp/flat"; without what was given to everybody */
    const char *task_file; /* "flat.c" */
    bool old;              /* a reference, or of another term: compared with students' only */
    int tokens;
};

struct similar_run {
    int from[2], to[2], tokens; /* lines of both */
};

struct similar_pair {
    const struct similar_text *text[2];
    int tokens, n;
    struct similar_run *run;
    double share; /* of the shorter one's tokens */
};

struct similar {
    char *folder; /* where sim_c works */
    int n, n_pairs;
    struct similar_text *text;
    struct similar_pair *pair;
};

/* similar_page.c. Of pairs, as for qsort: the most alike first, then by file and names. */
int similar_order(const void *a, const void *b);
/* A line a pair on the terminal; FOLDER/similar.html with the shared lines. */
bool similar_write(const struct class_state *c, const struct similar *x, struct hpc_error *err);

#ifdef __cplusplus
}
#endif
#endif
