#define _GNU_SOURCE
#include "common/error.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/defence.h"

void hpc_harmless(char *text)
{
    for (unsigned char *p = (unsigned char *)text; *p && DEFENCE(clean); p++)
        if (*p < 0x20 || *p == 0x7f)
            *p = '?';
        else if (*p == 0xc2 && p[1] >= 0x80 && p[1] < 0xa0)
            p[0] = p[1] = '?'; /* control characters again, in UTF-8 */
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
