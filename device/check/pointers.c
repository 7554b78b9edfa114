/* Accesses through pointers of the wrong side, at addresses of the wrong alignment, and of memory
 * that nobody wrote. */
#include <errno.h>
#include <stdio.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "device/check/check.h"

enum { MOST_REGISTERED = 1000 };

/* ---- in kernels ------------------------------------------------------------------------------ */

/* Whether a virtual function is looked up: in memory that the program never writes, an address of
 * its code. */
static bool is_lookup(const struct access *a)
{
    extern const char __executable_start[], etext[], __data_start[];
    const uintptr_t start = (uintptr_t)__executable_start, constants = (uintptr_t)__data_start;
    uintptr_t function;
    if (a->kind != ACCESS_READ || a->bytes != sizeof function || a->p - start >= constants - start)
        return false;
    memcpy(&function, (const void *)a->p, sizeof function);
    return function - start < (uintptr_t)etext - start;
}

/* Memory of the host that kernels may use; nothing is known of its bytes. */
static struct {
    uintptr_t base;
    size_t bytes;
} registered[MOST_REGISTERED];
static int n_registered;

void check_host_registered(const void *p, size_t bytes, bool on)
{
    for (int i = 0; on && i < n_registered; i++)
        if (registered[i].base == (uintptr_t)p && registered[i].bytes == bytes)
            return;
    if (on && n_registered < MOST_REGISTERED) {
        registered[n_registered].base = (uintptr_t)p;
        registered[n_registered++].bytes = bytes;
    }
    for (int i = 0; !on && i < n_registered; i++)
        if (registered[i].base - (uintptr_t)p < bytes)
            registered[i--] = registered[--n_registered];
}

static bool is_registered(const struct access *a)
{
    for (int i = 0; i < n_registered; i++)
        if (a->p - registered[i].base < registered[i].bytes &&
            a->bytes <= registered[i].base + registered[i].bytes - a->p)
            return true;
    return false;
}

/* Whether a launch was given a pointer that leads here, the host's own. */
static bool is_argument(uintptr_t p)
{
    enum { MOST = 1 << 20 }; /* of what such a pointer is the begin of */
    const struct dev_launch *l = check_now.launch;
    for (size_t i = 0; i + sizeof(uintptr_t) <= l->closure_bytes; i += sizeof(uintptr_t)) {
        uintptr_t given;
        memcpy(&given, (const char *)l->closure + i, sizeof given);
        if (given <= p && p - given < MOST)
            return true;
    }
    return false;
}

/* The constants of the device, with red zones around them (device/rewrite/shared.c). */
extern const char __start_hpc_constants[] __attribute__((weak));
extern const char __stop_hpc_constants[] __attribute__((weak));

/* Whether constants of the code itself are read: a string, a table that the compiler made. The
 * program never writes that memory, and a GPU's code has its own copy. */
static bool is_own_constant(const struct access *a)
{
    extern const char __executable_start[], __data_start[];
    const uintptr_t start = (uintptr_t)__executable_start, constants = (uintptr_t)__data_start;
    const uintptr_t devices = (uintptr_t)__start_hpc_constants;
    return a->kind == ACCESS_READ && a->p - start < constants - start &&
           a->p - devices >= (uintptr_t)__stop_hpc_constants - devices && !is_argument(a->p);
}

/* Whether neither the program nor a library has the page: nothing is there, or the shadow. */
static bool is_nobodys(uintptr_t p)
{
    const struct space *g = &check_now.global;
    const size_t granules = g->bytes / GRANULE;
    unsigned char in_memory;
    return p - (uintptr_t)g->state < granules ||
           p - (uintptr_t)g->cells < granules * sizeof *g->cells ||
           (mincore((void *)(p & ~(uintptr_t)4095), 1, &in_memory) && errno == ENOMEM);
}

/* An index far off, as of an int that has overflowed. */
static void report_far(const struct access *a)
{
    struct finding f = check_finding_access("oob-global", "out of bounds", a);
    check_append(f.text, sizeof f.text,
                 ", far from all memory: at an address that neither the device nor the host has");
    check_append(f.advice, sizeof f.advice,
                 "look at how the index is computed: does an int overflow? Use size_t from the "
                 "first product on");
    check_report_add(&f, a->from, NULL);
}

