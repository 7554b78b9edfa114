/* Symbols: the rewriter leaves a record of each in the section hpc_symbols, which the linker
 * bounds. */
#include "device/runtime/symbols.h"

#include <pthread.h>
#include <string.h>

#include "device/runtime/internal.h"
#include "device/runtime/mode.h"

extern const struct dev_symbol __start_hpc_symbols[] __attribute__((weak));
extern const struct dev_symbol __stop_hpc_symbols[] __attribute__((weak));

const struct dev_symbol *symbol_of(const void *p)
{
    for (const struct dev_symbol *s = __start_hpc_symbols; s < __stop_hpc_symbols; s++)
        if ((const char *)p >= s->base && (const char *)p < s->base + s->bytes)
            return s;
    return NULL;
}

void symbols_known(void)
{
#ifdef DEV_CHECK
    for (const struct dev_symbol *s = __start_hpc_symbols; s < __stop_hpc_symbols; s++) {
        struct dev_region region = {.kind = s->kind,
                                    .name = s->name,
                                    .file = s->file,
                                    .line = s->line,
                                    .base = s->base,
                                    .bytes = s->bytes};
        check_region_added(&region);
        check_written(s->base, s->bytes); /* its initialiser, or zeros */
    }
#endif
}
