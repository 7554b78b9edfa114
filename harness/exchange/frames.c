/* Lines and frames of a sanitizer's report. */
#include "harness/exchange/internal.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

void report_trim(char *line)
{
    for (size_t n = strlen(line); n > 0 && isspace((unsigned char)line[n - 1]);)
        line[--n] = '\0';
}

void report_line(const char *p, char *line, size_t size)
{
    p += strspn(p, " \t=");
    snprintf(line, size, "%.*s", (int)strcspn(p, "\n"), p);
    report_trim(line);
}

bool report_place(const char *p, char *place, size_t size)
{
    char line[600], *file;
    report_line(p, line, sizeof line);
    char *colon = strchr(line, ':');
    if (!colon || strstr(line, "runner/") || strstr(line, "libsanitizer"))
        return false;
    for (file = colon; file > line && file[-1] != ' ';)
        file--;
    if (strncmp(file, "./", 2) == 0)
        file += 2;
    const size_t digits = strspn(colon + 1, "0123456789");
    if (*file == '/' || *file == '(' || strncmp(file, "../", 3) == 0 || digits == 0)
        return false; /* a library's */
    snprintf(place, size, "%.*s", (int)(colon + 1 + digits - file), file);
    return true;
}

void report_frame(const char *p, const char *end, char *place, size_t size)
{
    char one[300];
    place[0] = '\0';
    for (; (p = strstr(p, "    #")) != NULL && (!end || p < end); p += 5) {
        if (!report_place(p, one, sizeof one))
            continue;
        const bool header = strstr(one, ".h:") != NULL;
        if (!header || !place[0])
            snprintf(place, size, "%s", one);
        if (!header)
            return;
    }
}
