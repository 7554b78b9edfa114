/* What a runner died of: a verdict and a line for the student. Its output chooses words only; that
 * it died before its time is what the parent has seen. */
#define _GNU_SOURCE
#include "common/defence.h"
#include "harness/exchange/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* The last line that it printed, but for mpirun's rulers: where it begins; *length gets its length.
 */
static const char *last_line(const char *output, size_t *length)
{
    size_t end = strlen(output);
    while (end > 0 && (isspace((unsigned char)output[end - 1]) || output[end - 1] == '-'))
        end--;
    size_t begin = end;
    while (begin > 0 && output[begin - 1] != '\n')
        begin--;
    *length = end - begin;
    return output + begin;
}

/* That line, in parentheses, or nothing. */
static void last_words(const char *line, size_t length, char *words, size_t size)
{
    snprintf(words, size, length ? " (it last printed: %.*s)" : "%.*s",
             (int)(length < 120 ? length : 120), line);
}

/* The CPU device ends a process that a GPU would let write into others' memory, or that nvcc would
 * not compile, and says why in the last line: what it said. */
static bool device_ended(const char *line, size_t length, const struct exchange_death *d,
                         struct outcome *o)
{
    static const char library[] = "hpclab: cuBLAS: ", source[] = "hpclab: labs/";
    const size_t own = sizeof "hpclab: " - 1;
    if (d->end->signal || (strncmp(line, library, sizeof library - 1) != 0 &&
                           strncmp(line, source, sizeof source - 1) != 0))
        return false;
    length = length < own + 250 ? length : own + 250;
    outcome_set(o, VERDICT_CRASH, "the CPU device ended the process in %s: %.*s", d->phase,
                (int)(length - own), line + own);
    return true;
}

/* What stands behind `mark` in a line of the output, and its length. */
static const char *behind(const char *output, const char *mark, size_t *length)
{
    const char *at = strstr(output, mark);
    at = at ? at + strlen(mark) : "";
    *length = strcspn(at, "\n");
    return at;
}

/* What may have led to MPI's refusal. */
static const char *mpi_words(const char *reason)
{
    static const struct {
        const char *name, *words;
    } known[] = {
        {"TRUNCATE",
         ": more came than there is room for: is the count that of what is sent, or one of bytes, "
         "or does the message come from another rank, or with another tag, than is meant?"},
        {"BUFFER", ": is it NULL, or memory to send from that is to receive into, too? Then "
                   "MPI_IN_PLACE is what to send from"},
        {"RANK", ": ranks go from 0 to their number less 1"},
        {"COUNT", ": a count is below 0"},
        {"TAG", ": tags are not below 0"},
        {"ARG", ": is it memory to send from that is to receive into, too?"},
    };
    for (size_t i = 0; i < sizeof known / sizeof *known; i++)
        if (strncmp(reason, known[i].name, strlen(known[i].name)) == 0)
            return known[i].words;
    return "";
}

/* The call that MPI refused, and its reason: lines in the middle of what MPI prints. */
static bool mpi_call(const char *output, const char *phase, struct outcome *o)
{
    size_t call, why, room;
    char has[80] = "";
    const char *where = behind(output, "*** An error occurred in ", &call);
    const char *reason = behind(output, "*** MPI_ERR_", &why);
    const char *count = behind(output, "*** room for ", &room);
    if (call == 0 || why == 0)
        return false;
    if (room > 0 && strncmp(reason, "TRUNCATE", 8) == 0)
        snprintf(has, sizeof has, ", which has room for %.*s", (int)(room < 40 ? room : 40), count);
    outcome_set(o, VERDICT_CRASH, "%.*s in %s%s: MPI_ERR_%.*s%s", (int)(call < 60 ? call : 60),
                where, phase, has, (int)(why < 120 ? why : 120), reason, mpi_words(reason));
    return true;
}

