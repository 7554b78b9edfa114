/* Fences, which the thread sanitizer does not follow: a variant that has one is linked so that each
 * of its atomic operations has the strongest order (runner/follow.c). */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include "harness/build/internal.h"

#define FOLLOWED "runner_fences_followed" /* a symbol of a runner that is linked so */

/* What compilers make of a fence: of C's, and clang of OpenMP's. */
static const char *const fences[] = {"__tsan_atomic_thread_fence", "__kmpc_flush"};

static const char *const kinds[] = {"load",
                                    "store",
                                    "exchange",
                                    "fetch_add",
                                    "fetch_sub",
                                    "fetch_and",
                                    "fetch_or",
                                    "fetch_xor",
                                    "fetch_nand",
                                    "compare_exchange_strong",
                                    "compare_exchange_weak",
                                    "compare_exchange_val"};

static void add_wraps(const char *object, struct command_line *w)
{
    bool any = false;
    for (size_t i = 0; i < sizeof fences / sizeof *fences; i++)
        any |= object_names(object, fences[i]);
    for (size_t k = 0; any && k < sizeof kinds / sizeof *kinds; k++)
        command_add_printf(w,
                           "-Wl,--wrap=__tsan_atomic8_%s,--wrap=__tsan_atomic16_%s,"
                           "--wrap=__tsan_atomic32_%s,--wrap=__tsan_atomic64_%s",
                           kinds[k], kinds[k], kinds[k], kinds[k]);
    if (any)
        command_add(w, "-Wl,--defsym=" FOLLOWED "=0");
}

void building_parts(const struct building *b, struct command_line *w)
{
    char *object = hpc_printf("%s/object.o", b->stage);
    for (const char *const *p = b->tools->parts; *p; p++)
        command_add_printf(w, "%s/%s", b->spec->root, *p);
    if (b->spec->kind == BUILD_THREADS)
        add_wraps(object, w);
    command_add(w, "object.o");
    command_add_text(w, b->spec->libraries ? b->spec->libraries : "");
    free(object);
}

bool building_fenced(const char *runner)
{
    FILE *f = fopen(runner, "re");
    struct stat st;
    bool found = false;
    void *bytes = f && fstat(fileno(f), &st) == 0 && st.st_size > 0
                      ? mmap(NULL, (size_t)st.st_size, PROT_READ, MAP_PRIVATE, fileno(f), 0)
                      : MAP_FAILED;
    if (bytes != MAP_FAILED) {
        found = memmem(bytes, (size_t)st.st_size, FOLLOWED, sizeof FOLLOWED) != NULL;
        munmap(bytes, (size_t)st.st_size);
    }
    if (f)
        fclose(f);
    return found;
}
