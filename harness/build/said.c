/* What a compiler said: the line that a student should read first, of a source that it did not
 * take; what it warned of, in one that it took. */
#define _GNU_SOURCE
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/scratch.h"
#include "common/text.h"
#include "harness/build/internal.h"

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

/* The header that declares names which begin so; "": which one is not known. */
static const char *header_of(const char *name)
{
    static const char *const known[][2] = {
        {"_mm", "<immintrin.h>"}, {"MPI_", "<mpi.h>"},       {"pthread_", "<pthread.h>"},
        {"omp_", "<omp.h>"},      {"sem_", "<semaphore.h>"}, {"atomic_", "<stdatomic.h>"}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(name, known[i][0], strlen(known[i][0])) == 0)
            return known[i][1];
    return "";
}

/* In front of an error in the log, whose words are in reason: the function of its line that nobody
 * has declared. What it returns is then an int, which the error is about. */
static void say_undeclared(const char *log, const char *error, char *reason, size_t reason_size)
{
    static const char mark[] = "implicit declaration of function ";
    const size_t place = strcspn(error, ":") + 1, line = strspn(error + place, "0123456789");
    char was[400];
    snprintf(was, sizeof was, "%s", reason);
    for (const char *p = log; (p = strstr(p, mark)) != NULL && p < error; p += sizeof mark - 1) {
        const char *begin = p, *name = p + sizeof mark - 1;
        while (begin > log && begin[-1] != '\n')
            begin--;
        name += strcspn(name, "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
        const size_t n =
            strspn(name, "_abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789");
        if (line == 0 || strncmp(begin, error, place + line + 1) != 0)
            continue;
        const char *header = header_of(name);
        text_fit(reason, reason_size,
                 "%.*s: nobody has declared %.*s, which is then taken for a function that gives an "
                 "int: %s%s%s, or is its name another? (%s)",
                 (int)(place + line), error, (int)n, name,
                 *header ? "#include " : "is its header included", header,
                 *header ? " is missing" : "", was);
        return;
    }
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
        say_undeclared(log, p, reason, reason_size);
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
                    BUILD_FILE_BYTES >> 20);
    else if (strstr(log, "relocation truncated to fit") ||
             strstr(log, "failed to convert GOTPCREL relocation"))
        outcome_set(o, VERDICT_BUILD,
                    "the source's own variables are larger than the 2 GiB that a program has for "
                    "them: open() can allocate large arrays");
    else
        return false;
    return true;
}

bool building_explain(struct building *b, const struct jail_end *end, const char *log)
{
    struct outcome *o = &b->result->outcome;
    const bool cut =
        end->printed > BUILD_LOG_BYTES; /* with it what a driver says of its compiler */
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
    if (!scratch_room(b->stage, BUILD_FILE_BYTES))
        return outcome_set(o, VERDICT_ENVIRONMENT,
                           "less than %zu MiB are free where build/tmp lies, expected room for "
                           "what a compiler writes",
                           BUILD_FILE_BYTES >> 20);
    o->verdict = VERDICT_BUILD;
    if (!first_error(log, o->reason, sizeof o->reason) && cut)
        return outcome_set(o, VERDICT_BUILD,
                           "the compiler ended behind %zu KiB of output, of which the first %d "
                           "hold no error",
                           end->printed / 1024, BUILD_LOG_BYTES / 1024);
    if (!o->reason[0])
        outcome_set(o, VERDICT_BUILD, "the compiler ended: %s", end->why);
    return false;
}

/* The build's log; "" where there is none. The caller's. */
static char *log_of(const struct build_result *built)
{
    const char *end = strrchr(built->output, '/');
    char *path = hpc_printf("%.*s/log", end ? (int)(end - built->output) : 0, built->output);
    char *text = hpc_calloc(BUILD_LOG_BYTES + 1, 1);
    FILE *f = end ? fopen(path, "re") : NULL;
    if (f) {
        const size_t n = fread(text, 1, BUILD_LOG_BYTES, f);
        text[n] = '\0';
        fclose(f);
    }
    free(path);
    return text;
}

#define PROMOTION " [-Wdouble-promotion]"

/* The first line of `log` that warns in these words of a line of the source, from line `after` + 1
 * on; false: there is none. */
static bool find(const char *log, const char *source, const char *words, long after, char *text,
                 size_t size)
{
    static const char mark[] = ": warning: ";
    const size_t n = strlen(source);
    for (const char *line = log; *line; line += strspn(line, "\n")) {
        char one[600];
        const size_t length = strcspn(line, "\n");
        snprintf(one, sizeof one, "%.*s", (int)length, line);
        line += length;
        char *said = strstr(one, mark), *option = strstr(one, " [-W");
        if (!said || strncmp(one, source, n) != 0 || one[n] != ':' ||
            !isdigit((unsigned char)one[n + 1]) || strtol(one + n + 1, NULL, 10) <= after ||
            !strstr(said, words) || (!strstr(words, PROMOTION) && strstr(said, PROMOTION)))
            continue;
        if (option)
            *option = '\0';
        hpc_harmless(said);
        return text_fit(text, size, "%s:%ld: %s", source, strtol(one + n + 1, NULL, 10),
                        said + strlen(mark));
    }
    return false;
}

bool build_warning(const struct build_result *built, const char *source, char *text, size_t size)
{
    static const char *const words[] = {
        BUILD_FREED,  BUILD_UNINITIALIZED,    BUILD_UNSIGNED, BUILD_EMPTY, BUILD_SIGNEDNESS,
        BUILD_PRAGMA, "implicit declaration", "incompatible", BUILD_FALLS, ""};
    char *log = log_of(built);
    bool found = false;
    for (size_t i = 0; i < sizeof words / sizeof *words && !found; i++)
        found = find(log, source, words[i], 0, text, size);
    free(log);
    return found;
}

bool build_promotion(const struct build_result *built, const char *source, long after, long *line)
{
    char *log = log_of(built), text[600];
    const bool found = find(log, source, PROMOTION, after, text, sizeof text);
    if (found)
        *line = strtol(text + strlen(source) + 1, NULL, 10);
    free(log);
    return found;
}
