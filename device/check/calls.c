/* Calls of the runtime and of libraries with pointers of the wrong side or too many bytes, and what
 * a variant's run() may not call. */
#include <stdio.h>
#include <string.h>

#include "device/check/check.h"

#define MANY_BYTES 512 /* of all arguments of kernels: more than pointers and sizes take */

/* ---- calls of the runtime ----------------------------------------------------------------------
 */

static struct finding at_call(const char *kind, struct dev_site site)
{
    struct finding f = {.kind = kind};
    check_report_site(&f.at.place, site);
    return f;
}

/* A call that fails may be a program's last: its report is printed at once. */
static void add_at_once(const struct finding *f, struct dev_site site, const void *other)
{
    check_report_add(f, (const void *)(uintptr_t)site.line, other);
    if (!check_now.launch)
        check_report_flush();
}

void check_bad_pointer(const char *call, const void *p, const char *expected, struct dev_site site)
{
    bool device = (uintptr_t)p - check_now.global.base < check_now.global.bytes;
    struct finding f = at_call(device ? "device-pointer" : "host-pointer", site);
    check_append(f.text, sizeof f.text,
                 "wrong pointer: %s at %s:%d was given %s (address %p), expected %s", call,
                 f.at.place.file, site.line, device ? "a device pointer" : "a host pointer", p,
                 expected);
    check_append(f.advice, sizeof f.advice, "%s",
                 strstr(expected, "variable")
                     ? "give the variable by its name alone, neither its address (&) nor a pointer"
                 : strncmp(call, "cuda", 4) == 0
                     ? "look at the order of the arguments and the kind of the copy"
                 : device ? "a scalar of a library is the host's"
                          : "a GPU can't use it: copy the data to the device first, by cudaMalloc "
                            "and cudaMemcpy");
    add_at_once(&f, site, p);
}

void check_bad_free(const char *call, const void *p, const char *expected, const void *from)
{
    struct place place = check_place_of(from);
    const struct dev_site site = {place.file, place.line};
    struct dev_region r;
    if ((uintptr_t)p - check_now.global.base >= check_now.global.bytes) {
        check_bad_pointer(call, p, expected, site);
        return;
    }
    struct finding f = at_call("device-pointer", site);
    if (check_region_find((uintptr_t)p, &r) != REGION_INSIDE) {
        check_append(f.text, sizeof f.text,
                     "wrong pointer: %s at %s:%d was given memory that is not allocated (address "
                     "%p), expected %s",
                     call, f.at.place.file, site.line, p, expected);
        check_append(f.advice, sizeof f.advice,
                     "free each allocation once, and set its pointer to NULL then");
    } else {
        char name[160];
        check_region_name(name, sizeof name, &r);
        check_region_variable(f.variable, sizeof f.variable, &r);
        check_append(f.text, sizeof f.text,
                     "wrong pointer: %s at %s:%d was given %s%s, expected %s", call,
                     f.at.place.file, site.line, (char *)p == r.base ? "" : "the inside of ", name,
                     expected);
        check_append(
            f.advice, sizeof f.advice,
            "memory of cudaMallocHost and cudaHostAlloc is freed by cudaFreeHost, all else "
            "by cudaFree, from its first byte on");
    }
    add_at_once(&f, site, p);
}

void check_symbol_address(const char *call, const char *name, struct dev_site site)
{
    struct finding f = at_call("host-pointer", site);
    snprintf(f.variable, sizeof f.variable, "%s", name);
    check_append(f.text, sizeof f.text,
                 "wrong pointer: %s at %s:%d was given the address that %s has on the host, "
                 "expected that on the device",
                 call, f.at.place.file, site.line, name);
    check_append(f.advice, sizeof f.advice,
                 "use cudaMemcpyToSymbol or cudaMemcpyFromSymbol, or ask for the address by "
                 "cudaGetSymbolAddress: a GPU refuses this one");
    add_at_once(&f, site, name);
}

