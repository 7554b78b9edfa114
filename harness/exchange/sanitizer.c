/* A sanitizer's report in one line: what, and where in the student's own file. */
#define _GNU_SOURCE
#include "harness/exchange/internal.h"
#include "common/text.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CALLERS 2

/* ", called from F:49, F:62", of a crash at `place` by an address that means nothing: the next
 * frames of a source of the task's, whose arguments may be what is wrong; empty where there are
 * none. */
static void callers_of(const char *p, const char *place, char *text, size_t size)
{
    const char *end = strstr(p, "\n\n");
    char one[300], last[300];
    int said = 0;
    bool passed = false;
    text[0] = '\0';
    snprintf(last, sizeof last, "%s", place);
    for (; said < CALLERS && (p = strstr(p, "    #")) != NULL && (!end || p < end); p += 5) {
        if (!report_place(p, one, sizeof one) || strstr(one, ".h:"))
            continue;
        if (passed && strcmp(one, last) != 0) {
            text_fit(text, size, "%s, %s%s", text, said++ == 0 ? "called from " : "", one);
            snprintf(last, sizeof last, "%s", one);
        }
        passed |= strcmp(one, place) == 0;
    }
}

/* One side of a race, "  Previous write of size 8 at 0x.. by thread T1 (mutexes: ..):". */
struct side {
    bool writes, atomic, frees;
    long bytes;
    char who[40], place[300];
};

static bool read_side(const char *p, const char *end, struct side *s)
{
    char line[200];
    report_line(p, line, sizeof line);
    const char *size = strstr(line, " of size "), *by = strstr(line, " by ");
    if (!size || !by)
        return false;
    *s = (struct side){.writes = strcasestr(line, "write") != NULL,
                       .atomic = strcasestr(line, "atomic") != NULL,
                       .bytes = strtol(size + 9, NULL, 10)};
    const char *frame = strstr(p, "    #0 free ");
    s->frees = frame && frame < end;
    by += 4;
    if (strncmp(by, "thread T", 8) == 0)
        snprintf(s->who, sizeof s->who, "thread %ld", strtol(by + 8, NULL, 10));
    else
        snprintf(s->who, sizeof s->who, "the main thread");
    report_frame(p, end, s->place, sizeof s->place);
    return s->place[0] != '\0';
}

/* " (in count)": what both access, where the report names it. */
static void race_location(const char *report, char *text, size_t size)
{
    char line[200], place[300];
    const char *p = strstr(report, "  Location is ");
    text[0] = '\0';
    if (!p)
        return;
    report_line(p + 14, line, sizeof line);
    const char *blank = strchr(p, '\n') ? strstr(p, "\n\n") : NULL;
    if (strncmp(line, "global '", 8) == 0 && line[8] != '<' && line[8] != '?') {
        snprintf(text, size, " (%.*s)", (int)strcspn(line + 8, "'"), line + 8);
    } else if (strncmp(line, "heap block of size ", 19) == 0) {
        report_frame(p, blank, place, sizeof place);
        snprintf(text, size, " (in %ld bytes allocated%s%s)", strtol(line + 19, NULL, 10),
                 place[0] ? " at " : "", place);
    } else if (strncmp(line, "stack of ", 9) == 0) {
        snprintf(text, size, " (on the stack of %.*s)", (int)strcspn(line + 9, "."), line + 9);
    }
}

/* Both sides of a race; false where the report does not have them. */
static bool race_reason(const char *report, char *reason, size_t reason_size)
{
    struct side one, two;
    char where[360];
    const char *first = strchr(report, '\n'), *end = first ? strstr(first, "\n\n") : NULL;
    const char *other = end ? strstr(first, "  Previous ") : NULL;
    if (!other || !read_side(first + 1, other, &one) ||
        !read_side(other, strstr(other, "\n\n"), &two))
        return false;
    if (one.frees || two.frees) {
        const struct side *f = one.frees ? &one : &two, *u = one.frees ? &two : &one;
        snprintf(reason, reason_size,
                 "freed too early: %s frees at %s what %s %s at %s, and nothing has it wait for "
                 "that: pthread_join, before run() or close() returns",
                 f->who, f->place, u->who, u->writes ? "writes" : "reads", u->place);
        return true;
    }
    race_location(report, where, sizeof where);
    snprintf(reason, reason_size, "data race at %s: %s %s%s %ld bytes there that %s %s%s at %s%s",
             one.place, one.who, one.writes ? "writes" : "reads", one.atomic ? " atomically" : "",
             one.bytes, two.who, two.writes ? "writes" : "reads", two.atomic ? " atomically" : "",
             two.place, where);
    return true;
}

/* A thread that outlives the function whose variables it uses; false where the report is of no such
 * thing. */
static bool outlived_reason(const char *report, char *reason, size_t reason_size)
{
    char line[200], place[300];
    const char *access = strchr(report, '\n');
    if (strncmp(report, "stack-use-after-return", 22) != 0 || !access)
        return false;
    report_line(access + 1, line, sizeof line); /* "READ of size 8 at 0x.. thread T2" */
    const char *thread = strstr(line, " thread T");
    if (!thread || strtol(thread + 9, NULL, 10) == 0)
        return false;
    report_frame(access, NULL, place, sizeof place);
    snprintf(reason, reason_size,
             "freed too early: thread %ld %s at %s what lay on the stack of a function that has "
             "returned, and nothing had that wait for the thread: pthread_join, before run() or "
             "close() returns",
             strtol(thread + 9, NULL, 10), line[0] == 'W' ? "writes" : "reads", place);
    return true;
}

