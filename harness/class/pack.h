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
/* What the report that p->lab asks for lacks: it is not there, is empty or is longer than the lab
 * allows. The caller's; NULL: nothing. */
char *pack_report(const struct project *p);
/* What keeps the working copy of a task's file from being anybody's work: it is not there, or is
 * the starter yet. The caller's; NULL: nothing. */
char *pack_lack(const struct project *p, const struct lab_task *task, bool *there);
/* Grade the working copies without timings: whether they build and the visible cases pass, and
 * whether sheets of answers are complete. Nothing is kept of it but *r, in the order of the lab's
 * tasks. */
void pack_check(const struct project *p, enum hpc_place device, uint64_t seed, struct record *r);
/* Write ROOT/dist/handin-LAB.tar.gz, *path (the caller's) below ROOT: labs/LAB/ with the files of
 * all tasks and the report, manifest.json with their SHA-256, this program's version, the machine
 * and what pack_check found. The same files give the same bytes. */
bool pack_write(const struct project *p, const struct record *r, char **path,
                struct hpc_error *err);

#ifdef __cplusplus
}
#endif
#endif
