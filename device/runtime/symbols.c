/* Symbols: the rewriter leaves a record of each in the section hpc_symbols, which the linker
 * bounds. */
#include "device/runtime/symbols.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

#include "device/runtime/runtime.h"
#include "device/runtime/mode.h"

extern const struct dev_symbol __start_hpc_symbols[] __attribute__((weak));
extern const struct dev_symbol __stop_hpc_symbols[] __attribute__((weak));

static size_t symbol_count(void)
{
    /* cppcheck-suppress comparePointers ; both ends of one section */
    return (size_t)(__stop_hpc_symbols - __start_hpc_symbols);
}

const struct dev_symbol *dev_symbol_of(const void *p)
{
    for (size_t i = 0; i < symbol_count(); i++) {
        const struct dev_symbol *s = &__start_hpc_symbols[i];
        if ((const char *)p >= s->base && (const char *)p < s->base + s->bytes)
            return s;
    }
    return NULL;
}

/* The symbols whose address on the device somebody asked for, a byte each: here it is the one on
 * the host, which on a GPU points to something else. */
static _Atomic unsigned char *asked;
static pthread_once_t asked_once = PTHREAD_ONCE_INIT;

static void make_asked(void)
{
    asked = calloc(symbol_count() + 1, sizeof *asked);
}

void dev_symbol_asked(const struct dev_symbol *s)
{
    pthread_once(&asked_once, make_asked);
    if (asked)
        atomic_store(&asked[s - __start_hpc_symbols], 1);
}

bool dev_symbol_is_hosts(const struct dev_symbol *s)
{
    pthread_once(&asked_once, make_asked);
    return s->kind != DEV_MANAGED && asked && !atomic_load(&asked[s - __start_hpc_symbols]);
}

void dev_symbols_known(void)
{
#ifdef DEV_CHECK
    for (size_t i = 0; i < symbol_count(); i++) {
        const struct dev_symbol *s = &__start_hpc_symbols[i];
        struct dev_region region = {.kind = s->kind,
                                    .name = s->name,
                                    .file = s->file,
                                    .line = s->line,
                                    .base = s->base,
                                    .bytes = s->bytes,
                                    .element = s->shape.element};
        memcpy(region.extent, s->shape.extent, sizeof region.extent);
        check_region_added(&region);
        check_written(s->base, s->bytes); /* its initialiser, or zeros */
        if (s->kind == DEV_CONSTANT)
            check_constant_empty(s->base, s->bytes);
    }
#endif
}
