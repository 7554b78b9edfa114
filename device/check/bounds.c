/* Accesses out of bounds: past a variable or an allocation, freed memory, writes to constants. */
#include <stdio.h>
#include <string.h>

#include "device/check/check.h"

static bool writes(const struct access *a)
{
    return check_writes(a->kind);
}

const char *check_bounds_kind(const struct dev_region *r)
{
    switch (r->kind) {
    case DEV_SHARED:
        return "oob-shared";
    case DEV_CONSTANT:
        return "oob-constant";
    case DEV_SYMBOL:
        return "oob-symbol";
    default:
        return "oob-global";
    }
}

/* ": that is x[-3], and the last is x[1008]": an index says more than a distance in bytes. The
 * element of memory that has no type is what is accessed. */
static void say_index(struct finding *f, const struct dev_region *r, const char *name, uintptr_t p,
                      size_t bytes)
{
    const size_t element = r->element ? r->element : bytes;
    const long long index = ((long long)(p - (uintptr_t)r->base)) / (long long)element;
    if (element > 16 || r->extent[1] || r->bytes % element || r->bytes < element ||
        (p - (uintptr_t)r->base) % element)
        return;
    if (strchr(name, ' ') || strchr(name, ':'))
        check_append(f->text, sizeof f->text, ": that is its element %lld, and the last is %zu",
                     index, r->bytes / element - 1);
    else
        check_append(f->text, sizeof f->text, ": that is %s[%lld], and the last is %s[%zu]", name,
                     index, name, r->bytes / element - 1);
}

/* "4 bytes past the end of tile (64 bytes), which begins ..." and the offset. */
static void say_distance(struct finding *f, const struct dev_region *r, uintptr_t p, size_t bytes)
{
    uintptr_t base = (uintptr_t)r->base, end = base + r->bytes;
    char name[160];
    check_region_name(name, sizeof name, r);
    check_region_variable(f->variable, sizeof f->variable, r);
    f->has_offset = true;
    f->offset = p >= end ? (long long)(p - end) : -(long long)(base - p);
    if (p >= base && p < end) { /* begins inside, ends outside */
        f->offset = 0;
        check_append(f->text, sizeof f->text, ", across the end of %s (%zu bytes)", name, r->bytes);
    } else if (p == end) {
        check_append(f->text, sizeof f->text, ", just past the end of %s (%zu bytes)", name,
                     r->bytes);
    } else {
        check_append(f->text, sizeof f->text, ", %lld bytes %s of %s (%zu bytes)",
                     f->offset < 0 ? -f->offset : f->offset,
                     f->offset < 0 ? "before the start" : "past the end", name, r->bytes);
    }
    if (p < base || p >= end)
        say_index(f, r, name, p, bytes);
}

static void advise_oob(struct finding *f, const struct access *a, const struct dev_region *r)
{
    size_t size = sizeof f->advice;
    if (r->kind == DEV_SHARED && f->offset < 0)
        check_append(
            f->advice, size,
            "nothing lies before an array: mend the index; the cell of x[i] in a tile with "
            "a halo is radius cells behind its begin");
    else if (r->kind == DEV_CONSTANT && f->offset < 0)
        check_append(f->advice, size, "nothing lies before an array: mend the index");
    else if (r->kind == DEV_SHARED && strcmp(r->name, DEV_DYNAMIC_NAME) == 0)
        check_append(f->advice, size,
                     "the launch's third argument is its size, in bytes (floats * sizeof(float)): "
                     "make it as large as block and halo, or mend the index");
    else if (r->kind == DEV_SHARED)
        check_append(f->advice, size,
                     "make the shared array as large as block and halo, or mend the index");
    else if (r->kind == DEV_CONSTANT)
        check_append(f->advice, size, "make the constant array larger, or mend the index");
    else if (f->offset < 0)
        check_append(f->advice, size,
                     "let the thread skip what lies before the start (if (i >= 0) ..)");
    else
        check_append(
            f->advice, size,
            "compare the index with the length before you %s (if (i < n) ..), or mend the index",
            writes(a) ? "write" : "read");
}

static void report_oob(const struct access *a, const struct dev_region *r)
{
    const char *kind = check_bounds_kind(r);
    if (check_report_seen(kind, a->from, NULL))
        return;
    struct finding f = check_finding_access(kind, "out of bounds", a);
    say_distance(&f, r, a->p, a->bytes);
    advise_oob(&f, a, r);
    check_report_add(&f, a->from, NULL);
}

static void report_freed(const struct access *a, const struct dev_region *r)
{
    if (check_report_seen("oob-global", a->from, NULL))
        return;
    struct finding f = check_finding_access("oob-global", "use of freed memory", a);
    char name[160];
    check_region_name(name, sizeof name, r);
    check_region_variable(f.variable, sizeof f.variable, r);
    check_append(f.text, sizeof f.text, " in %s, which was freed", name);
    check_append(f.advice, sizeof f.advice,
                 "call cudaFree after the last kernel that uses the memory");
    check_report_add(&f, a->from, NULL);
}

