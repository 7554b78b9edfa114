/* What a student hands in, made on the student's side: looked at first, then packed. */
#ifndef HPC_HARNESS_CLASS_PACK_H
#define HPC_HARNESS_CLASS_PACK_H

#include "harness/lab/project.h"
#include "harness/record/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Words of a text file as `wc -w` counts them; -1 with *err where it can't be read. */
int pack_words(const char *path, struct hpc_error *err);
/* What is missing of the working copies of p->lab: a file that is not there or is the starter yet,
 * a report that is not there, is empty or is longer than the lab allows. Each is a line of *lines,
 * the caller's; returns how many. */
int pack_missing(const struct project *p, char **lines);
/* Grade the working copies without timings: whether they build and the visible cases pass, and
 * whether sheets of answers are complete. Nothing is kept of it but *r. Returns how many tasks are
 * neither right nor wait for this machine. */
int pack_check(const struct project *p, enum hpc_place device, uint64_t seed, struct record *r);
/* Write ROOT/dist/handin-LAB.tar.gz, *path (the caller's) below ROOT: labs/LAB/ with the files of
 * all tasks and the report, manifest.json with their SHA-256, this program's version, the machine
 * and what pack_check found. The same files give the same bytes. */
bool pack_write(const struct project *p, const struct record *r, char **path,
                struct hpc_error *err);

#ifdef __cplusplus
}
#endif
#endif
