/* What stands under all other files: who runs, settings, and the end where the machine fails. */
#define _GNU_SOURCE
#include <sched.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>
#include <unistd.h>

#include "device/runtime/runtime.h"

__thread struct dev_worker *dev_self __attribute__((tls_model("initial-exec")));
__thread bool dev_in_kernel __attribute__((tls_model("initial-exec")));

static void say(const char *before, const char *format, va_list args)
{
    fflush(stdout);
    fprintf(stderr, "hpclab: %s", before);
    vfprintf(stderr, format, args);
    fputc('\n', stderr);
}

void dev_die(const char *format, ...)
{
    va_list args;
    va_start(args, format);
    say("", format, args);
    va_end(args);
    _exit(3);
}

void dev_refuse_at(struct dev_site site, const char *format, ...)
{
    char before[4200];
    va_list args;
    snprintf(before, sizeof before, "%.4096s:%d: not supported: ", site.file, site.line);
    va_start(args, format);
    say(before, format, args);
    va_end(args);
    _exit(DEV_EXIT_REFUSED);
}

double dev_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

size_t dev_setting(const char *name, size_t otherwise)
{
    const char *text = getenv(name);
    char *end;
    long long value = text ? strtoll(text, &end, 10) : 0;
    return text && *end == '\0' && value > 0 ? (size_t)value : otherwise;
}

int dev_processors(void)
{
    cpu_set_t set;
    return sched_getaffinity(0, sizeof set, &set) == 0 ? CPU_COUNT(&set) : 1;
}
