/* What the CPU device's checker saw, to be drawn: races by their two sides, and requests to memory
 * by the line that asks. It comes from the lines of JSON that trial/ keeps beside a result
 * (docs/device.md, "Reports"); text and pages are made of the same.
 *
 * Interface: view_read reads such a file, whose words are a student's: none of them obeys a
 * terminal afterwards. Files that are named in it are never opened: the caller says which source is
 * the student's. */
#ifndef HPC_HARNESS_VIEW_VIEW_H
#define HPC_HARNESS_VIEW_VIEW_H

#include <stdbool.h>
#include <stdint.h>

#include "common/text.h"

#define VIEW_LANES  32
#define VIEW_RACES  8   /* of different places; more say little more */
#define VIEW_LINES  128 /* of a source, and kinds of access */
#define VIEW_AROUND 2   /* lines before and behind a race's */
#define VIEW_ROWS   128 /* 32 lanes of 16 bytes lie in at most that many words */

struct view_side {
    int block[3], thread[3], line;
    char file[160];
    const char *does; /* "WRITES", "READS", or "" where the report does not say */
};

struct view_race {
    char kind[24], kernel[80], variable[80], advice[300];
    struct view_side first, second;
};

/* Requests of a kind that a line of a kernel makes, and the dearest one of them. */
struct view_line {
    char kernel[80], file[160], access[24], variable[80];
    int line;
    double requests, units, lanes; /* sectors or extra passes, and lanes, in all */
    unsigned most, bytes, warp, block[3];
    uint32_t who;            /* its lanes; */
    uint64_t at[VIEW_LANES]; /* of each where, in bytes */
};

struct view {
    int n_races, n_lines;
    struct view_race race[VIEW_RACES];
    struct view_line line[VIEW_LINES];
};

/* False where there is no such file of at most 4 MiB. */
bool view_read(const char *path, struct view *v);

/* One sector of 32 bytes, of shared memory one pass of the banks, of constant memory one word. */
struct view_row {
    uint64_t at;    /* its first byte, or the number of the pass */
    uint32_t lanes; /* that it serves */
    unsigned used;  /* of its bytes */
};
/* The rows of a line's dearest request, in order: how many. */
int view_rows(const struct view_line *l, struct view_row rows[VIEW_ROWS]);
bool view_shared(const struct view_line *l);
/* "sector", "pass" or "word". */
const char *view_unit(const struct view_line *l);
/* What 32 neighbours would need of these for so many bytes each: sectors, passes. */
unsigned view_fewest(const struct view_line *l);
/* A sentence: "32 lanes x 4 bytes of y: 32 sectors, 4 would do". */
void view_sentence(const struct view_line *l, char *text, size_t size);
/* The request as a map of 80 columns: lanes from left to right, what they touch from above. */
void view_lanes(const struct view_line *l, struct text *t);
/* Numbers of lines whose dearest request costs more than neighbours' would, the dearest first in
 * what is wasted: how many, at most `most`. */
int view_wasteful(const struct view *v, int *number, int most);

/* A file of at most 1 MiB below root, as text; NULL: none. The caller's. */
char *view_file(const char *root, const char *file);
/* Lines from - VIEW_AROUND to from + VIEW_AROUND of a source, without their common margin. */
struct view_source {
    int n, from;
    char words[2 * VIEW_AROUND + 1][160];
};
void view_source(const char *source, int line, struct view_source *s);
/* "thread (0,0,0), block (1,0,0)" */
void view_who(const struct view_side *s, char *text, size_t size);
/* What CUDA says of the two: nothing orders them. */
const char *view_unordered(const struct view_race *r);
/* A race as two lanes of time, 80 columns wide; `source` is what the student's file `file` holds,
 * both may be NULL. */
void view_timeline(const struct view_race *r, const char *file, const char *source, struct text *t);
/* All of a file of reports, with the source at root/file: "" where there is no race. */
void view_timelines(const char *reports, const char *root, const char *file, struct text *t);

#endif
