/* Device memory: an arena of address space of its own, so that a pointer tells where it belongs.
 * Allocations are of whole 256 bytes, with red zones on both sides (in check mode as wide as
 * themselves). Freed memory is reused as late as possible: the search goes on behind the last
 * allocation, and starts anew at the end. */
#define _GNU_SOURCE
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "device/runtime/guards.h"
#include "device/runtime/runtime.h"
#include "device/runtime/memory.h"
#include "device/runtime/mode.h"
#include "device/runtime/wall.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct allocation *list; /* by address */
static size_t list_count, list_room;
static size_t cursor;     /* offset where the next search begins */
static size_t committed;  /* bytes of the arena that may be used so far */
static size_t used, most; /* bytes of the device's memory */

/* The device's memory: half of the machine's, or of what this process may have. */
static size_t device_bytes(void)
{
    size_t pages = (size_t)sysconf(_SC_PHYS_PAGES), page = (size_t)sysconf(_SC_PAGESIZE);
    size_t bytes = pages * page / 4 * 3;
    struct rlimit limit;
    if (getrlimit(RLIMIT_AS, &limit) == 0 && limit.rlim_cur / 2 < bytes)
        bytes = limit.rlim_cur / 2;
    size_t wanted = dev_setting("HPC_DEVICE_MIB", bytes >> 20) << 20;
    return wanted < bytes ? wanted : bytes;
}