void check_within(const char *call, const void *symbol, size_t element, size_t offset,
                  struct dev_site site)
{
    struct dev_region r;
    struct finding f = at_call("misaligned", site);
    if (check_region_find((uintptr_t)symbol, &r) == REGION_INSIDE)
        check_region_variable(f.variable, sizeof f.variable, &r);
    check_append(f.text, sizeof f.text,
                 "misaligned copy: %s at %s:%d begins %zu byte%s into %s, whose elements are of "
                 "%zu bytes",
                 call, f.at.place.file, site.line, offset, offset == 1 ? "" : "s",
                 f.variable[0] ? f.variable : "a variable", element);
    check_append(f.advice, sizeof f.advice,
                 "the argument behind the size is an offset in bytes; the kind of the copy, as "
                 "cudaMemcpyHostToDevice (1), stands behind that");
    add_at_once(&f, site, symbol);
}

static const char count_bytes[] =
    "count the size in bytes (n * sizeof *p) and by the smaller of the two sides";

void check_overrun(const char *call, const void *p, size_t bytes, struct dev_site site)
{
    struct dev_region r;
    const enum region_where where = check_region_find((uintptr_t)p, &r);
    const bool freed = where == REGION_FREED, inside = where == REGION_INSIDE;
    struct finding f = at_call(where == REGION_NONE ? "oob-global" : check_bounds_kind(&r), site);
    char name[160] = "no allocation";
    if (where != REGION_NONE) {
        check_region_name(name, sizeof name, &r);
        check_region_variable(f.variable, sizeof f.variable, &r);
    }
    check_append(f.text, sizeof f.text, "%s: %s at %s:%d of %zu bytes, %s %s",
                 freed ? "use of freed memory" : "out of bounds", call, f.at.place.file, site.line,
                 bytes,
                 inside  ? "where"
                 : freed ? "in"
                         : "outside of",
                 name);
    f.has_offset = inside;
    if (inside)
        check_append(f.text, sizeof f.text, " has %zu", (size_t)(r.base + r.bytes - (char *)p));
    check_append(f.advice, sizeof f.advice, "%s",
                 inside  ? count_bytes
                 : freed ? "free memory after the last call that uses it"
                         : "look at how the address is computed: p + n is n elements on");
    add_at_once(&f, site, p);
}

void check_past_host(const char *call, const void *p, size_t bytes, size_t most,
                     struct dev_site site)
{
    struct finding f = at_call("host-pointer", site);
    check_append(f.text, sizeof f.text,
                 "out of bounds: %s at %s:%d of %zu bytes, where the host's array has at most %zu",
                 call, f.at.place.file, site.line, bytes, most);
    check_append(f.advice, sizeof f.advice, "%s", count_bytes);
    add_at_once(&f, site, p);
}

/* ---- run() of a variant ------------------------------------------------------------------------
 */

static const char in_run_kind[] = "host-in-run";

/* One run(): whether it waited, and whether its host code took what the device worked out. */
static struct {
    bool on, waited, took;
    size_t arguments; /* of kernels, since it took something: bytes */
} run;

void check_in_run(int on)
{
    run.on = on != 0;
    run.waited = run.took = false;
    run.arguments = 0;
}

bool check_runs(void)
{
    return run.on;
}

/* Host code of run() gives something to the device. What it took before may be in it, worked on. */
static void gave(struct dev_site site)
{
    static const char kind[] = "host-computes", *const once_a_program = kind;
    if (!run.took || check_report_seen(kind, once_a_program, NULL))
        return;
    struct finding f = at_call(kind, site);
    check_append(f.text, sizeof f.text,
                 "run() computes on the host: it takes what the device holds, and gives it "
                 "something back at %s:%d, expected kernels to compute",
                 f.at.place.file, site.line);
    check_append(f.advice, sizeof f.advice,
                 "leave what kernels worked out on the device, and let another kernel go on with "
                 "it");
    check_report_add(&f, once_a_program, NULL);
}

