/* What a runner died of: a verdict and a line for the student. Its output chooses words only; that
 * it died before its time is what the parent has seen. */
#define _GNU_SOURCE
#include "common/defence.h"
#include "harness/exchange/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

static void trim(char *line)
{
    for (size_t n = strlen(line); n > 0 && isspace((unsigned char)line[n - 1]);)
        line[--n] = '\0';
}

/* The rest of the line at p, without spaces at its ends. */
static void copy_line(const char *p, char *line, size_t size)
{
    p += strspn(p, " \t=");
    snprintf(line, size, "%.*s", (int)strcspn(p, "\n"), p);
    trim(line);
}

/* "FILE:LINE" of the first frame "#N 0x.. in FUNCTION FILE:LINE[:COLUMN]" behind p, and not behind
 * end, that is the student's; empty where there is none. */
static void first_frame(const char *p, const char *end, char *place, size_t size)
{
    place[0] = '\0';
    while ((p = strstr(p, "    #")) != NULL && (!end || p < end)) {
        char line[600], *file;
        copy_line(p, line, sizeof line);
        p += 5;
        char *colon = strchr(line, ':');
        if (!colon || strstr(line, "runner/") || strstr(line, "libsanitizer"))
            continue;
        for (file = colon; file > line && file[-1] != ' ';)
            file--;
        if (strncmp(file, "./", 2) == 0)
            file += 2;
        size_t digits = strspn(colon + 1, "0123456789");
        if (*file == '/' || *file == '(' || digits == 0)
            continue; /* a library's */
        snprintf(place, size, "%.*s", (int)(colon + 1 + digits - file), file);
        return;
    }
}

bool sanitizer_reason(const char *output, char *reason, size_t reason_size)
{
    static const char *const marks[] = {
        "ERROR: AddressSanitizer: ", "ERROR: LeakSanitizer: ", "WARNING: ThreadSanitizer: "};
    char line[300], place[300];
    const char *undefined = strstr(output, ": runtime error: ");
    if (undefined) {
        const char *start = undefined;
        while (start > output && start[-1] != '\n')
            start--;
        if (strncmp(start, "./", 2) == 0)
            start += 2;
        copy_line(start, line, sizeof line);
        snprintf(reason, reason_size, "%s", line);
        return true;
    }
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        const char *report = strstr(output, marks[i]);
        if (!report)
            continue;
        const char *kind = report + strlen(marks[i]);
        const char *leak = strstr(report, "leak of "); /* "Direct leak of 40 byte(s) in .." */
        first_frame(leak ? leak : kind, NULL, place, sizeof place);
        copy_line(leak ? leak : kind, line, sizeof line);
        line[leak ? strcspn(line, ":") : strcspn(line, "(")] = '\0'; /* addresses help no one */
        char *address = strstr(line, leak ? " allocated from" : " on ");
        if (address)
            *address = '\0';
        trim(line);
        snprintf(reason, reason_size, "%s%s%s", line, place[0] ? " at " : "", place);
        return true;
    }
    return false;
}

/* The last line that it printed, in parentheses, or nothing. */
static void last_words(const char *output, char *words, size_t size)
{
    size_t end = strlen(output);
    while (end > 0 && isspace((unsigned char)output[end - 1]))
        end--;
    size_t begin = end;
    while (begin > 0 && output[begin - 1] != '\n')
        begin--;
    size_t length = end - begin < 120 ? end - begin : 120;
    snprintf(words, size, length ? " (it last printed: %.*s)" : "%.*s", (int)length,
             output + begin);
}

/* Whether the variant's own words, that the sanitizer can't work here, are believed: only a runner
 * of ours is asked (harness/trial/sanitizer.c). */
static bool believed(const struct exchange_death *d)
{
    if (DEFENCE(sanitizer_probe))
        return false;
    return d->sanitized && strstr(d->output, "FATAL: ThreadSanitizer");
}

/* Whether exit(0) is as good as the return of close(). */
static bool exit_counts(const struct jail_end *end)
{
    if (DEFENCE(exit))
        return false;
    return end->exited && end->exit_status == 0;
}

void death_verdict(const struct exchange_death *d, struct outcome *o)
{
    const struct jail_end *end = d->end;
    char words[200];
    if (believed(d))
        outcome_set(o, VERDICT_ENVIRONMENT, "the thread sanitizer does not work on this system");
    else if (d->sanitized && sanitizer_reason(d->output, o->reason, sizeof o->reason))
        o->verdict = VERDICT_UNSAFE;
    else if (d->starved || end->memory_limit)
        outcome_set(o, VERDICT_MEMORY, "asked for more than its memory limit of %zu MiB in %s",
                    d->limits->memory_bytes >> 20, d->phase);
    else if (end->wall_limit)
        outcome_set(o, VERDICT_TIMEOUT, "%s did not return within %d s", d->phase,
                    d->limits->wall_seconds);
    else if (end->cpu_limit)
        outcome_set(o, VERDICT_TIMEOUT, "used more than its %d s of CPU time, in %s",
                    d->limits->cpu_seconds, d->phase);
    else if (end->output_limit || end->file_limit || end->process_limit)
        outcome_set(o, VERDICT_REJECTED, "ended in %s by a limit: %s", d->phase, end->why);
    else if (exit_counts(end))
        o->verdict = VERDICT_PASS;
    else {
        last_words(d->output, words, sizeof words);
        if (end->signal)
            outcome_set(o, VERDICT_CRASH, "%s in %s%s", end->why, d->phase, words);
        else
            outcome_set(o, VERDICT_CRASH, "the process ended in %s with exit status %d%s", d->phase,
                        end->exit_status, words);
    }
}
