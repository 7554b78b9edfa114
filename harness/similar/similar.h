/* What the files of `class similar` share: texts that are compared, and pairs that are alike. */
#ifndef HPC_HARNESS_SIMILAR_SIMILAR_H
#define HPC_HARNESS_SIMILAR_SIMILAR_H

#include "harness/class/class.h"

#ifdef __cplusplus
extern "C" {
#endif

struct similar_text {
    char *label, *text;    /* "ada", "reference mlp/flat"; without what was given to everybody */
    const char *task_file; /* "flat.c" */
    bool old;              /* a reference, or of another term: compared with students' only */
    int task, number; /* its place among the lab's tasks, and among all texts as they were read */
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
    int n, n_pairs, room;
    struct similar_text *text;
    struct similar_pair *pair;
};

/* similar.c. Compare what counts with each other, with the references and with `past`, a folder as
 * DIR of class grade or NULL: prints the pairs, most alike first, and writes similar.html. Returns
 * how many pairs; -1 with *err. */
int class_similar(struct class_state *c, const char *past, struct hpc_error *err);
/* runs.c. Compare the texts first .. end - 1, of one task, each with each: adds the pairs that
 * share a run, and fills tokens. A task of CUDA is read as C++. */
bool similar_runs(struct similar *x, int first, int end, bool cpp, struct hpc_error *err);
/* plain.c. A text without digraphs, `;` behind `;`, words as `const` and attributes, and with
 * names of plain letters; each line keeps its number. The caller's. */
char *similar_plain(const char *text);
/* page.c. Of pairs, as for qsort: the most alike first, then by file and names. */
int similar_order(const void *a, const void *b);
/* A line a pair on the terminal; FOLDER/similar.html with the shared lines. */
bool similar_write(const struct class_state *c, const struct similar *x, struct hpc_error *err);

#ifdef __cplusplus
}
#endif
#endif