void check_host_used(const struct access *a, enum dev_kind kind, bool raced)
{
    if (!run.on)
        return;
    if (check_writes(a->kind) && run.took)
        gave(check_site_of(a->from));
    else if (!check_writes(a->kind))
        run.took |= kind != DEV_MANAGED || run.waited || raced;
}

void check_launched_in_run(size_t bytes, struct dev_site site)
{
    run.arguments += run.took ? bytes : 0;
    if (run.arguments > MANY_BYTES)
        gave(site);
}

void check_copied_by_host(bool to_device, struct dev_site site)
{
    if (to_device)
        gave(site);
    else
        run.took = run.on;
}

void check_waited_in_run(const char *call, const void *from)
{
    run.waited = run.on;
    if (check_report_seen(in_run_kind, from, NULL))
        return;
    struct finding f = check_finding_here(in_run_kind, from);
    check_append(f.text, sizeof f.text, "run() waits for the device: %s at %s:%d", call,
                 f.at.place.file, f.at.place.line);
    check_append(f.advice, sizeof f.advice,
                 "leave it out: who calls run() waits for the whole device");
    check_report_add(&f, from, NULL);
}

static const char once[] =
    "allocate in open(), once: on a GPU this waits for all kernels, in every call";

void check_allocated_in_run(const char *call, struct dev_site site)
{
    struct finding f = at_call(in_run_kind, site);
    check_append(f.text, sizeof f.text, "run() allocates: %s at %s:%d", call, f.at.place.file,
                 site.line);
    check_append(f.advice, sizeof f.advice, once);
    check_report_add(&f, (const void *)(uintptr_t)site.line, NULL);
}

void check_copied_at_once(const char *call, struct dev_site site)
{
    struct finding f = at_call(in_run_kind, site);
    check_append(f.text, sizeof f.text,
                 "run() copies by a call that may wait for the device: %s at %s:%d", call,
                 f.at.place.file, site.line);
    check_append(f.advice, sizeof f.advice,
                 "copy what is the same in all calls in open(), once, and the rest by the ..Async "
                 "call on cudaStreamPerThread");
    check_report_add(&f, (const void *)(uintptr_t)site.line, NULL);
}

void check_made_in_run(const char *call, const void *from)
{
    if (check_report_seen(in_run_kind, from, NULL))
        return;
    struct finding f = check_finding_here(in_run_kind, from);
    check_append(f.text, sizeof f.text, "run() makes a handle: %s at %s:%d", call, f.at.place.file,
                 f.at.place.line);
    check_append(f.advice, sizeof f.advice, once);
    check_report_add(&f, from, NULL);
}

void check_legacy_stream(const char *call, const void *from)
{
    static const char kind[] = "legacy-stream";
    if (check_report_seen(kind, from, NULL))
        return;
    struct finding f = check_finding_here(kind, from);
    check_append(f.text, sizeof f.text,
                 "stream of a library: %s at %s:%d works on the legacy default stream, the kernels "
                 "of run() on cudaStreamPerThread",
                 call, f.at.place.file, f.at.place.line);
    check_append(f.advice, sizeof f.advice,
                 "give the handle its stream in open(): %s(handle, cudaStreamPerThread)",
                 strncmp(call, "cudnn", 5) == 0 ? "cudnnSetStream" : "cublasSetStream");
    check_report_add(&f, from, NULL);
}

void check_copied_in_run(const char *call, bool to_device, struct dev_site site)
{
    struct finding f = at_call(in_run_kind, site);
    if (to_device)
        check_append(
            f.text, sizeof f.text,
            "run() fills an array from the host: %s at %s:%d, expected kernels to write it", call,
            f.at.place.file, site.line);
    else
        check_append(f.text, sizeof f.text,
                     "run() copies to the host: %s at %s:%d, expected work on the device alone",
                     call, f.at.place.file, site.line);
    check_append(f.advice, sizeof f.advice,
                 "compute in kernels, from the arrays that run() is given to those that it is "
                 "given; the inputs that never change are on the host in env->fixed");
    check_report_add(&f, (const void *)(uintptr_t)site.line, NULL);
}