static void arena_make(void)
{
    size_t bytes = device_bytes();
    for (; bytes >= 1 << 20 && !dev_arena; bytes /= 2) {
        const size_t room = bytes * MODE_ROOMY;
        char *p = mmap(NULL, room, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
        if (p == MAP_FAILED)
            continue;
        dev_arena = p;
        dev_arena_end = p + room;
        most = bytes;
    }
    if (!dev_arena)
        dev_die("no address space for the device's memory: %s", strerror(errno));
}

/* Make the arena's first `bytes` usable. */
static bool commit(size_t bytes)
{
    size_t step = (size_t)16 << 20, total = (size_t)(dev_arena_end - dev_arena);
    if (bytes <= committed)
        return true;
    size_t end = (bytes + step - 1) / step * step;
    if (end > total)
        end = total;
    if (mprotect(dev_arena + committed, end - committed, PROT_READ | PROT_WRITE) != 0)
        return false;
    committed = end;
    return true;
}

/* The index of the first allocation that ends behind `offset`. */
static size_t first_behind(size_t offset)
{
    size_t low = 0, high = list_count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (list[middle].offset + list[middle].room <= offset)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

/* Where `room` bytes are free at or behind `from`; sets *index. SIZE_MAX where nowhere. */
static size_t find_room(size_t from, size_t room, size_t *index)
{
    size_t total = (size_t)(dev_arena_end - dev_arena), offset = from;
    size_t i = first_behind(from);
    if (i < list_count && list[i].offset < offset)
        offset = list[i].offset + list[i].room, i++;
    for (; i < list_count; i++) {
        if (list[i].offset - offset >= room && list[i].offset >= offset)
            break;
        offset = list[i].offset + list[i].room;
    }
    *index = i;
    return offset <= total && total - offset >= room ? offset : SIZE_MAX;
}

static bool list_insert(size_t index, const struct allocation *a)
{
    if (list_count == list_room) {
        size_t more = 2 * list_room + 64;
        struct allocation *grown = realloc(list, more * sizeof *list);
        if (!grown)
            return false;
        list = grown;
        list_room = more;
    }
    memmove(list + index + 1, list + index, (list_count - index) * sizeof *list);
    list[index] = *a;
    list_count++;
    return true;
}

char *dev_memory_base(const struct allocation *a)
{
    return dev_arena + a->offset + a->zone;
}

/* What an allocation takes of the device's memory: red zones of 256 bytes, however wide they are.
 */
static size_t share_of(size_t bytes)
{
    return (bytes + 255) / 256 * 256 + 2 * DEV_RED_ZONE;
}

static struct dev_region allocation_region(const struct allocation *a)
{
    return (struct dev_region){.kind = a->kind,
                               .name = a->line ? NULL : a->file,
                               .file = a->file,
                               .line = a->line,
                               .base = dev_memory_base(a),
                               .bytes = a->bytes};
}

/* A place for an allocation with red zones of `zone` bytes, and memory there. */
static bool place(struct allocation *a, size_t zone)
{
    size_t room = share_of(a->bytes) + 2 * (zone - DEV_RED_ZONE), index = 0;
    if (room < a->bytes || room > (size_t)(dev_arena_end - dev_arena))
        return false;
    size_t offset = find_room(cursor, room, &index);
    if (offset == SIZE_MAX)
        offset = find_room(0, room, &index);
    if (offset == SIZE_MAX || !commit(offset + room))
        return false;
    a->offset = offset;
    a->room = room;
    a->zone = zone;
    return list_insert(index, a);
}

void *dev_memory_allocate(size_t bytes, enum dev_kind kind, struct dev_site site)
{
    const size_t share = share_of(bytes);
    struct allocation a = {.bytes = bytes,
                           .kind = kind == DEV_PINNED ? DEV_MANAGED : kind,
                           .pinned = kind == DEV_PINNED,
                           .file = site.file,
                           .line = site.line};
    dev_wall_lift();
    pthread_mutex_lock(&lock);
    if (!dev_arena)
        arena_make();
    const bool ok = share >= bytes && share <= most - used &&
                    (place(&a, MODE_ZONE(bytes)) || place(&a, DEV_RED_ZONE));
    if (ok) {
        cursor = a.offset + a.room;
        used += share;
    }
    pthread_mutex_unlock(&lock);
    char *p = ok ? dev_memory_base(&a) : NULL;
    if (ok) {
        mode_poison(dev_arena + a.offset, a.room);
        mode_unpoison(p, bytes);
        dev_schedule_fill(p, bytes);
    }
    dev_wall_around(dev_arena, committed, kind != DEV_GLOBAL);
    dev_wall_drop();
    if (!ok)
        return NULL;
    struct dev_region region = allocation_region(&a);
    MODE_CHECK(check_region_added(&region));
    if (a.pinned || (kind == DEV_MANAGED && !dev_program_whole)) /* others write it unseen */
        MODE_CHECK(check_written(p, bytes));
    (void)region;
    return p;
}

bool dev_memory_free(void *p)
{
    struct allocation a = {0};
    pthread_mutex_lock(&lock);
    bool inside = dev_arena && (char *)p >= dev_arena && (char *)p < dev_arena_end;
    size_t i = inside ? first_behind((size_t)((char *)p - dev_arena)) : list_count;
    bool found = i < list_count && dev_memory_base(&list[i]) == p;
    if (found) {
        a = list[i];
        used -= share_of(a.bytes);
        memmove(list + i, list + i + 1, (list_count - i - 1) * sizeof *list);
        list_count--;
    }
    pthread_mutex_unlock(&lock);
    if (!found)
        return false;
    struct dev_region region = allocation_region(&a);
    MODE_CHECK(check_region_removed(&region));
    (void)region;
    mode_poison(dev_arena + a.offset, a.room);
    if (a.bytes > (size_t)1 << 20) { /* whole pages go back to the machine */
        size_t page = (size_t)sysconf(_SC_PAGESIZE);
        uintptr_t from = ((uintptr_t)p + page - 1) / page * page;
        madvise((void *)from, a.bytes - page, MADV_DONTNEED);
    }
    return true;
}

bool dev_memory_find(const void *p, struct allocation *a)
{
    bool found = false;
    pthread_mutex_lock(&lock);
    if (dev_arena && (char *)p >= dev_arena && (char *)p < dev_arena_end) {
        size_t offset = (size_t)((char *)p - dev_arena), i = first_behind(offset);
        size_t base = i < list_count ? list[i].offset + list[i].zone : 0;
        found =
            i < list_count && offset >= base && offset < base + (list[i].bytes ? list[i].bytes : 1);
        if (found)
            *a = list[i];
    }
    pthread_mutex_unlock(&lock);
    return found;
}

size_t dev_bytes_behind(const void *p)
{
    struct allocation a;
    if (!dev_memory_find(p, &a))
        return SIZE_MAX;
    const char *end = dev_memory_base(&a) + a.bytes;
    return (const char *)p < end ? (size_t)(end - (const char *)p) : 0;
}

void dev_memory_info(size_t *free_bytes, size_t *total)
{
    pthread_mutex_lock(&lock);
    if (!dev_arena)
        arena_make();
    *total = most;
    *free_bytes = most - used;
    pthread_mutex_unlock(&lock);
}

void dev_memory_free_all(void)
{
    for (;;) {
        pthread_mutex_lock(&lock);
        char *p = list_count > 0 ? dev_memory_base(&list[list_count - 1]) : NULL;
        pthread_mutex_unlock(&lock);
        if (!p)
            return;
        dev_memory_free(p);
    }
}
