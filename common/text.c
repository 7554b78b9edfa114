#include "common/text.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/error.h"

#define LEAST_ROOM 64

static void make_room(struct text *t, size_t more)
{
    size_t room = t->room ? t->room : LEAST_ROOM;
    while (room < t->length + more + 1)
        room *= 2;
    if (room == t->room)
        return;
    t->s = hpc_realloc(t->s, room);
    t->room = room;
}

void text_vadd(struct text *t, const char *format, va_list args)
{
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    HPC_ASSERT(n >= 0);
    make_room(t, (size_t)n);
    vsnprintf(t->s + t->length, (size_t)n + 1, format, again);
    t->length += (size_t)n;
    va_end(again);
}

void text_add(struct text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    text_vadd(t, format, args);
    va_end(args);
}

void text_list(struct text *t, const char *between, const char *word)
{
    text_add(t, "%s%s", t->length ? between : "", word);
}

const char *text_string(const struct text *t)
{
    return t->s ? t->s : "";
}

char *text_take(struct text *t)
{
    char *s = t->s ? t->s : hpc_strdup("");
    *t = (struct text){0};
    return s;
}

void text_free(struct text *t)
{
    free(t->s);
    *t = (struct text){0};
}

bool text_vfit(char *to, size_t size, const char *format, va_list args)
{
    struct text t = {0};
    HPC_ASSERT(size >= sizeof "..x");
    text_vadd(&t, format, args);
    size_t n = t.length;
    if (n >= size) {
        n = size - sizeof "..";
        while (n > 0 && ((unsigned char)t.s[n] & 0xc0) == 0x80)
            n--; /* the middle of a character */
        strcpy(t.s + n, "..");
        n += 2;
    }
    bool whole = n == t.length;
    memcpy(to, t.s, n + 1);
    text_free(&t);
    return whole;
}

bool text_fit(char *to, size_t size, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    bool whole = text_vfit(to, size, format, args);
    va_end(args);
    return whole;
}

const char *text_differ(char to[TEXT_DIFFER], double got, double want, int digits)
{
    enum { EXACT = 17 };
    char g[32], w[32];
    do {
        snprintf(g, sizeof g, "%.*g", digits, got);
        snprintf(w, sizeof w, "%.*g", digits, want);
    } while (got != want && strcmp(g, w) == 0 && digits++ < EXACT);
    snprintf(to, TEXT_DIFFER, "%s, should be %s", g, w);
    return to;
}
