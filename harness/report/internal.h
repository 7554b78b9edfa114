/* The parts of a page, for the files of harness/report. Whatever comes from a student's files,
 * records or programs is somebody's words: html_words and html_source alone put it into a page. */
#ifndef HPC_HARNESS_REPORT_INTERNAL_H
#define HPC_HARNESS_REPORT_INTERNAL_H

#include "common/text.h"
#include "harness/lab/project.h"
#include "harness/record/record.h"
#include "harness/report/html.h"

struct report {
    const struct project *project;
    char *folder; /* results/LAB */
    struct record record;
    struct text page;
};

/* A regular file of a result folder, at most 4 MiB, as text; NULL: none. The caller's. */
char *report_file(const char *folder, const char *name, size_t *length);

/* Sections. */
void report_history(struct report *r);
void report_tasks(struct report *r);
void report_pictures(struct report *r);
void report_machine(struct report *r);
/* What the checker found in a task, and all lines of the student's file that it or the record
 * names, with those around them. */
void report_findings(struct report *r, const struct lab_task *task, const struct task_result *k);
/* Its races in two lanes of time, with what the student's file, `file`, holds; NULL: nothing. */
void report_races(struct report *r, const struct lab_task *task, const char *file,
                  const char *source);
/* Its requests to memory by line, where ./hpclab profile has counted them. */
void report_lines(struct report *r, const struct lab_task *task);

#endif
