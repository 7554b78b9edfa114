/* Loops of device code tell which round they are in, where that matters:
 *
 *   for (a; b; c) BODY   { ::hpc_dev::loop_rounds hpc_rounds_1(1); for (a; b; c)
 *                        if (hpc_rounds_1.next(), false) { } else BODY }
 *
 * It matters where a lane may leave an access out in a round: where the body has a condition, a
 * loop or a call. In other bodies the k-th access at a place is that of round k. Loops with a label
 * are left alone, since a jump must not go round the declaration, and what is constexpr, since
 * nothing in it may have a destructor. Traffic mode counts in all files, for the model
 * (device/include/hpc_device/every_loop.h); the others where a lane may ask which others are with
 * it: lanes in other rounds are not. */
#include <stdlib.h>
#include <string.h>

#include "device/rewrite/phased.h"

enum { DEEPEST = 100 }; /* statements in statements; deeper loops are left alone */

/* What asks which lanes are there. */
static const char *const asking[] = {
    "__activemask", "coalesced_threads", "__shfl", "__shfl_up", "__shfl_down",
    "__shfl_xor",   "__ballot",          "__any",  "__all",     NULL};

static bool is_word_of(const struct tokens *t, size_t i, const char *const *words)
{
    for (; *words; words++)
        if (token_is(t, i, *words))
            return true;
    return false;
}

bool rounds_matter(const struct tokens *t)
{
    for (size_t i = 0; i < t->count; i++) {
        bool system = t->files[t->at[i].file].system;
        if (system ? token_is(t, i, "every_loop_counts") : is_word_of(t, i, asking))
            return true;
    }
    return false;
}

static size_t after_directives(const struct tokens *t, size_t i)
{
    while (i < t->count && t->at[i].kind == TOKEN_DIRECTIVE)
        i++;
    return i;
}

/* The token after WORD (..) at i, or t->count. */
static size_t after_head(const struct tokens *t, size_t i)
{
    size_t open = i + 1 + token_is(t, i + 1, "constexpr");
    return token_is(t, open, "(") ? after_directives(t, (size_t)t->match[open] + 1) : t->count;
}

size_t statement_end(const struct tokens *t, size_t i, int depth)
{
    static const char *const heads[] = {"for", "while", "switch", NULL};
    i = after_directives(t, i);
    while (token_is(t, i, "[") && token_is(t, i + 1, "["))
        i = after_directives(t, (size_t)t->match[i] + 1);
    if (i >= t->count || depth == DEEPEST)
        return t->count;
    if (token_is(t, i, "{"))
        return (size_t)t->match[i];
    if (is_word_of(t, i, heads))
        return statement_end(t, after_head(t, i), depth + 1);
    if (token_is(t, i, "if")) {
        size_t end = statement_end(t, after_head(t, i), depth + 1);
        size_t other = end < t->count ? after_directives(t, end + 1) : end;
        return token_is(t, other, "else") ? statement_end(t, other + 1, depth + 1) : end;
    }
    if (token_is(t, i, "do")) {
        size_t end = statement_end(t, i + 1, depth + 1);
        if (end < t->count)
            end = after_head(t, after_directives(t, end + 1));
        return token_is(t, end, ";") ? end : t->count;
    }
    for (; i < t->count && !token_is(t, i, "}"); i++) {
        if (token_is(t, i, ";"))
            return i;
        if (t->match[i] > (int)i)
            i = (size_t)t->match[i];
    }
    return t->count;
}

bool has_word(const struct tokens *t, size_t first, size_t last, const char *word)
{
    for (size_t i = first; i <= last; i++)
        if (token_is(t, i, word))
            return true;
    return false;
}

