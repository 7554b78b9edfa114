/* The ground of the checker: what is known of each byte (shadow.c, managed.c), which variables and
 * allocations there are (region.c, name.c), what runs now (now.c), and where in the source it
 * stands (place.c).
 *
 * Shadow memory, for every granule of 4 bytes: a state byte (which bytes may be used, which are
 * written) and a cell of 32 bytes (last writer, two readers). Bytes of a granule that different
 * threads use get cells of their own when that happens (device/check/race.c). */
#ifndef HPC_DEVICE_SHADOW_H
#define HPC_DEVICE_SHADOW_H

#include <assert.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifndef DEV_CHECK
#define DEV_CHECK
#endif
#include "device/runtime/device.h"
#include "device/runtime/grid.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { GRANULE = 4, WARP = 32, MAX_BLOCK_THREADS = 1024 };

/* ---- shadow memory (shadow.c) -------------------------------------------------------------- */

/* A granule's state: the low four bits say which bytes were written, the high four which may be
 * used at all. */
enum { STATE_WRITTEN = 0x0F, STATE_USABLE = 0xF0, STATE_ALL = 0xFF };

enum slot { WRITER, READER, READER2, SLOTS };

struct cell {
    uint32_t stamp[SLOTS]; /* 0: nobody yet */
    uint32_t place[SLOTS]; /* low half of the return address */
    uint16_t who[SLOTS];   /* thread of the block << 4 | bytes of the granule, with WHO_ flags */
    uint8_t is_volatile;   /* a bit for each slot with WHO_ATOMIC: a volatile access */
    uint8_t is_scoped;     /* the same: an atomic operation that no other block sees whole */
};
static_assert(sizeof(struct cell) == 32, "two cells a cache line");

/* A bit of is_volatile or is_scoped. */
static inline void cell_bit(uint8_t *bits, enum slot slot, bool set)
{
    *bits = (uint8_t)((*bits & ~(1u << slot)) | (unsigned)set << slot);
}

static inline void cell_move(struct cell *c, enum slot from, enum slot to)
{
    c->stamp[to] = c->stamp[from];
    c->place[to] = c->place[from];
    c->who[to] = c->who[from];
    cell_bit(&c->is_volatile, to, c->is_volatile >> from & 1);
    cell_bit(&c->is_scoped, to, c->is_scoped >> from & 1);
}

#define WHO_ATOMIC      0x8000u
#define WHO_WROTE       0x4000u /* in a reader's slot: an atomic operation that wrote */
#define WHO_FLAGS       0xC000u
#define WHO_THREAD(who) (((who)&0x3FFFu) >> 4)
/* A writer's stamp that says: this granule has cells for each byte, number place[WRITER]. No
 * stamp is as late, so that fast paths leave such a granule to race.c. */
#define STAMP_BYTES UINT32_MAX

struct space {
    uintptr_t base; /* a multiple of GRANULE */
    size_t bytes;
    uint8_t *state;
    struct cell *cells;
};

/* Address space for the shadow of `bytes` at `base`; memory comes when it is touched. */
struct space check_space_reserve(uintptr_t base, size_t bytes);
void check_space_release(struct space *s);
/* Bytes [p, p + bytes) become usable or not, written or not. */
void check_space_set_usable(const struct space *s, uintptr_t p, size_t bytes, bool usable);
void check_space_set_written(const struct space *s, uintptr_t p, size_t bytes, bool written);
/* The first of `bytes` bytes at p without `bit` (1: written, 16: usable) in its state, or bytes. */
size_t check_space_first_without(const struct space *s, uintptr_t p, size_t bytes, unsigned bit);
void check_space_copy_written(const struct space *to, uintptr_t p, const struct space *from,
                              uintptr_t q, size_t bytes);

/* ---- now (now.c) ------------------------------------------------------------------------ */

/* What device/traffic expects of the running lane. */
struct group {
    uint64_t key;
    uintptr_t base; /* the address of lane 0, had it one; see group.c for the odd strides */
    int32_t stride; /* bytes from lane to lane */
    uint32_t lanes; /* those that have come */
    uint32_t next;  /* the next group of the same key, 0: none */
    uint8_t kind, bytes;
    uint16_t site; /* of device/traffic/lines.c, 0: none */
};
static_assert(sizeof(struct group) == 32, "two groups a cache line");

/* check_now.next_group before anything is counted: no access is in it. */
extern struct group check_no_group;

struct check_now {
    struct space global, shared;
    uintptr_t quiet, quiet_made; /* the tag of what is quiet, 0 between launches, and of what
                                    becomes so: another one under the veil, where all accesses are
                                    looked at */
    uintptr_t constant;          /* the __constant__ variable that was read last */
    size_t constant_bytes;
    uint32_t stamp, launch_first, block_first, epoch_first;
    uint32_t ordered_first; /* what has an earlier stamp is ordered: launch_first, or that of a
                               launch on another stream that may run still */
    uint32_t ordered_from, ordered_to; /* but these, of earlier launches that are ordered, too: the
                                          last that race.c looked up */
    uint32_t recent; /* epoch_first, or the last meeting of a warp: accesses since need no look */
    uint16_t who;    /* thread << 4 | 15 */
    uint16_t thread;
    int64_t lane;
    uint32_t lane_bit;
    uint64_t path;            /* check_path() */
    struct group *next_group; /* where this lane's next access is expected */
    uintptr_t symbols;        /* from the first symbol to the last */
    size_t symbol_bytes;
    uintptr_t thread_local_; /* the program's thread_local variables, of the running OS thread */
    size_t thread_local_bytes;
    const struct dev_launch *launch;
    struct dev_worker *worker;
    bool veiled; /* kernels see memory through the veil: device/check/veil.c */
    bool scoped; /* the access is an atomic operation of block scope */
    bool waits;  /* something is told at the end of the running thread's turn */
    bool counts; /* a thread of this launch has counted rounds: paths are not all 0 */
};
extern struct check_now check_now;