void check_bounds_other(const struct access *a)
{
    if (is_own_stack(a->p) || is_lookup(a) || is_registered(a) || is_own_constant(a))
        return;
    struct dev_region r;
    /* Beside a symbol; or no block of this launch has shared memory at all. */
    if (check_region_find(a->p, &r) != REGION_NONE || check_bounds_forgotten(a->p)) {
        check_bounds_bad(a);
        return;
    }
    const bool nobodys = a->p >= 4096 && is_nobodys(a->p);
    if (check_bounds_below_zero(a, nobodys) ||
        check_report_seen(nobodys ? "oob-global" : "host-pointer", a->from, NULL))
        return;
    if (nobodys) {
        report_far(a);
        return;
    }
    struct finding f = check_finding_access("host-pointer", "host memory", a);
    if (a->p < 4096) {
        check_append(f.text, sizeof f.text, ", of a null pointer (address %#zx)", (size_t)a->p);
        check_append(f.advice, sizeof f.advice,
                     "allocate the memory first, and look at what cudaMalloc returned");
    } else {
        check_append(f.text, sizeof f.text,
                     ", which is memory of the host or of another thread's stack");
        check_append(
            f.advice, sizeof f.advice,
            "give the kernel a pointer from cudaMalloc, and copy the data there with cudaMemcpy");
    }
    check_report_add(&f, a->from, NULL);
}

void check_bounds_misaligned(const struct access *a)
{
    if (check_report_seen("misaligned", a->from, NULL))
        return;
    struct finding f = check_finding_access("misaligned", "misaligned address", a);
    struct dev_region r;
    if (check_region_find(a->p, &r) == REGION_INSIDE) {
        char name[160];
        check_region_name(name, sizeof name, &r);
        check_region_variable(f.variable, sizeof f.variable, &r);
        check_append(f.text, sizeof f.text, ", %zu bytes into %s",
                     (size_t)(a->p - (uintptr_t)r.base), name);
    }
    check_append(
        f.advice, sizeof f.advice,
        "an access of %u bytes needs an address that %u divides: a GPU would stop the kernel here",
        a->bytes, a->bytes);
    check_report_add(&f, a->from, NULL);
}

/* Whether all of a managed region counts as written from now on: by somebody whom nobody saw. */
static bool is_written_unseen(const struct dev_region *r)
{
    if (r->kind != DEV_MANAGED || !check_managed_unseen(r))
        return false;
    check_space_set_written(&check_now.global, (uintptr_t)r->base, r->bytes, true);
    check_vtable_copied(&check_now.global, (uintptr_t)r->base, r->bytes);
    return true;
}

void check_bounds_copied(const void *p, size_t bytes)
{
    const uintptr_t at = (uintptr_t)p, offset = at - check_now.global.base;
    struct dev_region r;
    if (offset < check_now.global.bytes && bytes <= check_now.global.bytes - offset &&
        check_space_first_without(&check_now.global, at, bytes, 1) < bytes &&
        check_region_find(at, &r) == REGION_INSIDE)
        is_written_unseen(&r);
}

void check_bounds_unwritten(const struct access *a, const struct space *s)
{
    struct dev_region r = {.kind = DEV_GLOBAL};
    const uintptr_t first = a->p + check_space_first_without(s, a->p, a->bytes, 1);
    const bool known = check_region_find(first, &r) == REGION_INSIDE;
    if (check_vtable_read(a, s) || (known && is_written_unseen(&r)))
        return;
    bool shared = s == &check_now.shared;
    const char *kind = shared ? "uninit-shared" : "uninit-global";
    if (check_report_seen(kind, a->from, NULL))
        return;
    struct finding f = check_finding_access(kind, "read of what nobody wrote", a);
    char part[200] = "memory";
    bool runners = false; /* an array that run() was given */
    f.note = known && r.kind == DEV_MANAGED;
    if (known) {
        check_region_variable(f.variable, sizeof f.variable, &r);
        check_region_name_part(part, sizeof part, &r, a->p, a->bytes);
        runners = check_is_variant() && r.kind == DEV_GLOBAL && r.line == 0;
    }
    check_append(f.text, sizeof f.text, ": %s was never written", part);
    check_append(f.advice, sizeof f.advice,
                 shared    ? "let some thread of the block write every element that is "
                             "read, the halo too, and zero beyond the input's ends; where one "
                             "does, a __syncthreads() is missing"
                 : runners ? "store what comes first into each element of an output, and add only "
                             "what comes after it"
                 : f.note ? "fill it first, by the host or a kernel: the zeros that managed memory "
                            "holds at first are nothing that CUDA promises"
                          : "fill it first, by cudaMemcpy, cudaMemset or a kernel: "
                            "cudaMalloc does not clear memory");
    check_report_add(&f, a->from, NULL);
}

