/* Pieces of the language: lists, types and values. */
#define _GNU_SOURCE
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/ir/internal.h"

struct part part_trimmed(struct part p)
{
    while (p.begin < p.end && *p.begin == ' ')
        p.begin++;
    while (p.end > p.begin && p.end[-1] == ' ')
        p.end--;
    return p;
}

const char *behind_one(const char *p, const char *end)
{
    int depth = 0;
    do {
        if (*p == '"')
            for (p++; p < end && *p != '"';)
                p++;
        else
            depth += (strchr("([{<", *p) != NULL) - (strchr(")]}>", *p) != NULL);
        p += p < end;
    } while (p < end && depth > 0);
    return p;
}

struct part part_next(struct part *p)
{
    const char *q = p->begin;
    while (q < p->end && *q != ',')
        q = behind_one(q, p->end);
    const struct part found = part_trimmed((struct part){p->begin, q});
    p->begin = q + (q < p->end);
    return found;
}

struct part type_of(struct part p)
{
    const char *q = p.begin;
    if (q < p.end && strchr("<[{", *q))
        q = behind_one(q, p.end);
    else
        while (q < p.end && !strchr(" *,()", *q))
            q = behind_one(q, p.end);
    for (;;) {
        const struct part rest = {q, p.end};
        if (q < p.end && *q == '*')
            q++;
        else if (part_begins(rest, " addrspace(") || part_begins(rest, " ("))
            q = behind_one(memchr(q, '(', (size_t)(p.end - q)), p.end);
        else
            return (struct part){p.begin, q};
    }
}

bool is_pointer(struct part type)
{
    return type.end > type.begin && (type.end[-1] == '*' || part_begins(type, "ptr"));
}

int lanes_of(struct part type, struct part *lane)
{
    int n = 0, behind = 0;
    if (part_begins(type, "<") && sscanf(type.begin, "<%d x %n", &n, &behind) == 1 && behind > 0)
        *lane = (struct part){type.begin + behind, type.end - 1};
    return behind > 0 ? n : 0;
}

struct part value_of(struct part p)
{
    static const char *const constants[] = {
        "bitcast", "getelementptr", "inttoptr", "addrspacecast",   "select",
        "null",    "undef",         "poison",   "zeroinitializer", "<"};
    bool found = false;
    for (p.begin = type_of(p).end; p.begin < p.end && !found;) {
        p = part_trimmed(p);
        const char *end = p.begin;
        while (end < p.end && *end != ' ')
            end = behind_one(end, p.end);
        found = p.begin < p.end && strchr("%@", *p.begin);
        if (found) /* a name: what follows is no more of it */
            return (struct part){p.begin, end};
        for (size_t i = 0; !found && i < sizeof constants / sizeof *constants; i++)
            found = part_begins(p, constants[i]);
        p.begin = found ? p.begin : end;
    }
    for (const char *q = p.begin; q < p.end; q = behind_one(q, p.end))
        if (*q == '(') /* nor behind what a constant is made of */
            p.end = behind_one(q, p.end);
    return p;
}

int bytes_of(struct part type)
{
    static const struct {
        const char *name;
        int bytes;
    } known[] = {{"half", 2},      {"bfloat", 2}, {"float", 4},   {"double", 8},
                 {"x86_fp80", 10}, {"fp128", 16}, {"x86_mmx", 8}, {"ptr", 8}};
    struct part lane = type;
    const int lanes = lanes_of(type, &lane);
    int bits = 0;
    if (lane.end[-1] == '*')
        bits = 64;
    else if (part_begins(lane, "i") && isdigit((unsigned char)lane.begin[1]))
        bits = atoi(lane.begin + 1);
    for (size_t i = 0; bits == 0 && i < sizeof known / sizeof *known; i++)
        if (part_begins(lane, known[i].name))
            bits = 8 * known[i].bytes;
    return ((lanes ? lanes : 1) * bits + 7) / 8;
}
