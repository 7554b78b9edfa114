/* What each verdict means, and what to try, by the kind of task; and what a word means. */
#ifndef HPC_HARNESS_RECORD_EXPLAINED_H
#define HPC_HARNESS_RECORD_EXPLAINED_H

#include "harness/record/record.h"

#ifdef __cplusplus
extern "C" {
#endif

enum explain_kind { EXPLAIN_C, EXPLAIN_CUDA, EXPLAIN_SHEET, EXPLAIN_KINDS };

/* LAB, TASK, FILE and IMPL in them stand for the real ones; LAB= is make's. */
struct explanation {
    const char *means, *advice;
};

/* Of a task as its record has it; static. */
const struct explanation *explained_words(const struct task_result *t, enum explain_kind kind);

/* glossary.c. What handouts/basics.md below root says of a word, "SIMD" or "barrier", in any case
 * of letters; false where its glossary has none such. */
bool glossary_words(const char *root, const char *word, char *text, size_t size);

#ifdef __cplusplus
}
#endif
#endif