/* ---- in host code ------------------------------------------------------------------------------
 */

/* Where host code was told to use the device's memory; threads of the host may be told at once. */
enum { MOST_TOLD = 100 };
static struct place told[MOST_TOLD];
static int n_told;

static bool is_told(const struct place *at)
{
    const int n = __atomic_load_n(&n_told, __ATOMIC_ACQUIRE);
    for (int i = 0; i < n && i < MOST_TOLD; i++)
        if (told[i].line == at->line && strcmp(told[i].file, at->file) == 0)
            return true;
    return false;
}

/* How many bytes of the access are in the region that it begins in. */
static size_t bytes_in(const struct dev_region *r, const struct access *a)
{
    const size_t left = (uintptr_t)r->base + r->bytes - a->p;
    return a->bytes < left ? a->bytes : left;
}

void check_bounds_host(const struct access *a)
{
    struct dev_region r;
    if (check_block_met(a))
        return;
    enum region_where where = check_region_find(a->p, &r);
    bool arena = a->p - check_now.global.base < check_now.global.bytes;
    const bool raced = where == REGION_INSIDE && r.kind == DEV_MANAGED && check_stream_host(a);
    if (where == REGION_INSIDE && r.kind == DEV_MANAGED && arena && check_writes(a->kind))
        check_space_set_written(&check_now.global, a->p, bytes_in(&r, a), true);
    if (where == REGION_INSIDE && r.kind != DEV_SHARED)
        check_host_used(a, r.kind, raced);
    if (where == REGION_INSIDE ? r.kind == DEV_MANAGED || r.kind == DEV_SHARED : !arena)
        return;
    if (check_report_seen("device-pointer", a->from, NULL))
        return;
    struct finding f = check_finding_access("device-pointer", "device memory", a);
    const int at = __atomic_fetch_add(&n_told, 1, __ATOMIC_ACQ_REL);
    if (at < MOST_TOLD)
        told[at] = f.at.place;
    if (where != REGION_NONE)
        check_region_variable(f.variable, sizeof f.variable, &r);
    check_append(f.text, sizeof f.text, ", in device memory%s%s", f.variable[0] ? ": " : "",
                 f.variable);
    check_append(f.advice, sizeof f.advice,
                 where == REGION_INSIDE && r.kind != DEV_GLOBAL
                     ? "use cudaMemcpyFromSymbol or cudaMemcpyToSymbol: the host "
                       "can't use a variable of the device"
                     : "copy it with cudaMemcpy: the host can't follow a pointer "
                       "of the device");
    check_report_add(&f, a->from, NULL);
}

void check_bounds_checkers(const void *p, const void *from)
{
    const struct access a = {(uintptr_t)p, 1, ACCESS_READ, from};
    if (!check_is_variant())
        return;
    struct finding f = check_finding_access("host-checker", "memory of the checker", &a);
    check_append(f.advice, sizeof f.advice,
                 "use variables of your own: what lies behind them is not the program's");
    check_report_add(&f, from, NULL);
    check_report_flush();
    _exit(99); /* what it would report next nobody could believe */
}

void check_wall_met(const void *p, bool writes, const void *from)
{
    const struct place at = check_place_of(from);
    if (!is_told(&at)) /* by the call that the compiler put before the access */
        check_bounds_host(
            &(struct access){(uintptr_t)p, 0, writes ? ACCESS_WRITE : ACCESS_READ, from});
}
