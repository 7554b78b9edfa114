#define _GNU_SOURCE
#include "common/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/defence.h"

/* The code point at p, UTF-8, and its bytes into *length; 0 and one byte where there is none. */
static unsigned code_point(const unsigned char *p, size_t *length)
{
    static const unsigned least[] = {0, 0, 0x80, 0x800, 0x10000};
    const size_t n = *p < 0x80   ? 1
                     : *p < 0xc0 ? 0
                     : *p < 0xe0 ? 2
                     : *p < 0xf0 ? 3
                     : *p < 0xf8 ? 4
                                 : 0;
    unsigned code = n == 1 ? *p : *p & (0x7fu >> n);
    *length = 1;
    for (size_t i = 1; i < n; i++) {
        if ((p[i] & 0xc0) != 0x80)
            return 0;
        code = code << 6 | (p[i] & 0x3fu);
    }
    if (n == 0 || code < least[n] || code > 0x10ffff || (code >= 0xd800 && code < 0xe000))
        return 0;
    *length = n;
    return code;
}

/* What a terminal or a reader of texts obeys: control characters, marks that are not seen or turn
 * the direction, ends of lines. */
static bool is_obeyed(unsigned code)
{
    static const unsigned ranges[][2] = {{0, 0x1f},        {0x7f, 0x9f},      {0xad, 0xad},
                                         {0x61c, 0x61c},   {0x180e, 0x180e},  {0x200b, 0x200f},
                                         {0x2028, 0x202e}, {0x2060, 0x206f},  {0xfeff, 0xfeff},
                                         {0xfff9, 0xfffb}, {0xe0000, 0xe0fff}};
    for (size_t i = 0; i < sizeof ranges / sizeof *ranges; i++)
        if (code >= ranges[i][0] && code <= ranges[i][1])
            return true;
    return false;
}

void hpc_harmless(char *text)
{
    size_t length;
    if (DEFENCE(clean))
        for (unsigned char *p = (unsigned char *)text; *p; p += length)
            if (is_obeyed(code_point(p, &length)))
                memset(p, '?', length);
}

static bool fail(struct hpc_error *err, enum hpc_exit status, const char *format, va_list args)
{
    if (err) {
        err->status = status;
        vsnprintf(err->text, sizeof err->text, format, args);
        hpc_harmless(err->text);
    }
    return false;
}

bool hpc_fail(struct hpc_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(err, HPC_EXIT_USAGE, format, args);
    va_end(args);
    return false;
}

bool hpc_fail_env(struct hpc_error *err, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    fail(err, HPC_EXIT_ENVIRONMENT, format, args);
    va_end(args);
    return false;
}

int hpc_report(const struct hpc_error *err)
{
    fprintf(stderr, "hpclab: %s\n", err->text);
    return err->status;
}

static void *checked(void *p)
{
    if (!p) {
        fprintf(stderr, "hpclab: out of memory\n");
        exit(HPC_EXIT_ENVIRONMENT);
    }
    return p;
}

void *hpc_malloc(unsigned long bytes)
{
    return checked(malloc(bytes ? bytes : 1));
}

void *hpc_calloc(unsigned long count, unsigned long bytes)
{
    return checked(calloc(count ? count : 1, bytes ? bytes : 1));
}

void *hpc_realloc(void *p, unsigned long bytes)
{
    return checked(realloc(p, bytes ? bytes : 1));
}

char *hpc_strdup(const char *s)
{
    return checked(strdup(s));
}

char *hpc_printf(const char *format, ...)
{
    char *text = NULL;
    va_list args;
    va_start(args, format);
    int n = vasprintf(&text, format, args);
    va_end(args);
    return checked(n < 0 ? NULL : text);
}

void hpc_assert_failed(const char *expression, const char *file, int line)
{
    fprintf(stderr, "%s:%d: broken contract: %s\n", file, line, expression);
    abort();
}
