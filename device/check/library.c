/* What a call of cuBLAS or cuDNN reads and nobody wrote: their code is not instrumented. */
#include "device/check/check.h"

/* The first byte of these rows that holds nothing; NULL: there is none. */
static const char *first_unset(const struct dev_rows *rows)
{
    const struct space *s = &check_now.global;
    for (size_t i = 0; i < rows->height; i++) {
        const char *from = rows->p + i * rows->pitch;
        const uintptr_t at = (uintptr_t)from - s->base;
        if (at >= s->bytes || rows->width > s->bytes - at)
            return NULL;
        check_bounds_copied(from, rows->width);
        const size_t first = check_space_first_without(s, (uintptr_t)from, rows->width, 1);
        if (first < rows->width)
            return from + first;
    }
    return NULL;
}

void check_library_reads(const struct dev_library_call *call, const struct dev_argument *a)
{
    char part[200];
    struct dev_region r;
    const char *unset = a->rows.write || a->gaps ? NULL : first_unset(&a->rows);
    if (!unset || check_region_find((uintptr_t)unset, &r) != REGION_INSIDE ||
        check_report_seen("uninit-global", call->from, a->name))
        return;
    struct finding f = check_finding_here("uninit-global", call->from);
    f.note = r.kind == DEV_MANAGED;
    check_region_variable(f.variable, sizeof f.variable, &r);
    check_region_name_part(part, sizeof part, &r, (uintptr_t)unset, sizeof(float));
    check_append(f.text, sizeof f.text,
                 "read of what nobody wrote: %s at %s:%d takes as %s %s, which was never written",
                 call->name, f.at.place.file, f.at.place.line, a->name, part);
    check_append(f.advice, sizeof f.advice,
                 "let the kernel before it write all of that: does its grid cover it, and has the "
                 "call the sizes that it has?");
    check_report_add(&f, call->from, a->name);
}
