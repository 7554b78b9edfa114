/* Marking tasks that are answered in words and numbers: an .ini file of a student's.
 *
 * - The form ([sheet TASK] of lab.ini) is checked first: an incomplete sheet is told what it lacks.
 * - Complete versions are kept beside the record, `versions` of them, and the last one kept counts.
 *   Later changes of the file change no mark.
 * - Right and wrong, and the kind of a mistake, are told then; what would have been right when the
 *   sheet says `final = yes`, after which no version is taken.
 * - Sealed answers (lab.ini: answers = sealed) are checked and kept, and their points wait. */
#ifndef HPC_HARNESS_ANSWERS_ANSWERS_H
#define HPC_HARNESS_ANSWERS_ANSWERS_H

#include "harness/answers/marker.h"

#ifdef __cplusplus
extern "C" {
#endif

/* Fill result->points, verdict, reason, hint, answers and correctness (cases = questions, passed =
 * those with full marks; first_failure = the first answer that is off). Nothing here crashes on any
 * file. */
void answers_grade(const struct marking *m, struct task_result *result);
/* The name in the lab's sheet: of its first task of answers that asks for one. */
bool answers_student(const struct project *p, char *student, int size, struct hpc_error *err);

#ifdef __cplusplus
}
#endif
#endif
