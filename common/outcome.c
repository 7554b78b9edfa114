#include "common/outcome.h"

#include <stdarg.h>
#include <string.h>

#include "common/text.h"

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
