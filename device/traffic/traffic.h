/* The traffic model: what a GPU's warps would ask of memory, from the stream of accesses.
 *
 * A request is one instruction of a warp. Since threads run one after another, the 32 lanes'
 * accesses to a place come far apart; they are put together by their key, which is the place and
 * the rounds of the loops around it (check_path), and by which execution of that key by its lane it
 * is. So lanes that leave an access out in some rounds meet again in those where they do not, as on
 * a GPU, whose lanes wait for one another behind each branch. The first lane of a warp lays out a
 * list of groups in its order of execution; the others, doing the same, find each of their accesses
 * in the next group, at the address that the first two lanes' distance foretells, and need not
 * write it down. A lane that takes another way finds its group by key; lanes whose distances differ
 * have all their addresses kept. When a warp has run (to its end or a barrier) its groups are
 * counted: sectors, bank conflicts, requests, by kernel.
 *
 * Rounds are those of loops in the text of device code. Of a loop made by goto, or of one with a
 * label in it (device/rewrite/rounds.c), the lanes' first accesses are put together, then their
 * second ones; and so are those of a function that is called twice in a row and not inlined.
 *
 * Memory is bounded by MAX_GROUPS a warp. Of a warp with more, the rest is estimated from its first
 * MAX_GROUPS: the same requests, sectors and conflicts per access. */
#ifndef HPC_DEVICE_CHECK_TRAFFIC_H
#define HPC_DEVICE_CHECK_TRAFFIC_H

#include "device/report/report.h"

enum traffic_kind {
    GLOBAL_LOAD,
    GLOBAL_STORE,
    SHARED_LOAD,
    SHARED_STORE,
    CONSTANT_LOAD,
    ATOMIC, /* on global memory */
    SHARED_ATOMIC,
    TRAFFIC_KINDS
};
enum { MAX_GROUPS = 1 << 21 };

/* A kernel's sums. */
struct traffic {
    const char *kernel;
    uint64_t launches, threads;
    uint64_t requests[TRAFFIC_KINDS];
    /* Of 32 bytes (global, atomic on global memory); extra passes (shared); extra words (constant).
     */
    uint64_t units[TRAFFIC_KINDS];
    /* Of these the requests that cost far more than what they ask for would elsewhere, and their
     * units: cheap requests beside them do not make them fewer. */
    uint64_t scattered[TRAFFIC_KINDS], scattered_units[TRAFFIC_KINDS];
};

/* The access is not in the next group, or not where that group has it. */
void check_traffic_slow(uintptr_t p, unsigned bytes, enum traffic_kind kind, uint64_t key);

/* What only the mode that counts traffic does. */
#ifdef DEV_TRAFFIC
#define TRAFFIC(call) call
#else
#define TRAFFIC(call) ((void)0)
#endif

/* Whether the access is in the next group, where that group has it; then it is noted. */
static inline __attribute__((always_inline)) bool traffic_as_expected(uintptr_t p, const void *from)
{
#ifndef DEV_TRAFFIC
    (void)p, (void)from;
    return true;
#endif
    struct group *g = check_now.next_group;
    if (!__builtin_expect(g->key == (uintptr_t)from + check_now.path &&
                              g->base + (uintptr_t)(check_now.lane * g->stride) == p &&
                              !(g->lanes & check_now.lane_bit),
                          1))
        return false;
    g->lanes |= check_now.lane_bit;
    check_now.next_group = g + 1;
    return true;
}

static inline __attribute__((always_inline)) void
traffic_access(uintptr_t p, unsigned bytes, enum traffic_kind kind, const void *from)
{
    if (!traffic_as_expected(p, from))
        check_traffic_slow(p, bytes, kind, (uintptr_t)from + check_now.path);
}

void check_traffic_launch_begin(const struct dev_launch *launch);
/* A copy within the device, or a fill, counts as a launch of no threads by the call's name, of
 * requests for 128 bytes each. */
void check_traffic_moved(const struct dev_copy *copy);
/* All of the block that has not been counted is: at its end, at a barrier. */
void check_traffic_flush(void);
/* A thread is about to run, or goes on. */
void check_traffic_thread(unsigned thread);
void check_traffic_on(bool on);
/* One line a kernel. */
void check_traffic_print(void);
void check_traffic_print_one(const struct traffic *t);
/* The sums of a kernel by name, or NULL: for tests. */
const struct traffic *check_traffic_of(const char *kernel);

/* ---- by line (lines.c), where HPC_DEVICE_LINES is set in the environment ---------------- */

/* The number of the place that a kernel's requests of a kind come from, 0 where nobody wants it. */
uint16_t check_lines_site(const char *kernel, enum traffic_kind kind, uintptr_t from);
/* A request of a warp of the running block cost so many units. */
void check_lines_count(const struct group *g, unsigned units, unsigned warp);
/* One line a line of a kernel and kind, in the order of the source. */
void check_lines_print(const char *kernel);

/* ---- one group (group.c) --------------------------------------------------------------
 */

/* A group of the running lane's access alone. */
void check_group_begin(struct group *g, uintptr_t p, unsigned bytes, enum traffic_kind kind,
                       uint64_t key);
/* The running lane joins a group that does not foretell its address; false where there is no room
 * for the addresses of one more group. */
bool check_group_join(struct group *g, uintptr_t p);
/* The addresses of the lanes that have joined a group; of others whatever. */
void check_group_addresses(const struct group *g, uintptr_t p[WARP]);
/* No group has a list of addresses: all have been counted. */
void check_details_forget(void);

/* ---- keys (keys.c) --------------------------------------------------------------------
 */

/* Groups of a key, in the order of its executions; numbers of groups, 0: none. */
struct key_groups {
    uint64_t key;
    uint32_t run; /* of keys.c */
    uint32_t first, last;
    uint32_t at; /* the group of `lane` that it used last */
    int64_t lane;
};
/* Those of a key; where it has none yet, a new entry, or NULL if none is to be made. */
struct key_groups *check_key_groups(uint64_t key, bool make);
/* No key has any. */
void check_key_groups_forget(void);

/* ---- counting (units.c) ----------------------------------------------------------------
 */

/* Of a request: sectors, extra passes or extra words, by its kind. */
unsigned check_group_units(const struct group *g);
/* Whether a request that costs so many units is scattered: its sectors are more than twice as many
 * as its bytes would touch side by side, or its words lie in one bank. */
bool check_group_scattered(const struct group *g, unsigned units);
/* Distinct 32-byte sectors that n accesses of `bytes` bytes touch. */
unsigned check_count_sectors(const uintptr_t *p, unsigned n, unsigned bytes);
/* Passes that shared memory needs beyond the fewest for such a request; lanes[i] is the lane of
 * p[i], ascending. Addresses are those within the block's shared memory. */
unsigned check_count_conflicts(const uintptr_t *p, const uint8_t *lanes, unsigned n,
                               unsigned bytes);
/* Distinct words of 4 bytes beyond the first: constant memory serves one a pass. */
unsigned check_count_extra_words(const uintptr_t *p, unsigned n, unsigned bytes);

#endif
