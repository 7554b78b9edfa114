/* What the compiler warned of in a source that it took. */
#define _GNU_SOURCE
#include <ctype.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/text.h"
#include "harness/build/build.h"

#define LOG_MOST (256 * 1024L)

/* The build's log; "" where there is none. The caller's. */
static char *log_of(const struct build_result *built)
{
    const char *end = strrchr(built->output, '/');
    char *path = hpc_printf("%.*s/log", end ? (int)(end - built->output) : 0, built->output);
    char *text = hpc_calloc(LOG_MOST + 1, 1);
    FILE *f = end ? fopen(path, "re") : NULL;
    if (f) {
        const size_t n = fread(text, 1, LOG_MOST, f);
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
    char *log = log_of(built);
    const bool found = find(log, source, BUILD_UNINITIALIZED, 0, text, size) ||
                       find(log, source, BUILD_SIGNEDNESS, 0, text, size) ||
                       find(log, source, "", 0, text, size);
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