/* What glibc's words of memory that it gave mean, with them: the last that it printed. */
static bool heap_words(const struct exchange_death *d, struct outcome *o)
{
    static const char beyond[] = "something was written beyond the end of memory from malloc, or "
                                 "before it, which glibc sees at a later malloc or free",
                      twice[] = "memory was given to free twice",
                      no_start[] = "free was given what no malloc returned, as a pointer that was "
                                   "moved on, or what stands before it was overwritten",
                      gone[] = "a lock, condition or barrier lies in memory that was freed or "
                               "overwritten, where a thread takes it, or waits";
    static const struct {
        const char *line, *words;
    } known[] = {{"free(): double free detected", twice},
                 {"free(): invalid pointer", no_start},
                 {"munmap_chunk(): invalid", no_start},
                 {"malloc(): ", beyond},
                 {"Fatal glibc error: malloc", beyond},
                 {"free(): ", beyond},
                 {"realloc(): invalid", beyond},
                 {"corrupted size vs. prev_size", beyond},
                 {"double free or corruption", beyond},
                 {"The futex facility returned an unexpected error", gone}};
    for (size_t i = 0; i < sizeof known / sizeof *known; i++) {
        const char *line = strstr(d->output, known[i].line);
        if (!line || (line > d->output && line[-1] != '\n'))
            continue;
        outcome_set(
            o, VERDICT_CRASH, "%s in %s: %s (\"%.*s\")%s",
            d->end->signal ? d->end->why : "the process ended", d->phase, known[i].words,
            (int)(strcspn(line, "\n") < 50 ? strcspn(line, "\n") : 50), line,
            d->ranks && known[i].words == beyond
                ? ": is a count of MPI's one of bytes, where its type says it is of numbers?"
                : "");
        return true;
    }
    return false;
}

/* Whether the variant's own words, that the sanitizer can't work here, are believed: only a runner
 * of ours is asked (harness/trial/sanitizer.c). */
static bool believed(const struct exchange_death *d)
{
    if (DEFENCE(sanitizer_probe))
        return false;
    return d->sanitized && strstr(d->output, "FATAL: ThreadSanitizer");
}

/* gcc's library (12) was seen to end programs so that are right, one in three, where more than 64
 * tasks a thread waited. */
static bool event_words(const struct exchange_death *d, struct outcome *o)
{
    const char *line = strstr(d->output, "libgomp: omp_fulfill_event: ");
    if (!line || (line > d->output && line[-1] != '\n') || d->end->signal)
        return false;
    outcome_hint(o,
                 "fulfil each event once. Where you do: gcc's OpenMP library ends right programs "
                 "so, too, if more than 64 tasks a thread wait: try fewer at a time, or wait "
                 "for their group between them");
    outcome_set(o, VERDICT_CRASH,
                "the process ended in %s: an event is fulfilled twice, or OpenMP's library took "
                "its task for ended (\"%.*s\")",
                d->phase, (int)(strcspn(line, "\n") < 100 ? strcspn(line, "\n") : 100), line);
    return true;
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
        outcome_set(o, VERDICT_TIMEOUT, "%s did not return within %d s%s%s", d->phase,
                    d->limits->wall_seconds, d->places && *d->places ? ": " : "",
                    d->places ? d->places : "");
    else if (end->cpu_limit)
        outcome_set(o, VERDICT_TIMEOUT, "used more than its %d s of CPU time, in %s",
                    d->limits->cpu_seconds, d->phase);
    else if (end->output_limit || end->file_limit || end->process_limit)
        outcome_set(o, VERDICT_REJECTED, "ended in %s by a limit: %s", d->phase, end->why);
    else if (exit_counts(end))
        o->verdict = VERDICT_PASS;
    else {
        size_t length;
        const char *line = last_line(d->output, &length);
        last_words(line, length, words, sizeof words);
        if (heap_words(d, o) || event_words(d, o) || device_ended(line, length, d, o))
            return;
        if (!end->signal && (failing_call(d->output, line, length, d->phase, o) ||
                             mpi_call(d->output, d->phase, o)))
            return;
        if (end->signal)
            outcome_set(o, VERDICT_CRASH, "%s in %s%s", end->why, d->phase, words);
        else
            outcome_set(o, VERDICT_CRASH, "the process ended in %s with exit status %d%s", d->phase,
                        end->exit_status, words);
    }
}