bool jumps_out(const struct tokens *t, size_t first, size_t last)
{
    for (size_t i = first; i <= last; i++) {
        if (token_is(t, i, "goto") || token_is(t, i, "asm") || token_is(t, i, "__asm__"))
            return true;
        if (token_is(t, i, "break") || token_is(t, i, "continue") || token_is(t, i, "case"))
            return true;
        if (token_is(t, i, "for") || token_is(t, i, "while") || token_is(t, i, "do") ||
            token_is(t, i, "switch")) {
            const size_t end = statement_end(t, i, 0);
            if (end >= t->count || has_word(t, i, end, "goto"))
                return true;
            i = end;
        }
    }
    return false;
}

/* Whether a lane may leave out some of the tokens between in one round and not in another. */
static bool may_part(const struct tokens *t, size_t from, size_t to)
{
    static const char *const words[] = {"if",   "for",      "while", "do",     "switch", "?",
                                        "goto", "continue", "break", "return", NULL};
    for (size_t i = from; i < to; i++) {
        bool doubled = (token_is(t, i, "&") || token_is(t, i, "|")) && t->at[i + 1].space == 0 &&
                       t->at[i].length == t->at[i + 1].length &&
                       *t->at[i].text == *t->at[i + 1].text;
        bool called = token_is(t, i + 1, "(") &&
                      (t->at[i].kind == TOKEN_WORD || token_is(t, i, ">") || token_is(t, i, "]"));
        if (doubled || called || is_word_of(t, i, words))
            return true;
    }
    return false;
}

/* Whether a jump from outside may end between. */
static bool has_label(const struct tokens *t, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        if (token_is(t, i, "switch")) { /* its labels are its own */
            size_t body = after_head(t, i);
            if (token_is(t, body, "{"))
                i = (size_t)t->match[body];
        } else if (token_is(t, i, "case") || token_is(t, i, "default")) {
            return true;
        } else if (t->at[i].kind == TOKEN_WORD && token_is(t, i + 1, ":") && i > from &&
                   t->at[i - 1].kind == TOKEN_PUNCT && strchr(";{})", *t->at[i - 1].text)) {
            return true;
        }
    }
    return false;
}

void rounds_constexpr(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    bool in_function = scope_now(r) == SCOPE_BLOCK || scope_now(r) == SCOPE_LAMBDA;
    for (; i < t->count && !token_is(t, i, ";"); i++)
        if (t->match[i] > (int)i) {
            bool body = token_is(t, i, "{") && !in_function;
            i = (size_t)t->match[i];
            if (body)
                break;
        }
    r->constexpr_end = i;
}

void rewrite_loop(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    if (!r->device_end || i < r->constexpr_end || t->files[t->at[i].file].system)
        return;
    size_t body = token_is(t, i, "do") ? i + 1 : after_head(t, i), end = statement_end(t, i, 0);
    note_loop(r, i, end);
    if (!r->counts_rounds || end >= t->count || !may_part(t, body, statement_end(t, body, 0)) ||
        has_label(t, body, end))
        return;
    struct buffer b = {0};
    size_t first = i;
    while (first > 0 && t->at[first - 1].kind == TOKEN_DIRECTIVE) /* #pragma unroll */
        first--;
    int serial = ++r->serial;
    buffer_add(&b, " { ::hpc_dev::loop_rounds hpc_rounds_%d(%d); ", serial, serial);
    edit_before(r, first, b.text);
    b.length = 0;
    buffer_add(&b, " if (hpc_rounds_%d.next(), false) { } else ", serial);
    edit_before(r, body, b.text);
    free(b.text);
    edit_after(r, end, " }");
}

/* ---- loops that look for others' work ---------------------------------------------------------
 */

/* Loops that look for what another thread does, at volatile memory or by atomics, say so before
 * each round, so that the other one comes to run:
 *
 *   while (*flag == 0) ;     while (::hpc_dev::looks(), *flag == 0) ;
 *   for (;;) BODY            for (; ::hpc_dev::looks(), true;) BODY
 *
 * Where it may be a thread of the same block, the kernel is none whose threads are a loop. */
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
