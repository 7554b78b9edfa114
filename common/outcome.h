/* How something ended: a verdict, why in one line, and what might help. */
#ifndef HPC_COMMON_OUTCOME_H
#define HPC_COMMON_OUTCOME_H

#include <stdarg.h>

#include "common/verdict.h"

#ifdef __cplusplus
extern "C" {
#endif

struct outcome {
    enum verdict verdict;
    char reason[400]; /* one line; empty where the verdict says all */
    char hint[760];   /* what to try, or empty */
};

/* Set verdict and reason, and leave the hint; longer reasons end with "..". An argument may be the
 * old reason. True for VERDICT_PASS alone, so that `return outcome_set(o, VERDICT_WRONG, ..);`
 * reads well. */
bool outcome_set(struct outcome *o, enum verdict verdict, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
bool outcome_vset(struct outcome *o, enum verdict verdict, const char *format, va_list args)
    __attribute__((format(printf, 3, 0)));
/* Set the reason alone, or the hint; an argument may be the old one. */
void outcome_reason(struct outcome *o, const char *format, ...)
    __attribute__((format(printf, 2, 3)));
void outcome_hint(struct outcome *o, const char *format, ...) __attribute__((format(printf, 2, 3)));

/* What stands between a sentence and the next one: a line of C may end with a semicolon. */
const char *outcome_joint(const char *before);

#ifdef __cplusplus
}
#endif
#endif
