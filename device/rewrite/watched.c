/* Check mode: which kernels may be loops between barriers (phased.h). */
#include <stdint.h>
#include <stdlib.h>

#include "device/rewrite/phased.h"

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

/* Whether the tokens are one number with all bits of an unsigned. */
static bool is_all_ones(const struct tokens *t, size_t from, size_t to)
{
    return to == from + 1 && t->at[from].kind == TOKEN_NUMBER &&
           strtoull(t->at[from].text, NULL, 0) == UINT32_MAX;
}

/* Whether the name stands for all ones in the whole file. */
static bool is_full_name(const struct tokens *t, size_t name)
{
    bool found = false;
    for (size_t i = 1; i + 3 < t->count; i++) {
        if (!same_name(t, i, name))
            continue;
        const struct token *next = &t->at[i + 1];
        if (token_is(t, i + 1, "=") && !is_joined(t, i + 2, "=")) {
            if (!is_all_ones(t, i + 2, i + 3) || t->at[i + 3].kind != TOKEN_PUNCT ||
                !strchr(",;}", *t->at[i + 3].text))
                return false;
            found = true;
        } else if (!(next->kind == TOKEN_PUNCT && strchr(",;)}", *next->text)) ||
                   !(token_is(t, i - 1, "(") || token_is(t, i - 1, ","))) {
            return false; /* may be changed, or something else by that name */
        }
    }
    return found;
}

static bool has_full_mask(const struct phases *p, const struct warp_call *call)
{
    const struct tokens *t = &p->r->t;
    const size_t mask = call->name + 2, end = call->value - 1;
    return is_all_ones(t, mask, end) ||
           (end == mask + 1 && t->at[mask].kind == TOKEN_WORD && is_full_name(t, mask));
}

static bool is_parameter(const struct phases *p, size_t i)
{
    for (int k = 0; k < p->n_parameters; k++)
        if (same_name(&p->r->t, p->parameters[k], i))
            return true;
    return false;
}

/* Of the program itself. */
static bool is_functions_name(const struct rewriter *r, size_t i)
{
    for (int f = 0; f < r->n_functions; f++)
        if (r->functions[f].name < r->t.count && same_name(&r->t, r->functions[f].name, i))
            return true;
    return false;
}

/* Whether the threads do nothing there but with values of their own, which no other one sees, and
 * shuffles of whole warps; and nothing fails. */
static bool is_of_values(const struct phases *p, const struct item *one)
{
    static const char *const words[] = {
        "x",         "y",        "z", /* members */
        "threadIdx", "blockIdx", "blockDim", "gridDim", "warpSize", "min",      "max",
        "fminf",     "fmaxf",    "fabsf",    "abs",     "const",    "unsigned", "int",
        "float",     "double",   "long",     "size_t",  "if",       "else",     NULL};
    const struct tokens *t = &p->r->t;
    if (one->kind != ITEM_EACH && one->kind != ITEM_DECLARES && one->kind != ITEM_ASSIGNS)
        return false;
    for (size_t i = one->first; i <= one->last; i++) {
        const struct variable *v = variable_of(p, i);
        bool known = t->at[i].kind == TOKEN_NUMBER || (v && !token_is(t, v->to - 1, "]")) ||
                     is_parameter(p, i);
        if (t->at[i].kind == TOKEN_PUNCT)
            known = !strchr("[{/%#", *t->at[i].text) && !token_is(t, i, "->") &&
                    !((token_is(t, i, "*") || token_is(t, i, "&")) && is_prefix(t, i) &&
                      !is_joined(t, i, "&") && !is_joined(t, i + 1, "&"));
        for (const char *const *w = words; *w && !known; w++)
            known = token_is(t, i, *w) && (w >= words + 3 || token_is(t, i - 1, ".")) &&
                    !is_functions_name(p->r, i);
        for (int c = one->call; c < one->call + one->n_calls && !known; c++)
            if (i == p->calls[c].name) {
                if (p->calls[c].votes || !has_full_mask(p, &p->calls[c]))
                    return false;
                known = true;
                i = p->calls[c].value - 1;
            }
        if (!known)
            return false;
    }
    return true;
}

bool is_unseen(const struct phases *p, const struct item *first, size_t end)
{
    bool unseen = p->r->watched;
    for (const struct item *one = first;
         unseen && one < p->items + p->n_items && one->region == first->region && one->first < end;
         one++)
        unseen = is_of_values(p, one);
    return unseen;
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

/* In check mode the loops are to tell what fibers do: of threads that left before a barrier, of
 * lanes that not all come to meet, and of a thread's own memory where another one gets at it by a
 * pointer. Lanes that all come, at what touches no memory, may go side by side. A
 * declaration is written at its first line, so that accesses further down would be told of there.
 */
bool is_watchable(const struct phases *p)
{
    const struct tokens *t = &p->r->t;
    if (p->leaves || has_word(t, p->k->body, p->k->end, "__syncwarp"))
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
