/* A line's samples, for the files of harness/lines. */
#ifndef HPC_HARNESS_LINES_INTERNAL_H
#define HPC_HARNESS_LINES_INTERNAL_H

#include "common/text.h"
#include "harness/trial/trial.h"
#include "harness/view/view.h"

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

/* A text into FOLDER/NAME.ENDING. */
bool lines_write_text(const char *folder, const char *name, const char *ending,
                      const struct text *t, struct hpc_error *err);

/* A task in CUDA: traffic by kernel, by line and, of the dearest requests, lane by lane; to stdout,
 * and the checker's lines as FOLDER/TASK.jsonl. */
bool lines_count(struct project *p, const struct lab_task *task, const char *folder,
                 struct hpc_error *err);
/* FOLDER/TASK-lanes.svg and .txt: the dearest requests; removed where there are none. */
bool lines_draw_lanes(const struct view *v, const char *folder, const char *name,
                      struct hpc_error *err);

#endif
