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

static size_t in_section(void)
{
    /* cppcheck-suppress comparePointers ; both ends of one section */
    return (size_t)(__stop_hpc_symbols - __start_hpc_symbols);
}

/* Those of templates, which no section can hold: each adds itself before main. */
static const struct dev_symbol **added;
static size_t n_added;

static size_t symbol_count(void)
{
    return in_section() + n_added;
}

static const struct dev_symbol *symbol_at(size_t i)
{
    return i < in_section() ? &__start_hpc_symbols[i] : added[i - in_section()];
}

/* The number of the variable that p points into, or the count. */
static size_t number_of(const void *p)
{
    size_t i = 0;
    for (; i < symbol_count(); i++) {
        const struct dev_symbol *s = symbol_at(i);
        if ((const char *)p >= s->base && (const char *)p < s->base + s->bytes)
            break;
    }
    return i;
}

const struct dev_symbol *dev_symbol_of(const void *p)
{
    const size_t i = number_of(p);
    return i < symbol_count() ? symbol_at(i) : NULL;
}

/* The symbols whose address on the device somebody asked for, or that a kernel stores, a byte
 * each: here it is the one on the host, which on a GPU points to something else. */
static _Atomic unsigned char *asked;
static size_t asked_room;
static pthread_once_t asked_once = PTHREAD_ONCE_INIT;

static void make_asked(void)
{
    asked_room = symbol_count() + 1; /* before main, more may come */
    asked = calloc(asked_room, sizeof *asked);
}

void dev_symbol_asked(const struct dev_symbol *s)
{
    pthread_once(&asked_once, make_asked);
    const size_t i = number_of(s->base);
    if (asked && i < asked_room)
        atomic_store(&asked[i], 1);
}

void dev_symbol_taken(const void *p)
{
    const struct dev_symbol *s = dev_symbol_of(p);
    if (s)
        dev_symbol_asked(s);
}

bool dev_symbol_is_hosts(const struct dev_symbol *s)
{
    pthread_once(&asked_once, make_asked);
    const size_t i = number_of(s->base);
    return s->kind != DEV_MANAGED && asked && i < asked_room && !atomic_load(&asked[i]);
}

#ifdef DEV_CHECK
static bool all_known;

static void symbol_known(const struct dev_symbol *s)
{
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

/* As ptxas refuses a file whose __constant__ variables have more together, those of its headers
 * too. */
static void constants_fit(void)
{
    for (size_t i = 0; i < symbol_count(); i++) {
        const struct dev_symbol *one = symbol_at(i);
        size_t bytes = 0;
        for (size_t j = 0; j < symbol_count() && one->kind == DEV_CONSTANT; j++) {
            const struct dev_symbol *s = symbol_at(j);
            if (s->kind == DEV_CONSTANT && s->unit == one->unit)
                bytes += s->bytes;
        }
        if (bytes > DEV_MOST_CONSTANT)
            dev_die("%s:%d: the __constant__ variables of this file and its headers have %zu "
                    "bytes, of the %d that "
                    "a GPU has",
                    one->file, one->line, bytes, DEV_MOST_CONSTANT);
    }
}

void dev_symbols_known(void)
{
    constants_fit();
#ifdef DEV_CHECK
    for (size_t i = 0; i < symbol_count(); i++)
        symbol_known(symbol_at(i));
    all_known = true;
#endif
}

int dev_symbol_add(const struct dev_symbol *s)
{
    const struct dev_symbol **grown = realloc(added, (n_added + 1) * sizeof *added);
    if (!grown)
        dev_die("out of memory");
    added = grown;
    added[n_added++] = s;
    MODE_CHECK(all_known ? symbol_known(s) : (void)0);
    return 1;
}

void dev_static(struct dev_static_variable *variable, char *base, size_t bytes,
                struct dev_shape shape)
{
    struct dev_symbol *s = &variable->symbol;
    s->base = base;
    s->bytes = bytes;
    s->shape = shape;
    variable->known = true;
    MODE_CHECK(symbol_known(s));
}
