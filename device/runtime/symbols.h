/* __device__, __constant__ and __managed__ variables, and what is kept of copies to the host. */
#ifndef HPC_DEVICE_SYMBOLS_H
#define HPC_DEVICE_SYMBOLS_H

#include <stddef.h>

#include "device/runtime/generated.h"

/* The variable that p points into, or NULL. */
const struct dev_symbol *dev_symbol_of(const void *p);
/* cudaGetSymbolAddress gave its address, or a kernel did; and whether nobody has it, so that a
 * pointer to it can only be the variable's address on the host. */
void dev_symbol_asked(const struct dev_symbol *s);
bool dev_symbol_is_hosts(const struct dev_symbol *s);
/* Check mode: tell the checker of all symbols, once. */
void dev_symbols_known(void);

/* Rows were copied to the host: with --schedules, a hash of them is written down. */
void dev_schedule_copied(const void *rows, size_t pitch, size_t width, size_t height,
                         struct dev_site site);

#endif
