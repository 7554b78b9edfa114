/* The two versions under comparison, for the files of harness/compare. */
#ifndef HPC_HARNESS_COMPARE_INTERNAL_H
#define HPC_HARNESS_COMPARE_INTERNAL_H

#include "harness/trial/trial.h"

/* One version. */
struct side {
    const char *path;    /* as the user typed it */
    char letter;         /* 'A' or 'B' */
    struct trial *trial; /* of the version's own builds */
    bool profiled;
    struct exchange_profile profile;
    struct task_traffic traffic;
};

/* Whether it is a file of the task's language, by its name. */
bool side_fits(const struct side *s, const struct lab_task *task, struct hpc_error *err);
/* Copy the version's source into `scratch`, a folder below the root, and build the kind in the
 * jail; the trial knows it from then on. False with *o, whose reason names the user's path. */
bool side_build(struct side *s, const char *scratch, enum build_kind kind, struct outcome *o);

/* 'A' or 'B', by the interval of A's time over B's; '\0' where its end nearest to 1 is not farther
 * from there than the noise, which is a percent at least: two copies of a file differ by that. */
char faster_of(const struct stats_interval *ratio, double noise);

/* What two profiles, or two counts of traffic, differ in: a table on stdout. */
void print_profiles(const struct side side[2], int threads);
void print_traffic(const struct side side[2]);

#endif