/* Granules that any thread of this block may read whole with nothing to find and nothing to note:
 * they are written, by nobody of this launch (shared memory: this epoch), and enough of their
 * readers are on record. A granule leaves when it is touched in any other way; all do when
 * check_now.recent moves on, by another tag. Each has one place, by its address, which it shares
 * with others: the last one has it. */
enum { QUIET_BITS = 12, QUIET = 1 << QUIET_BITS };
extern uintptr_t check_quiet[QUIET]; /* address + tag */
static inline uintptr_t *quiet_place(uintptr_t granule)
{
    /* granule / 4 + granule / 128, by one multiplication: neighbours are neighbours, and rows that
     * lie a power of 2 apart have places of their own. */
    const uint32_t spread =
        (uint32_t)granule * ((1u << (30 - QUIET_BITS)) + (1u << (25 - QUIET_BITS)));
    return &check_quiet[spread >> (32 - QUIET_BITS)];
}
static inline bool is_quiet(uintptr_t granule)
{
    return *quiet_place(granule) == granule + check_now.quiet;
}
static inline void quiet_begin(uintptr_t granule)
{
    *quiet_place(granule) = granule + check_now.quiet_made;
}
static inline void quiet_end(uintptr_t granule)
{
    if (is_quiet(granule))
        *quiet_place(granule) = 0;
}
/* A new stamp, for check_now.recent. */
uint32_t check_recent_begin(void);
/* Fills in check_now.thread_local_ and its bytes: of the calling OS thread. */
void check_find_thread_local(void);

/* One access, as the slow paths see it. */
enum access_kind {
    ACCESS_READ,
    ACCESS_WRITE,
    ACCESS_ATOMIC,
    ACCESS_BLIND, /* an atomic operation that stores something whatever was there */
    ACCESS_ATOMIC_READ,
    ACCESS_VOLATILE_READ,  /* may be in turn with atomic operations, as CUDA code has it */
    ACCESS_VOLATILE_WRITE, /* and so may this */
};

static inline bool check_writes(enum access_kind kind)
{
    return kind == ACCESS_WRITE || kind == ACCESS_ATOMIC || kind == ACCESS_BLIND ||
           kind == ACCESS_VOLATILE_WRITE;
}
struct access {
    uintptr_t p;
    unsigned bytes;
    enum access_kind kind;
    const void *from; /* return address */
};

/* Whether p is on the stack of the fiber that runs: private memory of its thread. What lies below
 * the frames that are open is not: functions that have returned left it, or the thread before. */
static inline bool is_own_stack(uintptr_t p)
{
    return p >= (uintptr_t)__builtin_frame_address(0) && p < (uintptr_t)dev_self->current->top;
}

/* ---- regions (region.c) ---------------------------------------------------------------------- */

enum region_where { REGION_NONE, REGION_INSIDE, REGION_NEAR, REGION_FREED };
/* The region that holds p, or else the freed one that did, or else the one nearest to it (in the
 * arena at any distance, elsewhere within NEAR bytes). */
enum { NEAR = 4096 };
enum region_where check_region_find(uintptr_t p, struct dev_region *region);
/* The shadow of a symbol that holds p, or NULL. */
const struct space *check_region_symbol_space(uintptr_t p, enum dev_kind *kind);
/* managed.c. Whether somebody wrote to a region of managed memory whom nobody saw. */
bool check_managed_unseen(const struct dev_region *r);
/* Drops the shared variables: those of the next launch are others. */
void check_region_forget_shared(void);
/* Where not NULL, called for each new region of a kernel's own: shared memory, its heap. */
extern void (*check_region_by_kernel)(const struct dev_region *region);
/* Calls f for each region that is there. */
void check_region_each(void (*f)(const struct dev_region *region, void *context), void *context);
/* "tile[5][3]", "bytes 12 to 15 of tile", "element 7 of the allocation of main.cu:31" into text. */
void check_region_name_part(char *text, size_t size, const struct dev_region *region, uintptr_t p,
                            size_t bytes);
/* "tile", or "the allocation of main.cu:31"; the variable of a report goes without "the". */
void check_region_name(char *text, size_t size, const struct dev_region *region);
void check_region_variable(char *text, size_t size, const struct dev_region *region);

/* ---- places in the source (place.c)
 * -------------------------------------------------------------- */

struct place {
    char file[256]; /* as the compiler was told, without leading "./"; "?" where unknown */
    int line;
};
/* The file as the compiler was told: without the working directory before it. */
void check_place_set(struct place *p, const char *file, int line);
/* Where the call that returns to `from` stands; in a header of the system's, whose code is no part
 * of its caller's, the user's line that runs it. */
struct place check_place_of(const void *from);
/* Whether that is in a header of the system's or of the device's. */
bool check_place_is_header(const struct place *place);
/* The whole return address, from its low half. */
const void *check_place_whole(uint32_t low);
/* Whether p points into a class's table of virtual functions, of the program itself. */
bool check_place_is_vtable(uintptr_t p);
/* Line `line` of a file, without white space at its ends, into text; false where it can't be read.
 */
bool check_place_source(char *text, size_t size, const char *file, int line);

#ifdef __cplusplus
}
#endif
#endif
