/* One tool of a build, run in the jail, and what it said. */
#define _GNU_SOURCE
#include "common/defence.h"
#include "common/scratch.h"
#include "harness/build/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LOG_BYTES  (256 * 1024)
#define FILE_BYTES ((size_t)64 << 20)
/* A compiler's seconds are a processor's; on a busy machine they take so many times longer. */
#define BUSY    5
#define AN_HOUR 3600

bool building_fail(struct building *b, enum verdict verdict, const char *reason)
{
    return outcome_set(&b->result->outcome, verdict, "%s", reason);
}

/* Copy a line, with "FILE:LINE:COLUMN: " shortened to "FILE:LINE: ". */
static void copy_line(const char *line, size_t length, char *reason, size_t reason_size)
{
    const char *end = line + length, *p = memchr(line, ':', length);
    const char *cut = NULL, *after = NULL;
    if (p) {
        const char *q = p + 1;
        while (q < end && isdigit((unsigned char)*q))
            q++;
        cut = q > p + 1 && q < end && *q == ':' ? q : NULL;
        for (q = cut ? cut + 1 : end; q < end && isdigit((unsigned char)*q);)
            q++;
        after = cut && q > cut + 1 && q < end && *q == ':' ? q : NULL;
    }
    if (after)
        snprintf(reason, reason_size, "%.*s%.*s", (int)(cut - line), line, (int)(end - after),
                 after);
    else
        snprintf(reason, reason_size, "%.*s", (int)length, line);
}

/* The line of a compiler's output that a student should read first: the first error, without its
 * column; else the last line. Returns whether it is an error. */
static bool first_error(const char *log, char *reason, size_t reason_size)
{
    static const char *const marks[] = {"undefined reference", "multiple definition", "cannot find",
                                        "error: "}; /* a linker's before the driver's */
    for (size_t m = 0; m < sizeof marks / sizeof *marks; m++) {
        const char *p = strstr(log, marks[m]);
        if (!p)
            continue;
        while (p > log && p[-1] != '\n')
            p--;
        copy_line(p, strcspn(p, "\n"), reason, reason_size);
        return true;
    }
    size_t end = strlen(log);
    while (end > 0 && isspace((unsigned char)log[end - 1]))
        end--;
    size_t begin = end;
    while (begin > 0 && log[begin - 1] != '\n')
        begin--;
    copy_line(log + begin, end - begin, reason, reason_size);
    return false;
}

/* What is too large for a program, where the log says it in a compiler's words alone. */
static bool too_large(const char *log, struct outcome *o)
{
    if (strstr(log, "File size limit exceeded"))
        outcome_set(o, VERDICT_BUILD,
                    "the compiler was ended by a limit: what it makes of the source is over %zu "
                    "MiB; has a large array start values, or an alignment as large?",
                    FILE_BYTES >> 20);
    else if (strstr(log, "relocation truncated to fit") ||
             strstr(log, "failed to convert GOTPCREL relocation"))
        outcome_set(o, VERDICT_BUILD,
                    "the source's own variables are larger than the 2 GiB that a program has for "
                    "them: open() can allocate large arrays");
    else
        return false;
    return true;
}

/* What the log says about a tool that failed. */
static bool fail_by_log(struct building *b, const struct jail_end *end, const char *log)
{
    struct outcome *o = &b->result->outcome;
    const bool cut = end->printed > LOG_BYTES; /* with it what a driver says of its compiler */
    const bool late = end->wall_limit || end->cpu_limit ||
                      (cut && end->cpu_seconds >= build_seconds(b->spec)) ||
                      strstr(log, "CPU time limit exceeded");
    if (late)
        return outcome_set(o, VERDICT_TIMEOUT, "the compiler did not end within its %d s (%.1f s)",
                           build_seconds(b->spec), end->wall_seconds);
    if (end->output_limit || end->memory_limit || end->process_limit)
        return outcome_set(o, VERDICT_BUILD, "the compiler was ended: %s", end->why);
    if (too_large(log, o))
        return false;
    if (!scratch_room(b->stage, FILE_BYTES))
        return outcome_set(o, VERDICT_ENVIRONMENT,
                           "less than %zu MiB are free where build/tmp lies, expected room for "
                           "what a compiler writes",
                           FILE_BYTES >> 20);
    o->verdict = VERDICT_BUILD;
    if (!first_error(log, o->reason, sizeof o->reason) && cut)
        return outcome_set(o, VERDICT_BUILD,
                           "the compiler ended behind %zu KiB of output, of which the first %d "
                           "hold no error",
                           end->printed / 1024, LOG_BYTES / 1024);
    if (!o->reason[0])
        outcome_set(o, VERDICT_BUILD, "the compiler ended: %s", end->why);
    return false;
}

