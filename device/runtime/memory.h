/* Device memory, inside the runtime. */
#ifndef HPC_DEVICE_MEMORY_H
#define HPC_DEVICE_MEMORY_H

#include <stdbool.h>
#include <stddef.h>

#include "device/runtime/device.h"

struct allocation {
    size_t offset, room, bytes; /* in the arena; room includes the red zones .. */
    size_t zone;                /* .. of so many bytes each */
    enum dev_kind kind;
    bool pinned;
    const char *file; /* of the allocating call */
    int line;
};

/* NULL where there is no room. */
void *dev_memory_allocate(size_t bytes, enum dev_kind kind, struct dev_site site);
bool dev_memory_free(void *p); /* false: not the start of an allocation */
bool dev_memory_find(const void *p, struct allocation *a); /* the allocation that p points into */
char *dev_memory_base(const struct allocation *a);         /* its first byte */
void dev_memory_info(size_t *free_bytes, size_t *total);
void dev_memory_free_all(void);
/* api/registered.c: whether p is in memory of cudaHostRegister. */
bool dev_is_registered(const void *p);

#endif