static void report_nowhere(const struct access *a, const char *kind, const char *what)
{
    if (check_report_seen(kind, a->from, NULL))
        return;
    struct finding f = check_finding_access(kind, "out of bounds", a);
    check_append(f.text, sizeof f.text, ", %s", what);
    check_append(f.advice, sizeof f.advice, "look at how the index or pointer is computed");
    check_report_add(&f, a->from, NULL);
}

/* The first byte that may not be used, for naming; the access's own start where all may. */
static uintptr_t first_bad(const struct access *a)
{
    for (unsigned i = 0; i < a->bytes; i++) {
        struct dev_region r;
        if (check_region_find(a->p + i, &r) != REGION_INSIDE)
            return a->p + i;
    }
    return a->p;
}

static void report_constant_written(const struct access *a, const struct dev_region *r)
{
    if (check_report_seen("oob-constant", a->from, NULL))
        return;
    struct finding f = check_finding_access("oob-constant", "write to constant memory", a);
    check_region_variable(f.variable, sizeof f.variable, r);
    check_append(f.text, sizeof f.text, ", in %s", f.variable);
    check_append(f.advice, sizeof f.advice,
                 "only the host may write __constant__ variables, with cudaMemcpyToSymbol");
    check_report_add(&f, a->from, NULL);
}

bool check_bounds_forgotten(uintptr_t p)
{
    uintptr_t offset = p - (uintptr_t)dev_self->shared;
    return check_now.launch && check_now.launch->dynamic_shared == 0 && offset >= DEV_DYNAMIC_AT &&
           offset < DEV_DYNAMIC_AT + DEV_MOST_DYNAMIC - NEAR; /* else before a fixed one */
}

static void report_forgotten(const struct access *a)
{
    if (check_report_seen("oob-shared", a->from, NULL))
        return;
    struct finding f = check_finding_access("oob-shared", "no dynamic shared memory", a);
    struct place launch;
    check_report_site(&launch, (struct dev_site){check_now.launch->file, check_now.launch->line});
    check_append(f.text, sizeof f.text,
                 ", in an extern __shared__ array, for which the launch at %s:%d gives no memory",
                 launch.file, launch.line);
    check_append(
        f.advice, sizeof f.advice,
        "give its size in bytes as the launch's third argument: %s<<<grid, block, bytes>>>",
        f.kernel);
    check_report_add(&f, a->from, NULL);
}

bool check_bounds_below_zero(const struct access *a, bool inside)
{
    const uintptr_t meant = a->p - ((uintptr_t)a->bytes << 32);
    struct dev_region r;
    char name[160];
    if (check_region_find(meant, &r) != REGION_NEAR || (meant >= (uintptr_t)r.base && !inside))
        return false;
    const char *kind = check_bounds_kind(&r);
    if (check_report_seen(kind, a->from, NULL))
        return true;
    struct finding f = check_finding_access(kind, "out of bounds", a);
    check_region_name(name, sizeof name, &r);
    check_region_variable(f.variable, sizeof f.variable, &r);
    if (meant < (uintptr_t)r.base)
        check_append(f.text, sizeof f.text, ", element 2^32 - %zu of %s: an unsigned index below 0",
                     ((uintptr_t)r.base - meant) / a->bytes, name);
    else
        check_append(f.text, sizeof f.text,
                     ", 2^32 elements behind a place beside %s: an unsigned index below 0", name);
    check_append(f.advice, sizeof f.advice,
                 "threadIdx is unsigned, and so is a sum with it: (int)threadIdx.x, and a test");
    check_report_add(&f, a->from, NULL);
    return true;
}

/* Whether that much lies between the region's end and the access that no index of this run is meant
 * to go there. */
static bool is_far(const struct access *a, const struct dev_region *r)
{
    return a->p > (uintptr_t)r->base && a->p - (uintptr_t)r->base > UINT32_MAX;
}

void check_bounds_bad(const struct access *a)
{
    struct dev_region r;
    if (check_bounds_forgotten(a->p)) {
        report_forgotten(a);
        return;
    }
    enum region_where where = check_region_find(first_bad(a), &r);
    if (where == REGION_NEAR && r.kind != DEV_GLOBAL && r.kind != DEV_MANAGED)
        check_array_told(); /* it was the array's own access: allocations are no arrays */
    if (where == REGION_INSIDE && r.kind == DEV_CONSTANT && writes(a))
        report_constant_written(a, &r);
    else if (where == REGION_FREED)
        report_freed(a, &r);
    else if (where == REGION_NEAR && is_far(a, &r) && check_bounds_below_zero(a, true))
        return;
    else if (where == REGION_NEAR)
        report_oob(a, &r);
    else if (a->p - check_now.shared.base < check_now.shared.bytes)
        report_nowhere(a, "oob-shared", "in shared memory that no variable of this block has");
    else
        report_nowhere(a, "oob-global", "in device memory that nobody has allocated");
}