/* An access that begins in its memory and ends outside, or the other way round; false where the
 * report is of no such thing. */
static bool astride_reason(const char *report, char *reason, size_t reason_size)
{
    char line[200], place[300];
    const char *access = strchr(report, '\n');
    if (strncmp(report, "unknown-crash", 13) != 0 || !access)
        return false;
    report_line(access + 1, line, sizeof line); /* "READ of size 32 at 0x.. thread T0" */
    const char *bytes = strstr(line, " of size ");
    report_frame(access, NULL, place, sizeof place);
    if (!bytes || !place[0])
        return false;
    snprintf(reason, reason_size,
             "out of bounds at %s: it %s %ld bytes there, a part of them outside of the "
             "array, as a vector does where less than one is left over",
             place, line[0] == 'W' ? "writes" : "reads", strtol(bytes + 9, NULL, 10));
    return true;
}

/* A join that the thread sanitizer itself gives up at; false where it is no such thing. */
static bool join_reason(const char *output, char *reason, size_t reason_size)
{
    char place[300];
    const char *failed = strstr(output, "ThreadSanitizer: CHECK failed: ");
    if (!failed || !(strstr(failed, " __tsan::ThreadJoin(") || strstr(failed, " pthread_join ")))
        return false;
    report_frame(failed, NULL, place, sizeof place);
    snprintf(reason, reason_size,
             "pthread_join at %s of a thread that is joined already, or that is its own: each "
             "thread is joined once, by another one",
             place);
    return true;
}

/* What UndefinedBehaviorSanitizer says begins with its place. */
static void undefined_reason(const char *output, const char *mark, char *reason, size_t size)
{
    const char *start = mark;
    char line[300];
    while (start > output && start[-1] != '\n')
        start--;
    if (strncmp(start, "./", 2) == 0)
        start += 2;
    report_line(start, line, sizeof line);
    snprintf(reason, size, "%s", line);
}

bool sanitizer_reason(const char *output, char *reason, size_t reason_size)
{
    static const char *const marks[] = {"ERROR: AddressSanitizer: ", "ERROR: LeakSanitizer: ",
                                        "WARNING: ThreadSanitizer: ", "ERROR: ThreadSanitizer: "};
    char line[300], place[300];
    const char *undefined = strstr(output, ": runtime error: ");
    if (undefined) {
        undefined_reason(output, undefined, reason, reason_size);
        return true;
    }
    if (join_reason(output, reason, reason_size))
        return true;
    for (size_t i = 0; i < sizeof marks / sizeof marks[0]; i++) {
        const char *report = strstr(output, marks[i]);
        if (!report)
            continue;
        const char *kind = report + strlen(marks[i]);
        if (strncmp(kind, "data race", 9) == 0 && race_reason(kind, reason, reason_size))
            return true;
        if (outlived_reason(kind, reason, reason_size) || astride_reason(kind, reason, reason_size))
            return true;
        const char *leak = strstr(report, "leak of "); /* "Direct leak of 40 byte(s) in .." */
        report_frame(leak ? leak : kind, NULL, place, sizeof place);
        report_line(leak ? leak : kind, line, sizeof line);
        line[leak ? strcspn(line, ":") : strcspn(line, "(")] = '\0'; /* addresses help no one */
        char *address = strstr(line, leak ? " allocated from" : " on ");
        if (address)
            *address = '\0';
        report_trim(line);
        const bool poison = strncmp(kind, "use-after-poison", 16) == 0;
        const bool no_start = strncmp(kind, "attempting free ", 16) == 0;
        snprintf(reason, reason_size, "%s%s%s",
                 poison     ? "out of bounds"
                 : no_start ? "free of what no malloc returned, as a pointer that was moved on,"
                            : line,
                 place[0] ? " at " : "", place);
        if (strncmp(kind, "stack-overflow", 14) == 0) {
            text_fit(reason, reason_size,
                     "%s: arrays and calls take more than a stack holds, 8 MiB of most threads: "
                     "large arrays are for malloc, in open()",
                     reason);
        } else if (strncmp(kind + strcspn(kind, "-"), "-buffer-", 8) == 0) {
            beside_block(kind, line, sizeof line);
            text_fit(reason, reason_size, "%s%s", reason, line);
        } else if (poison || strncmp(kind, "SEGV", 4) == 0) {
            callers_of(kind, place, line, sizeof line);
            text_fit(reason, reason_size, "%s%s", reason, line);
            beside_array(output, kind, line, sizeof line);
            const char *how = *line                                      ? line
                              : strstr(kind, " points to the zero page") ? ": a pointer is NULL"
                              : strstr(kind, " caused by a WRITE ")
                                  ? ": it writes where nothing can be written, as in an input"
                                  : "";
            text_fit(reason, reason_size, "%s%s", reason, how);
        }
        return true;
    }
    return false;
}
