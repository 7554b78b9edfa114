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

#include "device/rewrite/values.h"

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

/* ---- check mode: which kernels may be loops between barriers (phased.h) -----------------------
 */

/* Whether the threads only declare variables there, of values that they read or make. */
static bool only_reads(const struct phases *p, const struct item *one)
{
    const struct tokens *t = &p->r->t;
    bool all = one->kind == ITEM_DECLARES;
    for (int v = one->variable; all && v < one->variable + one->n_variables; v++)
        for (size_t i = p->variables[v].value; all && i < p->variables[v].value_end; i++)
            all = !token_is(t, i, "=") && !(token_is(t, i, "+") && is_joined(t, i + 1, "+")) &&
                  !(token_is(t, i, "-") && is_joined(t, i + 1, "-")) &&
                  !(t->at[i].kind == TOKEN_WORD && token_is(t, i + 1, "(") &&
                    (*t->at[i].text == 'a' || !takes_values(p->r, i)));
    return all;
}

/* What threads may have written since a barrier. */
enum { NOTHING = 0, SEVERAL = -1 }; /* or a region */
struct touched {
    int now;
    bool by_jumps; /* the same of breaks and continues */
};

static int joined(int a, int b)
{
    return a == b ? a : SEVERAL;
}

/* Follows the items from k to token `end`: false where a thread goes from one region to another,
 * and no barrier is on the way but may have written. On fibers it does so before the next thread
 * begins, which shows more of what is wrong. */
static bool is_parted(const struct phases *p, int k, size_t end, struct touched *touched)
{
    const struct tokens *t = &p->r->t;
    for (; k < p->n_items && p->items[k].first <= end; k++) {
        const struct item *one = &p->items[k];
        if (one->kind == ITEM_BARRIER && !has_word(t, one->first, one->last, "this_thread_block"))
            touched->now = NOTHING;
        if (token_is(t, one->first, "break") || token_is(t, one->first, "continue"))
            touched->by_jumps |= touched->now != NOTHING;
        if (one->region > 0 && !only_reads(p, one) && !is_of_values(p, one)) {
            if (touched->now != NOTHING && touched->now != one->region)
                return false;
            touched->now = one->region;
        }
        if (one->kind != ITEM_HEAD)
            continue;
        const bool branch = token_is(t, one->first, "if");
        size_t last = statement_end(t, one->last + 1, 0);
        struct touched body = {.now = touched->now};
        for (int round = 0; round < 2 - branch; round++) {
            body.now = round && body.by_jumps ? SEVERAL : joined(body.now, touched->now);
            if (!is_parted(p, k + 1, last, &body))
                return false;
        }
        if (branch && token_is(t, last + 1, "else")) {
            int other = k;
            while (other < p->n_items && p->items[other].first <= last + 1)
                other++;
            last = statement_end(t, last + 2, 0);
            if (!is_parted(p, other, last, touched))
                return false;
        }
        touched->now = !branch && body.by_jumps ? SEVERAL : joined(touched->now, body.now);
        touched->by_jumps |= branch && body.by_jumps;
        while (k + 1 < p->n_items && p->items[k + 1].first <= last)
            k++;
    }
    return true;
}

/* In check mode the loops are to tell what fibers do: of lanes that meet, if not all of them for
 * their own values, and of a thread's own memory where another one gets at it by a pointer. A
 * declaration is written at its first line, so that accesses further down would be told of there.
 */
bool is_watchable(const struct phases *p)
{
    const struct tokens *t = &p->r->t;
    if (has_word(t, p->k->body, p->k->end, "__syncwarp"))
        return false;
    if (!is_parted(p, 0, p->k->end, &(struct touched){0}))
        return false;
    for (int k = 0; k < p->n_items; k++) {
        const struct item *one = &p->items[k];
        bool moves = false;
        if (one->n_calls > 0 && !is_of_values(p, one))
            return false;
        for (int i = one->variable; i < one->variable + one->n_variables; i++)
            moves |= one->kind == ITEM_DECLARES && p->variables[i].way == WAY_EACH;
        if (one->kind == ITEM_MASK || (moves && t->at[one->first].line != t->at[one->last].line))
            return false;
    }
    for (size_t i = p->k->body + 1; i < p->k->end; i++) {
        const struct variable *v = variable_of(p, i);
        const bool array = v && token_is(t, v->to - 1, "]");
        if (v && i != v->name &&
            ((token_is(t, i - 1, "&") && is_prefix(t, i - 1) && !is_joined(t, i - 1, "&")) ||
             (array && (v->way != WAY_LOCAL || !token_is(t, i + 1, "[")))))
            return false;
    }
    return true;
}
