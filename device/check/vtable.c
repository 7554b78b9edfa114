/* Objects with virtual functions that the host made. Their tables hold addresses of the host's
 * code, so that a GPU's call of one crashes. The pointer to such a table, in memory of the device,
 * counts as not written: a kernel that reads it whole comes to check_vtable_read. */
#include <string.h>

#include "device/check/check.h"
#include "device/check/veil.h"

enum { WORD = sizeof(uintptr_t) };

static bool is_vtable_at(uintptr_t p)
{
    uintptr_t word;
    check_veil_read(&word, (const void *)p, sizeof word);
    return check_place_is_vtable(word);
}

void check_vtable_copied(const struct space *s, uintptr_t to, size_t bytes)
{
    const uintptr_t end = to + bytes - bytes % WORD;
    for (uintptr_t p = (to + WORD - 1) / WORD * WORD; p + WORD <= end; p += WORD)
        if (is_vtable_at(p))
            check_space_set_written(s, p, WORD, false);
}

void check_vtable_written(void **p, void *value)
{
    const uintptr_t at = (uintptr_t)p;
    if (at - check_now.global.base < check_now.global.bytes &&
        check_place_is_vtable((uintptr_t)value))
        check_space_set_written(&check_now.global, at, WORD, false);
}

bool check_vtable_read(const struct access *a, const struct space *s)
{
    const uintptr_t word = a->p / WORD * WORD;
    if (s == &check_now.shared || a->p + a->bytes > word + WORD || !is_vtable_at(word))
        return false;
    if (a->bytes < WORD) { /* a part of it, as data */
        check_space_set_written(s, word, WORD, true);
        return true;
    }
    if (check_report_seen("host-pointer", a->from, NULL))
        return true;
    struct finding f = check_finding_access("host-pointer", "table of the host's functions", a);
    struct dev_region r;
    if (check_region_find(a->p, &r) == REGION_INSIDE)
        check_region_variable(f.variable, sizeof f.variable, &r);
    check_append(f.text, sizeof f.text, ", for a virtual function of an object made by the host");
    check_append(f.advice, sizeof f.advice,
                 "make the object in a kernel (new, or placement new): a GPU's code has tables of "
                 "its own");
    check_report_add(&f, a->from, NULL);
    return true;
}
