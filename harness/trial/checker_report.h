/* What the CPU device's checker says of a run: the lines "@KEY {json}" among all that a runner
 * printed (docs/device.md, "Reports"). */
#ifndef HPC_HARNESS_TRIAL_CHECKER_REPORT_H
#define HPC_HARNESS_TRIAL_CHECKER_REPORT_H

#include <stdio.h>

#include "harness/lab/traffic.h"

/* A fault that was found. */
struct checker_fault {
    char kind[24];               /* "race-shared" */
    char kernel[80], place[200]; /* "labs/lab6/tiled_halo.cu:41", or empty */
    char text[400], advice[300];
};

struct checker_reports {
    int faults;                 /* how many lines there were that are no traffic */
    struct checker_fault first; /* the first divergent barrier, else race, of which others may be
                                   echoes; else the first */
    struct checker_fault host;  /* that the host computes in run(), or looks at
                                  what the checker keeps; or empty */
    struct checker_fault unset; /* constants that nobody filled, or else a call of a library that
                                   failed ("library"): no fault by itself; or empty */
    struct traffic traffic;
    struct traffic_place place[TRAFFIC_COUNTERS]; /* at a counter of requests the line with most, at
                                                     one of units that with most each; by_line */
    long lines;                                   /* that could be read, before the last */
    bool ended; /* the last line was there, and told of as many: none is missing */
};

/* A word for HPC_DEVICE_KEY that nobody can guess: "HPC_DEVICE_KEY=..", into env; and the word
 * itself into key. */
void checker_key(char env[48], char key[24]);
/* Read all that a runner printed. Faults are also written to `list`, one paragraph each, and every
 * line's JSON to `raw`, where these are not NULL. A line with the key that can't be read is a
 * fault; lines without it say nothing. */
void checker_reports_read(const char *output, const char *key, FILE *list, FILE *raw,
                          struct checker_reports *reports);

#endif
