/* Which ranges of memory a block's threads touch in a loop, by what its shape says of each row
 * (hpc_device/batches.h), and whether no two of them meet in one. */
#include <setjmp.h>

#include "device/batch/ranges.h"

enum { MOST_RANGES = 1 << 14, MOST_ARRAYS = 16, MOST_PARTS = 16, NONE = -1 };

static struct range ranges[MOST_RANGES];
static int n_ranges;

/* What a part's threads read of an array, from element to element of neighbours; and where all of
 * the block do. */
static struct {
    const void *array;
    int head;
    uintptr_t low, high;
} arrays[MOST_ARRAYS];
static int n_arrays;

/* The ranges in their order, and those that are written. */
static const struct range *order[MOST_RANGES];
static int n_order, writes[MOST_RANGES], n_writes;

struct dev_batch_threads check_batch_threads;
static unsigned row_first; /* the number of the row's first thread */
static unsigned parted_at;
static jmp_buf back;
enum { FOUND, PARTED, ODD };

void check_batch_odd(void)
{
    longjmp(back, ODD);
}

void check_batch_parts(unsigned at)
{
    parted_at = at;
    longjmp(back, PARTED);
}

static struct range *add_range(const void *at, intptr_t stride, unsigned bytes, bool write,
                               const void *from)
{
    if (n_ranges == MOST_RANGES)
        check_batch_odd();
    struct range *r = &ranges[n_ranges++];
    *r = (struct range){.at = (uintptr_t)at,
                        .stride = stride,
                        .first = row_first + check_batch_threads.first,
                        .count = check_batch_threads.count,
                        .visits = check_batch_threads.count,
                        .firsts = check_batch_threads.count,
                        .next = NONE,
                        .bytes = bytes,
                        .write = write,
                        .from = from};
    return r;
}

void check_batch_read(const void *at, intptr_t stride, unsigned bytes, const void *array)
{
    struct range *r = add_range(at, stride, bytes, false, __builtin_return_address(0));
    int a = 0;
    while (a < n_arrays && arrays[a].array != array)
        a++;
    if (a == MOST_ARRAYS)
        check_batch_odd();
    if (a == n_arrays) {
        n_arrays++;
        arrays[a].array = array;
        arrays[a].head = NONE;
        arrays[a].low = UINTPTR_MAX;
        arrays[a].high = 0;
    }
    const uintptr_t low = low_of(r), high = high_of(r);
    arrays[a].low = low < arrays[a].low ? low : arrays[a].low;
    arrays[a].high = high > arrays[a].high ? high : arrays[a].high;
    if (stride == (intptr_t)bytes) {
        int *link = &arrays[a].head;
        while (*link != NONE && ranges[*link].at >= r->at)
            link = &ranges[*link].next;
        r->next = *link;
        *link = n_ranges - 1;
        return;
    }
    if (stride == 0 && r->visits > 2) /* two readers are enough (fast.h) */
        r->visits = 2;
    if (stride == 0)
        r->firsts = 1;
    order[n_order++] = r;
}

void check_batch_write(const void *at, intptr_t stride, unsigned bytes)
{
    struct range *r = add_range(at, stride, bytes, true, __builtin_return_address(0));
    if (stride == 0 && r->count > 1)
        check_batch_odd();
    writes[n_writes++] = n_ranges - 1;
}

/* The reads of neighbouring elements come in the order of threads: of an element that several
 * ranges have, its two first threads are those of the two ranges that begin last. */
static void order_reads(int writes_before)
{
    for (int a = 0; a < n_arrays; a++) {
        uintptr_t last = UINTPTR_MAX, before_last = UINTPTR_MAX;
        for (int i = arrays[a].head; i != NONE; i = ranges[i].next) {
            struct range *r = &ranges[i];
            if (r->at == last)
                continue; /* the same threads */
            const uintptr_t most = (before_last - r->at) / r->bytes,
                            new = (last - r->at) / r->bytes;
            r->visits = most < r->count ? (unsigned)most : r->count;
            r->firsts = new < r->count ? (unsigned)new : r->count;
            order[n_order++] = r;
            before_last = last;
            last = r->at;
        }
        arrays[a].head = NONE;
    }
    for (int i = writes_before; i < n_writes; i++)
        order[n_order++] = &ranges[writes[i]];
}

static __attribute__((noinline)) int attempt(dev_batch_shape *shape, const void *context,
                                             unsigned y, unsigned z)
{
    const int how = _setjmp(back);
    if (how == FOUND)
        shape(context, y, z);
    return how;
}

/* The ranges of one row of threads: of all of them, or of parts, where they do different things. */
static bool find_row(dev_batch_shape *shape, const void *context, unsigned most, unsigned y,
                     unsigned z)
{
    unsigned first = 0, end = most;
    for (int parts = 0; first < most; parts++) {
        const int ranges_before = n_ranges, order_before = n_order, writes_before = n_writes;
        check_batch_threads.first = first;
        check_batch_threads.count = end - first;
        const int how = attempt(shape, context, y, z);
        if (how == ODD || parts == MOST_PARTS)
            return false;
        if (how == FOUND) {
            order_reads(writes_before);
            first = end;
            end = most;
            continue;
        }
        end = parted_at;
        n_ranges = ranges_before;
        n_order = order_before;
        n_writes = writes_before;
        for (int a = 0; a < n_arrays; a++)
            arrays[a].head = NONE;
    }
    return true;
}

/* Whether no element of one is another thread's of the other. */
static bool is_apart(const struct range *a, const struct range *b)
{
    return high_of(a) <= low_of(b) || high_of(b) <= low_of(a) ||
           (a->at == b->at && a->stride == b->stride && a->first == b->first &&
            a->count == b->count);
}

static bool are_apart(const struct range *w)
{
    bool read = false;
    for (int i = 0; i < n_writes; i++)
        if (!is_apart(w, &ranges[writes[i]]))
            return false;
    for (int a = 0; a < n_arrays; a++)
        read |= low_of(w) < arrays[a].high && arrays[a].low < high_of(w);
    for (int i = 0; read && i < n_ranges; i++)
        if (!is_apart(w, &ranges[i]))
            return false;
    return true;
}

const struct range *const *check_batch_ranges(const struct dev_index *size, unsigned most,
                                              dev_batch_shape *shape, const void *context, int *n)
{
    n_ranges = n_arrays = n_order = n_writes = 0;
    row_first = 0;
    for (unsigned z = 0; z < size->z; z++)
        for (unsigned y = 0; y < size->y; y++, row_first += size->x)
            if (!find_row(shape, context, most, y, z))
                return NULL;
    for (int i = 0; i < n_writes; i++)
        if (!are_apart(&ranges[writes[i]]))
            return NULL;
    *n = n_order;
    return order;
}
