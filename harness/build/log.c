/* The line of a compiler's output that a student should read first. */
#include "harness/build/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

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

void first_error(const char *log, char *reason, size_t reason_size)
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
        return;
    }
    size_t end = strlen(log);
    while (end > 0 && isspace((unsigned char)log[end - 1]))
        end--;
    size_t begin = end;
    while (begin > 0 && log[begin - 1] != '\n')
        begin--;
    copy_line(log + begin, end - begin, reason, reason_size);
}
