#include "common/outcome.h"

#include <stdarg.h>
#include <string.h>

#include "common/text.h"
#include "common/verdict.h"

const char *const verdict_names[VERDICT_COUNT] = {
    [VERDICT_PASS] = "pass",
    [VERDICT_WRONG] = "wrong",
    [VERDICT_BUILD] = "build",
    [VERDICT_UNSAFE] = "unsafe",
    [VERDICT_CRASH] = "crash",
    [VERDICT_TIMEOUT] = "timeout",
    [VERDICT_MEMORY] = "memory",
    [VERDICT_REJECTED] = "rejected",
    [VERDICT_IMPOSSIBLE] = "impossible",
    [VERDICT_NOISY] = "noisy",
    [VERDICT_ENVIRONMENT] = "environment",
    [VERDICT_PENDING] = "pending",
    [VERDICT_SKIPPED] = "skipped",
};

bool verdict_waits(enum verdict verdict)
{
    return verdict == VERDICT_IMPOSSIBLE || verdict == VERDICT_NOISY ||
           verdict == VERDICT_ENVIRONMENT || verdict == VERDICT_PENDING ||
           verdict == VERDICT_SKIPPED;
}

bool outcome_set(struct outcome *o, enum verdict verdict, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    outcome_vset(o, verdict, format, args);
    va_end(args);
    return verdict == VERDICT_PASS;
}

bool outcome_vset(struct outcome *o, enum verdict verdict, const char *format, va_list args)
{
    text_vfit(o->reason, sizeof o->reason, format, args);
    o->verdict = verdict;
    return verdict == VERDICT_PASS;
}

void outcome_reason(struct outcome *o, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_vfit(o->reason, sizeof o->reason, format, args);
    va_end(args);
}

void outcome_hint(struct outcome *o, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_vfit(o->hint, sizeof o->hint, format, args);
    va_end(args);
}

const char *outcome_joint(const char *before)
{
    const size_t n = strlen(before);
    return n == 0 ? "" : before[n - 1] == ';' ? " " : "; ";
}
