/* Check mode: statements of which the checker has nothing to see, as they are of values of the
 * threads themselves. */
#ifndef HPC_DEVICE_REWRITE_VALUES_H
#define HPC_DEVICE_REWRITE_VALUES_H

#include <stdint.h>
#include <stdlib.h>

#include "device/rewrite/phased.h"

/* Whether the tokens are one number with all bits of an unsigned. */
static inline bool is_all_ones(const struct tokens *t, size_t from, size_t to)
{
    return to == from + 1 && t->at[from].kind == TOKEN_NUMBER &&
           strtoull(t->at[from].text, NULL, 0) == UINT32_MAX;
}

/* Whether the name stands for all ones in the whole file. */
static inline bool is_full_name(const struct tokens *t, size_t name)
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

static inline bool has_full_mask(const struct phases *p, const struct warp_call *call)
{
    const struct tokens *t = &p->r->t;
    const size_t mask = call->name + 2, end = call->value - 1;
    return is_all_ones(t, mask, end) ||
           (end == mask + 1 && t->at[mask].kind == TOKEN_WORD && is_full_name(t, mask));
}

static inline bool is_parameter(const struct phases *p, size_t i)
{
    for (int k = 0; k < p->n_parameters; k++)
        if (same_name(&p->r->t, p->parameters[k], i))
            return true;
    return false;
}

/* Of the program itself. */
static inline bool is_functions_name(const struct rewriter *r, size_t i)
{
    for (int f = 0; f < r->n_functions; f++)
        if (r->functions[f].name < r->t.count && same_name(&r->t, r->functions[f].name, i))
            return true;
    return false;
}

/* Whether the threads do nothing there but with values of their own, which no other one sees, and
 * shuffles of whole warps; and nothing fails. */
static inline bool is_of_values(const struct phases *p, const struct item *one)
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
        for (int k = one->variable; k < one->variable + one->n_variables; k++) /* its type */
            known |= i >= p->variables[k].start && i < p->variables[k].specifiers;
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

/* Whether the checker has nothing to see, in check mode, of the items from `first` on that begin
 * before `end`. */
static inline bool is_unseen(const struct phases *p, const struct item *first, size_t end)
{
    bool unseen = p->r->watched;
    for (const struct item *one = first;
         unseen && one < p->items + p->n_items && one->region == first->region && one->first < end;
         one++)
        unseen = is_of_values(p, one);
    return unseen;
}

#endif
