/* What the host copied into __constant__ variables. They begin as zeros, which a kernel may read;
 * where a variant's result is wrong, the first element that nobody filled is worth a word. */
#include <stdio.h>
#include <string.h>

#include "device/check/check.h"

#define MOST 16 /* variables */

/* One that is all zeros at the start: bytes from its beginning that copies filled. */
static struct filled {
    uintptr_t base;
    size_t bytes, all;
} variables[MOST];
static int n;
static bool of_runner; /* a program of its own may mean its zeros */

void check_runs_variant(void)
{
    of_runner = true;
}

bool check_is_variant(void)
{
    return of_runner;
}

void check_constant_empty(const char *base, size_t bytes)
{
    for (size_t i = 0; i < bytes; i++)
        if (base[i])
            return;
    if (n < MOST)
        variables[n++] = (struct filled){(uintptr_t)base, 0, bytes};
}

static struct filled *find(uintptr_t p)
{
    for (int i = 0; i < n; i++)
        if (p - variables[i].base < variables[i].all)
            return &variables[i];
    return NULL;
}

void check_constant_copied(uintptr_t p, size_t bytes)
{
    struct filled *v = find(p);
    if (!v)
        return;
    const size_t begin = p - v->base, end = begin + bytes;
    if (begin > v->bytes) /* a gap, which may be meant */
        v->bytes = v->all;
    else if (end > v->bytes)
        v->bytes = end;
}

static void report(const struct access *a, const struct filled *v)
{
    static const char kind[] = "unset-constant";
    struct dev_region r;
    char part[200], filled[220] = "nothing was copied to it before the launch";
    if (!of_runner || check_report_seen(kind, a->from, NULL) ||
        check_region_find(a->p, &r) != REGION_INSIDE)
        return;
    struct finding f = check_finding_access(kind, "constant memory that nobody filled", a);
    check_region_variable(f.variable, sizeof f.variable, &r);
    check_region_name_part(part, sizeof part, &r, a->p, a->bytes);
    if (v->bytes)
        snprintf(filled, sizeof filled, "of %s the first %zu bytes were copied",
                 f.variable[0] ? f.variable : "it", v->bytes);
    check_append(f.text, sizeof f.text, ": %s is 0, for %s", part, filled);
    const bool parts = r.element && v->bytes % r.element;
    if (parts)
        check_append(f.text, sizeof f.text, ", no whole number of its elements of %u bytes",
                     r.element);
    if (parts)
        check_append(f.advice, sizeof f.advice,
                     "is it of the type of what is copied? What is float in the source of a copy "
                     "is float in its target");
    else
        check_append(
            f.advice, sizeof f.advice,
            "%ssizes of copies are bytes, elements * sizeof(element); sizeof of a pointer is %zu",
            v->bytes % sizeof(float) == 0 && v->bytes != sizeof(void *)
                ? "does the index pass what there is to copy? If not, "
                : "",
            sizeof(void *));
    check_report_add(&f, a->from, NULL);
}

size_t check_constant_known(const struct access *a, uintptr_t base, size_t bytes)
{
    const struct filled *v = find(base);
    if (!v)
        return bytes;
    if (a->p - base + a->bytes > v->bytes)
        report(a, v);
    return v->bytes;
}
