/* A line's samples, for the files of harness/lines. */
#ifndef HPC_HARNESS_LINES_INTERNAL_H
#define HPC_HARNESS_LINES_INTERNAL_H

#include "harness/trial/trial.h"

#define LINES_MOST  64
#define LINES_SHOWN 12
#define LINES_TEXT  90

struct line {
    int number;
    int ran, called, waited; /* samples */
    char text[LINES_TEXT];   /* the student's words */
};

/* All samples of a task. */
struct lines {
    int looks, samples, n;
    double running; /* threads that did not sleep, summed over rounds */
    int rounds;
    struct line line[LINES_MOST]; /* the most frequent first */
};

/* CSV, picture and its sentence, NAME.csv, NAME.svg, NAME.txt. */
bool lines_write(const struct lines *l, const char *folder, const char *name,
                 struct hpc_error *err);

#endif
