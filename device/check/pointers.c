/* Pointers of the wrong side, addresses of the wrong alignment, and memory that nobody wrote. */
#include <stdio.h>
#include <string.h>

#include "device/check/report.h"

/* ---- in kernels ------------------------------------------------------------------------------ */

void bounds_other(const struct access *a)
{
    if (is_own_stack(a->p))
        return;
    struct dev_region r;
    if (region_find(a->p, &r) != REGION_NONE) { /* beside a symbol */
        bounds_bad(a);
        return;
    }
    if (report_seen("host-pointer", a->from, NULL))
        return;
    struct finding f = finding_access("host-pointer", "host memory", a);
    if (a->p < 4096) {
        append(f.text, sizeof f.text, ", of a null pointer (address %#zx)", (size_t)a->p);
        append(f.advice, sizeof f.advice,
               "allocate the memory first, and look at what cudaMalloc returned");
    } else {
        append(f.text, sizeof f.text, ", which is memory of the host or of another thread's stack");
        append(
            f.advice, sizeof f.advice,
            "give the kernel a pointer from cudaMalloc, and copy the data there with cudaMemcpy");
    }
    report_add(&f, a->from, NULL);
}

void bounds_misaligned(const struct access *a)
{
    if (report_seen("misaligned", a->from, NULL))
        return;
    struct finding f = finding_access("misaligned", "misaligned address", a);
    struct dev_region r;
    if (region_find(a->p, &r) == REGION_INSIDE) {
        char name[160];
        region_name(name, sizeof name, &r);
        region_variable(f.variable, sizeof f.variable, &r);
        append(f.text, sizeof f.text, ", %zu bytes into %s", (size_t)(a->p - (uintptr_t)r.base),
               name);
    }
    append(
        f.advice, sizeof f.advice,
        "an access of %u bytes needs an address that %u divides: a GPU would stop the kernel here",
        a->bytes, a->bytes);
    report_add(&f, a->from, NULL);
}

void bounds_unwritten(const struct access *a, const struct space *s)
{
    bool shared = s == &now.shared;
    const char *kind = shared ? "uninit-shared" : "uninit-global";
    if (report_seen(kind, a->from, NULL))
        return;
    struct finding f = finding_access(kind, "read of what nobody wrote", a);
    struct dev_region r;
    char part[200] = "memory";
    uintptr_t first = a->p + space_first_without(s, a->p, a->bytes, 1);
    if (region_find(first, &r) == REGION_INSIDE) {
        region_variable(f.variable, sizeof f.variable, &r);
        region_name_part(part, sizeof part, &r, a->p, a->bytes);
    }
    append(f.text, sizeof f.text, ": %s was never written", part);
    append(f.advice, sizeof f.advice,
           shared ? "let some thread of the block write every element that is "
                    "read, the halo too, and zero beyond the input's ends"
                  : "fill it first, by cudaMemcpy, cudaMemset or a kernel: "
                    "cudaMalloc does not clear memory");
    report_add(&f, a->from, NULL);
}

/* ---- in host code ------------------------------------------------------------------------------
 */

void bounds_host(const struct access *a)
{
    struct dev_region r;
    enum region_where where = region_find(a->p, &r);
    bool arena = a->p - now.global.base < now.global.bytes;
    if (where == REGION_INSIDE ? r.kind == DEV_MANAGED || r.kind == DEV_SHARED : !arena)
        return;
    if (report_seen("device-pointer", a->from, NULL))
        return;
    struct finding f = finding_access("device-pointer", "device memory", a);
    if (where != REGION_NONE)
        region_variable(f.variable, sizeof f.variable, &r);
    append(f.text, sizeof f.text, ", in device memory%s%s", f.variable[0] ? ": " : "", f.variable);
    append(f.advice, sizeof f.advice,
           where == REGION_INSIDE && r.kind != DEV_GLOBAL
               ? "use cudaMemcpyFromSymbol or cudaMemcpyToSymbol: the host "
                 "can't use a variable of the device"
               : "copy it with cudaMemcpy: the host can't follow a pointer "
                 "of the device");
    report_add(&f, a->from, NULL);
}

/* ---- calls of the runtime ----------------------------------------------------------------------
 */

static struct finding at_call(const char *kind, struct dev_site site)
{
    struct finding f = {.kind = kind};
    report_site(&f.at.place, site);
    return f;
}

void check_bad_pointer(const char *call, const void *p, const char *expected, struct dev_site site)
{
    bool device = (uintptr_t)p - now.global.base < now.global.bytes;
    struct finding f = at_call(device ? "device-pointer" : "host-pointer", site);
    append(f.text, sizeof f.text,
           "wrong pointer: %s at %s:%d was given %s (address %p), expected %s", call,
           f.at.place.file, site.line, device ? "a device pointer" : "a host pointer", p, expected);
    append(f.advice, sizeof f.advice,
           "look at the order of the arguments and the kind of the copy");
    report_add(&f, (const void *)(uintptr_t)site.line, p);
}

void check_overrun(const char *call, const void *p, size_t bytes, struct dev_site site)
{
    struct dev_region r;
    if (region_find((uintptr_t)p, &r) == REGION_NONE)
        return;
    struct finding f = at_call(bounds_kind(&r), site);
    char name[160];
    region_name(name, sizeof name, &r);
    region_variable(f.variable, sizeof f.variable, &r);
    size_t left = (size_t)(r.base + r.bytes - (const char *)p);
    f.has_offset = true;
    f.offset = 0;
    append(f.text, sizeof f.text, "out of bounds: %s at %s:%d of %zu bytes, where %s has %zu", call,
           f.at.place.file, site.line, bytes, name, left);
    append(f.advice, sizeof f.advice,
           "count the size in bytes (n * sizeof *p) and by the smaller of the two sides");
    report_add(&f, (const void *)(uintptr_t)site.line, p);
}
