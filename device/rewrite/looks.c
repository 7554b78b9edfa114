/* Loops that look for what another thread does, at volatile memory or by atomics, say so before
 * each round, so that the other one comes to run, and when they end, so that a launch which gets on
 * can be told from one that waits in vain:
 *
 *   while (*flag == 0) ;     while (::hpc_dev::looks(), (*flag == 0) ? true : ::hpc_dev::found()) ;
 *   for (;;) BODY            for (; ::hpc_dev::looks(), true;) BODY
 *   break; in such a BODY    { ::hpc_dev::found(); break; }
 *   .. BODY that stores      .. ::hpc_dev::looks(), ::hpc_dev::found(), ..
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

/* Whether the tokens between store to memory, as more than a wait does: a variable's name alone may
 * be the thread's own. */
static bool stores(const struct tokens *t, size_t from, size_t to)
{
    for (size_t k = from + 1; k + 1 < to; k++) {
        const bool twice = token_is(t, k, "+") || token_is(t, k, "-");
        const bool step = twice && t->at[k + 1].kind == t->at[k].kind &&
                          t->at[k + 1].text == t->at[k].text + 1 &&
                          *t->at[k + 1].text == *t->at[k].text;
        if (!step && (!token_is(t, k, "=") || token_is(t, k + 1, "=") ||
                      memchr("=!<>", *t->at[k - 1].text, 4)))
            continue;
        size_t left = k - 1;
        while (!step && left > from && t->at[left].length == 1 &&
               memchr("+-*/%&|^", *t->at[left].text, 8))
            left--;
        const size_t open = token_is(t, left, ")") ? (size_t)t->match[left] : left;
        const bool star = open > from && token_is(t, open - 1, "*");
        if (token_is(t, left, "]") || (step && token_is(t, k + 2, "*")) ||
            (open != left && token_is(t, open + 1, "*")) || /* (*n)++ */
            (left > from && (token_is(t, left - 1, "->") || token_is(t, left - 1, "."))) ||
            (star && (open < 2 || strchr(";{}(),:", *t->at[open - 2].text))))
            return true;
    }
    return false;
}

/* The end of the loop or switch at k, 0 where none is. */
static size_t inner_end(const struct tokens *t, size_t k)
{
    if (token_is(t, k, "do"))
        return statement_end(t, k + 1, 0);
    const bool is = token_is(t, k, "for") || token_is(t, k, "while") || token_is(t, k, "switch");
    return is && token_is(t, k + 1, "(") ? statement_end(t, (size_t)t->match[k + 1] + 1, 0) : 0;
}

/* What ends an endless loop of this body. */
static void rewrite_ends(struct rewriter *r, size_t body, size_t end)
{
    const struct tokens *t = &r->t;
    size_t inner = 0;
    for (size_t k = body; k < end; k++) {
        const size_t ends = inner_end(t, k);
        inner = ends > inner ? ends : inner;
        if (!token_is(t, k, "return") && !(token_is(t, k, "break") && k >= inner))
            continue;
        size_t semicolon = k + 1;
        while (semicolon < end && !token_is(t, semicolon, ";"))
            semicolon =
                (t->match[semicolon] > (int)semicolon ? (size_t)t->match[semicolon] : semicolon) +
                1;
        edit_before(r, k, "{ ::hpc_dev::found(); ");
        edit_after(r, semicolon, " }");
        k = semicolon;
    }
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
    const bool waits = is_volatile || (empty && !tail);
    const size_t first = tail ? (size_t)t->match[i - 1] : body, last = tail ? i : end;
    edit_before(r, from, " ::hpc_dev::looks(), ");
    if (stores(t, first, last < t->count ? last : first))
        edit_before(r, from, "::hpc_dev::found(), ");
    edit_before(r, from, from == to ? "true" : "(");
    if (from < to)
        edit_before(r, to, ") ? true : ::hpc_dev::found()");
    if (waits && is_endless(t, from, to) && !tail && end < t->count)
        rewrite_ends(r, body, end);
    if (waits)
        waiting_word(r, i);
}
