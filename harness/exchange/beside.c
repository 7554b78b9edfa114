/* What a report of the address sanitizer says of an access beside some memory: a block of the
 * heap's; an input or output, by the lines that the runner prints before (runner/arrays.h). */
#define _GNU_SOURCE
#include "harness/exchange/internal.h"
#include "common/op.h"
#include "common/text.h"

#include <ctype.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct laid {
    char name[16];
    uintmax_t at, bytes;
    unsigned type;
};

/* The array that `address` is in, or else nearest to; false where none is within two pages. */
static bool nearest(const char *output, uintmax_t address, struct laid *found)
{
    uintmax_t least = 2 * (uintmax_t)HPC_PAGE;
    for (const char *p = output; (p = strstr(p, HPC_LAID)) != NULL;) {
        struct laid one;
        p += strlen(HPC_LAID);
        if (sscanf(p, "%15s %jx %ju %u", one.name, &one.at, &one.bytes, &one.type) != 4 ||
            hpc_type_bytes((enum hpc_type)one.type) == 0)
            continue;
        const uintmax_t away = address < one.at               ? one.at - address
                               : address < one.at + one.bytes ? 0
                                                              : address - one.at - one.bytes;
        if (away >= least)
            continue;
        least = away;
        *found = one;
    }
    return least < 2 * (uintmax_t)HPC_PAGE;
}

/* element, rounded down, of the array whose elements have `size` bytes */
static intmax_t element(const struct laid *a, uintmax_t address, size_t size)
{
    return address >= a->at ? (intmax_t)((address - a->at) / size)
                            : -(intmax_t)((a->at - address + size - 1) / size);
}

void beside_array(const char *output, const char *report, char *text, size_t size)
{
    struct laid a;
    const char *address = strstr(report, " address 0x");
    const char *access = strchr(report, '\n');
    text[0] = '\0';
    if (!address || !access ||
        !nearest(output, strtoumax(address + strlen(" address "), NULL, 16), &a))
        return;
    const uintmax_t at = strtoumax(address + strlen(" address "), NULL, 16);
    const size_t bytes = hpc_type_bytes((enum hpc_type)a.type);
    const intmax_t i = element(&a, at, bytes), n = (intmax_t)(a.bytes / bytes);
    const bool writes =
        strncmp(access + 1, "WRITE ", 6) == 0 || strstr(report, " caused by a WRITE ") != NULL;
    if (i >= 0 && i < n)
        text_fit(text, size, ": it %s %s[%jd], an input%s", writes ? "writes" : "reads", a.name, i,
                 writes ? ", where nothing can be written" : "");
    else if (n == 0)
        text_fit(text, size, ": it %s %s[%jd], where %s has no elements",
                 writes ? "writes" : "reads", a.name, i, a.name);
    else
        text_fit(text, size, ": it %s %s[%jd], %s %s[%jd]", writes ? "writes" : "reads", a.name, i,
                 i < 0 ? "before the first element," : "behind the last element,", a.name,
                 i < 0 ? 0 : n - 1);
}

void beside_block(const char *report, char *text, size_t size)
{
    char line[200], place[300];
    long away, bytes;
    const char *access = strchr(report, '\n'), *located = strstr(report, " is located ");
    text[0] = '\0';
    if (!access || !located || sscanf(located, " is located %20ld bytes", &away) != 1)
        return;
    report_line(access + 1, line, sizeof line);
    const char *of_size = strstr(line, " of size "), *region = strstr(located, "-byte region");
    const char *given = region ? strstr(region, "allocated by ") : NULL;
    const bool behind = region && (memmem(located, (size_t)(region - located), " after ", 7) ||
                                   memmem(located, (size_t)(region - located), " right of ", 10));
    while (region && region > located && isdigit((unsigned char)region[-1]))
        region--;
    if (!of_size || !behind || !given || sscanf(region, "%20ld", &bytes) != 1)
        return;
    report_frame(given, NULL, place, sizeof place);
    text_fit(text, size, ": it %s %ld bytes, %ld behind the end of %ld bytes allocated%s%s",
             line[0] == 'W' ? "writes" : "reads", strtol(of_size + 9, NULL, 10), away, bytes,
             place[0] ? " at " : "", place);
}
