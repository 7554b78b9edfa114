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

/* ", element 19, where the last one is 18" of an array of `bytes`, by an access of `size` bytes
 * that many bytes from its begin, where both are numbers; else empty. */
static const char *element_words(long at, long size, long bytes, char *text, size_t room)
{
    text[0] = '\0';
    if ((size == 2 || size == 4 || size == 8) && at % size == 0 && bytes % size == 0 && bytes > 0)
        snprintf(text, room, "element %ld, where the %s one is %ld", at / size,
                 at < 0 ? "first" : "last", at < 0 ? 0 : bytes / size - 1);
    return text;
}

/* The bytes that an access is of, and whether it writes; 0 where the report does not say. */
static long access_of(const char *report, bool *writes)
{
    char line[200];
    const char *access = strchr(report, '\n');
    report_line(access ? access + 1 : "", line, sizeof line);
    const char *size = strstr(line, " of size ");
    *writes = line[0] == 'W';
    return size ? strtol(size + 9, NULL, 10) : 0;
}

/* How far from an array's begin, and of how many bytes it is, by "0x.. is located 8 bytes after
 * 40-byte region" or ".. after global variable 'g' .. of size 40"; false where it says neither. */
static bool located(const char *report, const char **region, long *at, long *bytes)
{
    const char *p = strstr(report, " is located "), *end = p ? strchr(p, '\n') : NULL;
    long away;
    if (!end || sscanf(p, " is located %20ld bytes", &away) != 1)
        return false;
    const char *number = memmem(p, (size_t)(end - p), "-byte region", 12);
    const char *global = memmem(p, (size_t)(end - p), " of size ", 9);
    *region = number;
    while (number && number > p && isdigit((unsigned char)number[-1]))
        number--;
    if (!number && !global)
        return false;
    *bytes = strtol(number ? number : global + 9, NULL, 10);
    const size_t words = (size_t)((number ? number : global) - p);
    const bool before = memmem(p, words, " before ", 8) || memmem(p, words, " left of ", 9);
    const bool behind = memmem(p, words, " after ", 7) || memmem(p, words, " right of ", 10);
    *at = before ? -away : *bytes + away;
    return before || behind;
}

/* A local array by "[48, 88) 'h' (line 5) <== Memory access at offset 104 overflows this variable",
 * or a global one. */
static void beside_variable(const char *report, char *text, size_t size)
{
    char element[80], name[60] = "";
    const char *region, *mark = strstr(report, " <== Memory access at offset ");
    long at, bytes, begin, end;
    bool writes;
    const long of = access_of(report, &writes);
    text[0] = '\0';
    if (mark) {
        const char *p = mark;
        while (p > report && p[-1] != '\n')
            p--;
        if (sscanf(p, " [%20ld, %20ld) '%59[^']'", &begin, &end, name) != 3)
            return;
        at = strtol(mark + strlen(" <== Memory access at offset "), NULL, 10) - begin;
        bytes = end - begin;
    } else {
        const char *global = strstr(report, " global variable '");
        if (!global || !located(report, &region, &at, &bytes) ||
            sscanf(global, " global variable '%59[^']'", name) != 1)
            return;
    }
    if (*element_words(at, of, bytes, element, sizeof element))
        text_fit(text, size, ": it %s %s's %s", writes ? "writes" : "reads", name, element);
}

void beside_block(const char *report, char *text, size_t size)
{
    char place[300], element[80];
    const char *region;
    long at, bytes;
    bool writes;
    const long of = access_of(report, &writes);
    beside_variable(report, text, size);
    if (*text || of == 0 || !located(report, &region, &at, &bytes) || !region)
        return;
    const char *given = strstr(region, "allocated by ");
    if (!given)
        return;
    report_frame(given, NULL, place, sizeof place);
    element_words(at, of, bytes, element, sizeof element);
    text_fit(text, size, ": it %s %ld bytes, %ld %s of %ld bytes allocated%s%s%s%s",
             writes ? "writes" : "reads", of, at < 0 ? -at : at - bytes,
             at < 0 ? "before the begin" : "behind the end", bytes, place[0] ? " at " : "", place,
             *element ? ": " : "", element);
}
