/* Loops that look for what another thread does, at volatile memory or by atomics, say so before
 * each round, so that the other one comes to run:
 *
 *   while (*flag == 0) ;     while (::hpc_dev::looks(), *flag == 0) ;
 *   for (;;) BODY            for (; ::hpc_dev::looks(), true;) BODY
 *
 * Where it may be a thread of the same block, the kernel is none whose threads are a loop. */
#include <string.h>

#include "device/rewrite/rewrite.h"

static bool is_atomic(const struct tokens *t, size_t i)
{
    return t->at[i].length > 8 && memcmp(t->at[i].text, "atomic", 6) == 0 &&
           token_is(t, i + 1, "(");
}

/* What the tokens between look at. */
static void look_for(const struct rewriter *r, size_t from, size_t to, bool *is_volatile,
                     bool *atomic)
{
    const struct tokens *t = &r->t;
    for (size_t i = from; i < to; i++) {
        if (t->at[i].kind != TOKEN_WORD)
            continue;
        *atomic |= is_atomic(t, i);
        *is_volatile |= token_is(t, i, "volatile") || is_volatile_name(r, i);
    }
}

/* Whether a condition that begins at i declares something. */
static bool declares(const struct tokens *t, size_t i)
{
    return t->at[i].kind == TOKEN_WORD && t->at[i + 1].kind == TOKEN_WORD;
}

static bool is_endless(const struct tokens *t, size_t from, size_t to)
{
    return to == from || (to == from + 1 && (token_is(t, from, "true") || token_is(t, from, "1")));
}

/* The condition of the loop at i, [*from, *to), and its body behind it. False where it has none. */
static bool condition_of(const struct tokens *t, size_t i, size_t *from, size_t *to)
{
    if (!token_is(t, i + 1, "("))
        return false;
    const size_t close = (size_t)t->match[i + 1];
    *from = i + 2;
    *to = close;
    if (token_is(t, i, "while"))
        return true;
    size_t semicolons = 0;
    for (size_t k = i + 2; k < close; k++) {
        if (t->match[k] > (int)k)
            k = (size_t)t->match[k];
        else if (token_is(t, k, ";")) {
            *(semicolons == 0 ? from : to) = semicolons == 0 ? k + 1 : k;
            semicolons++;
        }
    }
    return semicolons == 2 && *from == *to; /* the others end by themselves */
}

void rewrite_looks(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    size_t from = 0, to = 0;
    if (!r->device_end || t->files[t->at[i].file].system || i < r->constexpr_end ||
        !condition_of(t, i, &from, &to) || declares(t, from))
        return;
    const size_t body = (size_t)t->match[i + 1] + 1, end = statement_end(t, body, 0);
    const bool tail = token_is(t, i - 1, "}"), empty = token_is(t, body, ";");
    bool is_volatile = false, atomic = false;
    look_for(r, from, to, &is_volatile, &atomic);
    if (is_endless(t, from, to) && end < t->count)
        look_for(r, body, end, &is_volatile, &atomic);
    bool in_body = false, none = false;
    if (end < t->count)
        look_for(r, body, end, &in_body, &none);
    if (empty && tail)
        look_for(r, (size_t)t->match[i - 1], i, &in_body, &none);
    is_volatile |= in_body;
    if (!is_volatile && !atomic)
        return;
    edit_before(r, from, from == to ? " ::hpc_dev::looks(), true" : " ::hpc_dev::looks(), ");
    if (is_volatile || (empty && !tail))
        waiting_word(r, i);
}