/* Leave out of what a tool printed where the project lies, and the stage, whose name holds the
 * machine's. */
static void strip_places(const struct building *b, char *text)
{
    const char *const places[] = {b->stage, b->spec->root};
    if (DEFENCE(places))
        for (size_t i = 0; i < sizeof places / sizeof *places; i++) {
            const size_t length = strlen(places[i]);
            for (char *at = text; length > 1 && (at = strstr(at, places[i])) != NULL;) {
                const size_t skip = length + (at[length] == '/');
                memmove(at, at + skip, strlen(at + skip) + 1);
            }
        }
}

bool building_run(struct building *b, struct command_line *argv)
{
    char library[BUILD_PATH], device[BUILD_PATH], headers[BUILD_PATH];
    const int seconds = build_seconds(b->spec);
    char *temporary = hpc_printf("TMPDIR=%s", b->stage);
    const char *env[] = {"PATH=/usr/bin:/bin", "LANG=C", "HOME=/tmp", temporary, NULL};
    const bool cuda = device_source(b->spec->source);
    const struct cudnn_place *cudnn = b->tools->cudnn;
    snprintf(library, sizeof library, "%s/build/lib", b->spec->root);
    snprintf(device, sizeof device, "%s/build/device", b->spec->root);
    snprintf(headers, sizeof headers, "%s/device", b->spec->root);
    struct jail_spec jail = {
        .argv = (const char *const *)argv->word,
        .env = env,
        .read_only = {library},
        .writable = b->stage,
        .folder = b->stage,
        .fds = {-1, -1},
        .profile = JAIL_BUILD,
        .limits = {.cpu_seconds = AN_HOUR,
                   .wall_seconds = AN_HOUR,
                   .memory_bytes = b->tools->limit_memory ? (size_t)2 << 30 : 0,
                   .resident_bytes = b->tools->limit_memory ? 0 : (size_t)4 << 30,
                   .output_bytes = LOG_BYTES,
                   .processes = 64},
    };
    const char *others[] = {cuda ? device : NULL, cuda ? headers : NULL, b->tools->prefix,
                            cudnn ? cudnn->include : NULL, cudnn ? cudnn->package : NULL};
    for (size_t i = 0, n = 1; i < sizeof others / sizeof *others; i++)
        if (others[i])
            jail.read_only[n++] = others[i];
    if (DEFENCE(build_limits)) {
        jail.limits.cpu_seconds = seconds;
        jail.limits.wall_seconds = BUSY * seconds;
        jail.limits.file_bytes = FILE_BYTES;
    }
    struct hpc_error err;
    struct jail_end end;
    struct jail *process = jail_start(&jail, &err);
    free(temporary);
    if (!process) {
        command_line_clear(argv);
        return building_fail(b, VERDICT_ENVIRONMENT, err.text);
    }
    char *text = hpc_malloc(LOG_BYTES + 1);
    jail_wait(process, &end, text, LOG_BYTES + 1);
    strip_places(b, text);
    for (int i = 0; i < argv->n; i++)
        fprintf(b->log, "%s%c", argv->word[i], i + 1 < argv->n ? ' ' : '\n');
    command_line_clear(argv);
    fputs(text, b->log);
    bool good = end.exited && end.exit_status == 0;
    if (!good)
        fail_by_log(b, &end, text);
    free(b->said);
    b->said = text;
    return good;
}
