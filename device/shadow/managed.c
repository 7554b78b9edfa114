/* Managed memory that nobody wrote. The compiler tells of what the program itself writes, not of
 * what the C library does (scanf, fread): but the memory is zeros at first, so that a byte which is
 * none, where nobody was seen, has such a writer. */
#include "device/shadow/shadow.h"

enum { KNOWN = 64 };

/* Regions that had none when a kernel of this launch asked first. */
static struct {
    uintptr_t base;
    uint32_t launch;
} known[KNOWN];

static bool has_unseen(const struct dev_region *r)
{
    const struct space *s = &check_now.global;
    const uintptr_t base = (uintptr_t)r->base;
    for (size_t i = 0; i < r->bytes; i++) {
        const uintptr_t p = base + i;
        const uint8_t state = s->state[(p - s->base) / GRANULE];
        if ((state & STATE_WRITTEN) == STATE_WRITTEN)
            i += GRANULE - 1 - p % GRANULE;
        else if (!(state >> p % GRANULE & 1) && *(const char *)p)
            return true;
    }
    return false;
}

bool check_managed_unseen(const struct dev_region *r)
{
    const uintptr_t base = (uintptr_t)r->base;
    const size_t k = base / 256 % KNOWN;
    const uint32_t launch = check_now.launch ? check_now.launch_first : 0;
    if (launch && known[k].base == base && known[k].launch == launch)
        return false;
    if (has_unseen(r))
        return true;
    known[k].base = base;
    known[k].launch = launch;
    return false;
}
