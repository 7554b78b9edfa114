/* The veil: while a kernel of a variant runs, memory of the device holds noise, but for the bytes
 * of the last few accesses of which the compiler told the checker. What is stored truly lies beside
 * it, in a copy. So a load that no call announces (a struct by __builtin_bit_cast, an operand of
 * assembly) finds noise, whatever compiler made it; and a store that none announces is found where
 * noise was, by a look that goes round, or is lost. */
#include <string.h>

#include "device/check/check.h"
#include "device/check/pieces.h"
#include "device/check/veil.h"

/* An assignment is announced by two calls, a compare-and-swap of structs by as many as four. */
enum { WINDOWS = 4, LOOK = 64, BETWEEN = 16 };

struct window {
    struct piece at; /* of no bytes: shut */
    bool written;
};

static bool wanted;
static struct window windows[WINDOWS];
static unsigned next_window;
static size_t look_piece, look_byte; /* where the next look is */

/* ---- what is true -----------------------------------------------------------------------------
 */

static inline void copy(char *to, const char *from, size_t bytes)
{
    if (bytes == 4)
        memcpy(to, from, 4);
    else if (bytes == 8)
        memcpy(to, from, 8);
    else
        memcpy(to, from, bytes);
}

static void commit(const struct window *w)
{
    if (w->written)
        copy(check_piece_truth(w->at.p), (const char *)w->at.p, w->at.bytes);
}

static void shut(struct window *w)
{
    if (w->at.bytes) {
        commit(w);
        check_noise_fill(w->at.p, w->at.bytes);
    }
    w->at.bytes = 0;
}

/* ---- looks ------------------------------------------------------------------------------------
 */

static void tell(uintptr_t p)
{
    struct dev_region r = {0};
    const bool known = check_region_find(p, &r) == REGION_INSIDE;
    const void *identity = known ? r.base : (const void *)p;
    if (check_report_seen("unseen-store", identity, NULL))
        return;
    struct finding f = check_finding_here("unseen-store", identity);
    check_place_set(&f.at.place, check_now.launch->file, check_now.launch->line);
    f.at.write = true;
    if (known)
        check_region_variable(f.variable, sizeof f.variable, &r);
    check_append(f.text, sizeof f.text,
                 "a store in %s to %s, of which the compiler does not tell the checker", f.kernel,
                 f.variable[0] ? f.variable : "memory of the device");
    check_append(
        f.advice, sizeof f.advice,
        "assign plainly: no assembly, no __builtin_ functions, and what a function returns "
        "into a variable first");
    check_report_add(&f, identity, NULL);
}

/* Whether all of a piece that no window is open on is noise still; what is not is told of. */
static void look_at(struct piece at)
{
    size_t i = 0;
    while (i < at.bytes && (i += check_noise_ends(at.p + i, at.bytes - i)) < at.bytes) {
        const struct piece byte = {at.p + i, 1};
        const struct window *open = NULL;
        for (int k = 0; k < WINDOWS && !open; k++)
            if (pieces_overlap(&windows[k].at, &byte))
                open = &windows[k];
        if (open) {
            i = open->at.p + open->at.bytes - at.p;
        } else {
            tell(byte.p);
            *(uint8_t *)byte.p = check_noise_byte(byte.p);
        }
    }
}

static void look_on(void)
{
    size_t piece_count;
    const struct piece *pieces = check_pieces(&piece_count);
    if (look_piece >= piece_count)
        look_piece = look_byte = 0;
    if (!piece_count)
        return;
    const struct piece *whole = &pieces[look_piece];
    const size_t left = whole->bytes > look_byte ? whole->bytes - look_byte : 0;
    look_at((struct piece){whole->p + look_byte, left < LOOK ? left : LOOK});
    look_byte += LOOK;
    if (look_byte >= whole->bytes) {
        look_byte = 0;
        look_piece++;
    }
}

/* ---- accesses ---------------------------------------------------------------------------------
 */

/* The window and those that it overlaps become one, which stays open. */
static void join(struct window *w)
{
    for (struct window *o = windows; o < windows + WINDOWS; o++) {
        if (!pieces_overlap(&o->at, &w->at))
            continue;
        const uintptr_t end = o->at.p + o->at.bytes, own = w->at.p + w->at.bytes;
        commit(o);
        w->written |= o->written;
        w->at.p = o->at.p < w->at.p ? o->at.p : w->at.p;
        w->at.bytes = (end > own ? end : own) - w->at.p;
        o->at.bytes = 0;
    }
}

void check_veil_open(const void *q, size_t bytes, bool writes)
{
    static unsigned accesses;
    struct window w = {{(uintptr_t)q, bytes}, writes};
    if (++accesses % BETWEEN == 0)
        look_on();
    if (!check_piece_of(&w.at))
        return;
    join(&w);
    shut(&windows[next_window]);
    copy((char *)w.at.p, check_piece_truth(w.at.p), w.at.bytes);
    windows[next_window] = w;
    next_window = (next_window + 1) % WINDOWS;
}

void check_veil_read(void *to, const void *p, size_t bytes)
{
    const struct piece at = {(uintptr_t)p, bytes};
    const bool under = check_now.veiled && check_piece_of(&at);
    for (int k = 0; under && k < WINDOWS; k++)
        if (windows[k].at.bytes)
            commit(&windows[k]);
    memcpy(to, under ? check_piece_truth(at.p) : p, bytes);
}

bool check_veil_same(const void *before, const void *p, size_t bytes)
{
    uint8_t now[16];
    if (bytes > sizeof now)
        return false;
    check_veil_read(now, p, bytes);
    return memcmp(before, now, bytes) == 0;
}

/* ---- launches ---------------------------------------------------------------------------------
 */

void check_veil(int on)
{
    wanted = on != 0;
}

static void piece_of_region(const struct dev_region *r, void *context)
{
    (void)context;
    if (r->kind != DEV_SHARED)
        check_piece_add(r);
}

void check_veil_launch_begin(void)
{
    if (!wanted)
        return;
    look_piece = look_byte = 0;
    check_pieces_forget();
    check_region_each(piece_of_region, NULL);
    check_region_by_kernel = check_piece_add;
    check_now.veiled = true;
    check_now.quiet_made = 0;
}

void check_veil_launch_end(void)
{
    if (!check_now.veiled)
        return;
    for (int k = 0; k < WINDOWS; k++)
        shut(&windows[k]);
    size_t count;
    const struct piece *pieces = check_pieces(&count);
    for (const struct piece *at = pieces; at < pieces + count; at++) {
        look_at(*at);
        memcpy((void *)at->p, check_piece_truth(at->p), at->bytes);
    }
    check_region_by_kernel = NULL;
    check_now.veiled = false;
}
