/* The guards of the host's heap as accesses meet them: a bit for each byte of the address space, in
 * chunks that are there where any bit of them was ever set. */
#ifndef HPC_DEVICE_SHADOW_GUARDS_H
#define HPC_DEVICE_SHADOW_GUARDS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "device/runtime/guards.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GUARD_ADDRESS = 48, GUARD_CHUNK = 26, GUARD_CHUNKS = 1 << (GUARD_ADDRESS - GUARD_CHUNK) };
extern uint64_t *check_guard_chunks[GUARD_CHUNKS];

/* Whether an access of at most 16 bytes, which divide p, is in a guard. */
static inline bool guards_met(uintptr_t p, unsigned bytes)
{
    const uint64_t *chunk =
        p >> GUARD_ADDRESS
            ? NULL
            : __atomic_load_n(&check_guard_chunks[p >> GUARD_CHUNK], __ATOMIC_RELAXED);
    if (__builtin_expect(!chunk, 1))
        return false;
    const uint64_t word =
        __atomic_load_n(&chunk[(p & ((1u << GUARD_CHUNK) - 1)) / 64], __ATOMIC_RELAXED);
    return word >> p % 64 & ((1u << bytes) - 1);
}

/* The first byte of [p, end) in a guard, or end. */
uintptr_t check_guard_first(uintptr_t p, uintptr_t end);

/* The block that a guarded byte lies beside, and who asked for it. False: its name is overwritten.
 * `told`: something is told of this block, so that it is not broken at its end, too. */
struct guarded {
    uintptr_t p;
    size_t bytes;
    const void *from;
};
bool check_guard_block(uintptr_t byte, bool told, struct guarded *block);
/* All blocks that are there still; and what is said of one that nobody freed. */
void check_guards_left(void (*tell)(const struct guarded *block));
void check_block_left(const struct guarded *block);

#ifdef __cplusplus
}
#endif
#endif
