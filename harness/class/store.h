/* The state of a class: one SQLite file (WAL). Its rows are gradings that have ended; a row is
 * written whole or not at all, and never changed. */
#ifndef HPC_HARNESS_CLASS_STORE_H
#define HPC_HARNESS_CLASS_STORE_H

#include <stdint.h>

#include "harness/class/roster.h"

#ifdef __cplusplus
extern "C" {
#endif

struct store_grading {
    long long id;
    char student[ROSTER_TEXT]; /* who handed it in */
    char submission[65];       /* SHA-256 */
    char name[128];            /* as it was called */
    char fingerprint[65]; /* of submission, lab, the class's seed, version, how it was graded */
    int run;              /* 1; more by rerun and regrade */
    int attempt;
    uint64_t seed;
    double score, max_score, pending; /* the bonus is in score, and in no max_score */
    double bonus;                     /* as the record's tasks have it */
    char worth[800];                  /* each task with its points, those that wait too */
    char waits[400];                  /* of each of them, what waits */
    int timings;                      /* tasks that were timed */
    bool quick;                       /* a quick look, nothing official; its record says so */
    bool may_lower;                   /* it counts though it has fewer points than the one before */
    char note[300]; /* "wall budget of 600 s used up", why nothing was read; or empty */
    char ended[24]; /* UTC */
};

struct store;
/* Open or, with `make`, make it. NULL with *err, as of what is damaged or a later version's. */
struct store *store_open(const char *path, bool make, struct hpc_error *err);
/* Open another class's, which may hold anything: it is only read, and refused where its rows come
 * from something else than a table. NULL with *err. */
struct store *store_open_other(const char *path, struct hpc_error *err);
void store_close(struct store *s);
/* A word of the class: its lab, its seed. *value is the caller's, NULL where there is none; false
 * with *err where it can't be read, which is not the same. */
bool store_word(struct store *s, const char *key, char **value, struct hpc_error *err);
bool store_set_word(struct store *s, const char *key, const char *value, struct hpc_error *err);
/* Add a grading with its record, a JSON text, in one transaction; one with this fingerprint and run
 * is there already: nothing happens. */
bool store_add(struct store *s, const struct store_grading *g, const char *record,
               struct hpc_error *err);
/* All gradings, oldest first, the caller's to free; -1 with *err. */
int store_all(struct store *s, struct store_grading **gradings, struct hpc_error *err);
/* The record of one, the caller's; NULL with *err. */
char *store_record(struct store *s, long long id, struct hpc_error *err);

#ifdef __cplusplus
}
#endif
#endif
