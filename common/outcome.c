#include "common/outcome.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

bool outcome_set(struct outcome *o, enum verdict verdict, const char *format, ...)
{
    char text[sizeof o->reason];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    strcpy(o->reason, text);
    o->verdict = verdict;
    return verdict == VERDICT_PASS;
}

void outcome_hint(struct outcome *o, const char *format, ...)
{
    char text[sizeof o->hint];
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    strcpy(o->hint, text);
}
