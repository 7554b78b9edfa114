/* By which calls a thread came where it is: a function that is called from both sides of a branch
 * has lanes of both in it, which on a GPU are not together there.
 *
 * The unwinder takes microseconds. So the last chains are kept, with the places on the stack where
 * their return addresses lie: a return address says where in its caller's frame the next one is, so
 * a stack that has all of them in the same places is of the same chain. */
#include <string.h>
#include <unwind.h>

#include "device/runtime/runtime.h"

enum { KEPT = 16, MOST_CALLS = 24 };

struct chain {
    uint64_t number;
    unsigned calls;
    ptrdiff_t at[MOST_CALLS]; /* bytes from dev_chain's frame */
    uintptr_t to[MOST_CALLS];
};

static __thread struct chain kept[KEPT];
static __thread unsigned kept_next;

struct walk {
    struct chain chain;
    const char *frame;
    bool begun, odd; /* odd: not to be kept */
};

static _Unwind_Reason_Code add_call(struct _Unwind_Context *context, void *data)
{
    struct walk *w = data;
    struct chain *c = &w->chain;
    uintptr_t to = (uintptr_t)_Unwind_GetIP(context), slot = (uintptr_t)_Unwind_GetCFA(context) - 8;
    if (!w->begun) { /* dev_chain itself */
        w->begun = true;
        return _URC_NO_REASON;
    }
    if (to == 0)
        return _URC_END_OF_STACK;
    c->number = (c->number ^ to) * UINT64_C(0x100000001b3);
    if (c->calls == MOST_CALLS || *(const uintptr_t *)slot != to) {
        w->odd = true;
        return _URC_NO_REASON;
    }
    c->at[c->calls] = (const char *)slot - w->frame;
    c->to[c->calls++] = to;
    return _URC_NO_REASON;
}

__attribute__((no_sanitize("address"))) static bool is_chain(const struct chain *c,
                                                             const char *frame)
{
    for (unsigned i = 0; i < c->calls; i++)
        if (*(const uintptr_t *)(frame + c->at[i]) != c->to[i])
            return false;
    return c->calls > 0;
}

__attribute__((noinline)) uint64_t dev_chain(void)
{
    struct walk w = {.chain.number = UINT64_C(0xcbf29ce484222325),
                     .frame = __builtin_frame_address(0)};
    for (unsigned i = 0; i < KEPT; i++)
        if (is_chain(&kept[i], w.frame))
            return kept[i].number;
    _Unwind_Backtrace(add_call, &w);
    if (!w.odd && w.chain.calls > 0)
        kept[kept_next++ % KEPT] = w.chain;
    return w.chain.number;
}
