/* A record as other systems take it. */
#ifndef HPC_HARNESS_CLASS_FORMATS_H
#define HPC_HARNESS_CLASS_FORMATS_H

#include "harness/record/record.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Write the record to `path` as NAME has it:
 *
 *   gradescope    results.json: score, tests, leaderboard; what is pending stands in the words
 *
 *   autolab       the last line of an autograder: {"scores": {TASK: POINTS}, "scoreboard": [..]}
 *
 *   classroom     what a runner hands to GitHub Classroom's reporter, before base64
 *
 *   prairielearn  results.json: score as a share, tests
 *
 *   junit         a testsuite with a testcase a task: passed, a failure, or skipped where it waits
 *
 *   canvas        rows of a gradebook: Student, ID, SIS User ID, SIS Login ID, Section, LAB
 *
 *   moodle        ID number, Grade, Maximum Grade, Feedback comments, Bonus
 *
 * A bonus is beyond the maximum where a system has such points (gradescope, autolab, canvas), a
 * column of its own for moodle, and elsewhere counts up to the maximum; junit has no points, and
 * a bonus that gave none is skipped there. docs/instructor.md names the source of each. False with
 * *err: another name, or a file that can't be written. */
bool format_write(const char *name, const struct record *r, const char *path,
                  struct hpc_error *err);
#define FORMAT_MOODLE "ID number,Grade,Maximum Grade,Feedback comments,Bonus\n"
/* "60 of 60; 40 more are pending": never more than was given. */
void format_score(const struct record *r, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
