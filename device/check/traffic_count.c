/* What a request costs: sectors of global memory, passes of shared memory. */
#include "device/check/traffic.h"

enum { SECTOR = 32, BANKS = 32, WORD = 4 };

/* Adds v to a set of n; whether it was new. */
static bool add(uintptr_t *set, unsigned *n, uintptr_t v)
{
    /* Neighbouring lanes touch neighbouring sectors: the last one first. */
    for (unsigned i = *n; i-- > 0;)
        if (set[i] == v)
            return false;
    set[(*n)++] = v;
    return true;
}

/* Distinct units of `size` bytes. */
static unsigned count_distinct(const uintptr_t *p, unsigned n, unsigned bytes, unsigned size)
{
    uintptr_t set[WARP * 4]; /* 16 bytes at an address of their own alignment: at most 4 words */
    unsigned count = 0;
    for (unsigned i = 0; i < n; i++)
        for (uintptr_t u = p[i] / size; u <= (p[i] + bytes - 1) / size; u++)
            add(set, &count, u);
    return count;
}

unsigned count_sectors(const uintptr_t *p, unsigned n, unsigned bytes)
{
    return count_distinct(p, n, bytes, SECTOR);
}

unsigned count_extra_words(const uintptr_t *p, unsigned n, unsigned bytes)
{
    unsigned words = count_distinct(p, n, bytes, WORD);
    unsigned fewest = bytes > WORD ? bytes / WORD : 1;
    return words > fewest ? words - fewest : 0;
}

/* A pass reads one word of each bank, for all lanes that want it. 32 lanes of up to 4 bytes go
 * together, of 8 bytes in halves, of 16 in quarters of the warp. */
unsigned count_conflicts(const uintptr_t *p, const uint8_t *lanes, unsigned n, unsigned bytes)
{
    unsigned together = bytes <= WORD ? WARP : WARP * WORD / bytes, extra = 0;
    for (unsigned i = 0; i < n;) {
        unsigned part = lanes[i] / together, most = 0;
        uintptr_t set[BANKS][WARP];
        unsigned count[BANKS] = {0};
        for (; i < n && lanes[i] / together == part; i++)
            for (uintptr_t w = p[i] / WORD; w <= (p[i] + bytes - 1) / WORD; w++) {
                unsigned *c = &count[w % BANKS];
                if (add(set[w % BANKS], c, w) && *c > most)
                    most = *c;
            }
        extra += most - 1;
    }
    return extra;
}
