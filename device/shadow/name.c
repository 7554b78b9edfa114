/* How reports name pieces of memory. */
#include <stdio.h>
#include <string.h>

#include "device/shadow/shadow.h"

void check_region_name(char *text, size_t size, const struct dev_region *r)
{
    if (r->name)
        snprintf(text, size, "%s", r->name);
    else
        snprintf(text, size, "the allocation of %s:%d", r->file ? r->file : "?", r->line);
}

void check_region_variable(char *text, size_t size, const struct dev_region *r)
{
    char name[160];
    check_region_name(name, sizeof name, r);
    snprintf(text, size, "%s", name + (r->name ? 0 : strlen("the ")));
}

static unsigned dimensions(const struct dev_region *r)
{
    unsigned n = 0;
    while (n < 3 && r->extent[n])
        n++;
    return n;
}

/* "tile[5][3]" of the k-th element. */
static void name_element(char *text, size_t size, const struct dev_region *r, size_t k)
{
    unsigned n = dimensions(r) ? dimensions(r) : 1;
    size_t index[3] = {k};
    for (unsigned d = n - 1; d > 0; d--) {
        index[d] = index[0] % r->extent[d];
        index[0] /= r->extent[d];
    }
    int length = snprintf(text, size, "%s", r->name);
    for (unsigned d = 0; d < n && length >= 0 && (size_t)length < size; d++)
        length += snprintf(text + length, size - (size_t)length, "[%zu]", index[d]);
}

void check_region_name_part(char *text, size_t size, const struct dev_region *r, uintptr_t p,
                            size_t bytes)
{
    char whole[160];
    check_region_name(whole, sizeof whole, r);
    size_t offset = p - (uintptr_t)r->base;
    size_t element = r->element ? r->element : bytes;
    bool one = r->name && r->bytes == element && !r->extent[0];
    if (one && offset == 0)
        snprintf(text, size, "%s", whole);
    else if (!element || offset % element)
        snprintf(text, size, "byte %zu of %s", offset, whole);
    else if (r->name && !strchr(r->name, ' '))
        name_element(text, size, r, offset / element);
    else
        snprintf(text, size, "element %zu of %s", offset / element, whole);
}
