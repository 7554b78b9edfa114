/* Text of a region between two barriers (phased.h), and of its variables. */
#ifndef HPC_DEVICE_REWRITE_REGIONS_H
#define HPC_DEVICE_REWRITE_REGIONS_H

#include "device/rewrite/phased.h"

/* What stands before a token: a warp's call is of what the lanes have put down, and of its value
 * only the type is needed. And behind one, with `last`. */
static inline void add_of_warp(struct buffer *b, const struct phases *p, size_t i, bool last)
{
    for (int c = 0; c < p->n_calls; c++) {
        const struct warp_call *call = &p->calls[c];
        if (last && i == call->value_end - 1)
            buffer_add(b, ")>()");
        else if (!last && i == call->name) {
            const int mask = p->items[item_of(p, i)].mask;
            buffer_add(b, " ::hpc_dev::warp_lane{hpc_w_%d, hpc_t,", call->serial);
            buffer_add(b, " blockDim.x * blockDim.y * blockDim.z");
            if (mask)
                buffer_add(b, ", hpc_in_%d.of", mask);
            buffer_add(b, "}.");
        } else if (!last && i == call->value)
            buffer_add(b, " ::hpc_dev::like<decltype(");
    }
}

/* The tokens [from, to) without `skip` words (NULL: none), as they stand together: a >> b.
 * `of_warp`: a warp's calls are rewritten. */
static inline void add_tokens(struct buffer *b, const struct phases *p, size_t from, size_t to,
                              const char *const *skip, bool of_warp)
{
    const struct tokens *t = &p->r->t;
    for (size_t i = from; i < to; i++) {
        const struct token *k = &t->at[i];
        bool skipped = k->kind == TOKEN_DIRECTIVE;
        for (const char *const *s = skip; s && *s && !skipped; s++)
            skipped = token_is(t, i, *s);
        const bool joined = i > from && k->space == 0 && k->line == t->at[i - 1].line &&
                            k->kind == TOKEN_PUNCT && t->at[i - 1].kind == TOKEN_PUNCT;
        if (of_warp)
            add_of_warp(b, p, i, false);
        if (!skipped)
            buffer_add(b, "%s%.*s", joined ? "" : " ", k->length, k->text);
        if (of_warp)
            add_of_warp(b, p, i, true);
    }
}

static inline bool is_around(const struct variable *v, const struct item *first, size_t end)
{
    return v->start < end && v->scope_end > first->first;
}

/* The bound of a loop over threads, an argument. */
static inline void add_bound(struct buffer *b, const struct phases *p, const struct item *first)
{
    if (!first->bound)
        return;
    buffer_add(b, "::hpc_dev::threads_below<");
    add_tokens(b, p, first->as ? first->as->start : 0, first->as ? first->as->specifiers : 0, NULL,
               false);
    buffer_add(b, "%s>(blockDim.x,%s", first->as ? "" : "unsigned",
               first->bound == first->bound_end ? " 1" : "");
    add_tokens(b, p, first->bound, first->bound_end, NULL, false);
    buffer_add(b, "), ");
}

/* The variables that are there in [first, end). */
static inline void add_variables(struct buffer *b, const struct phases *p, const struct item *first,
                                 size_t end)
{
    const struct tokens *t = &p->r->t;
    for (int i = 0; i < p->n_variables; i++) {
        const struct variable *v = &p->variables[i];
        if (!is_around(v, first, end))
            continue;
        if (v->way == WAY_AGAIN) {
            buffer_add(b, " [[maybe_unused]] ");
            add_tokens(b, p, v->start, v->specifiers, NULL, false);
            buffer_add(b, " ");
            add_tokens(b, p, v->from, v->value_end, NULL, false);
            buffer_add(b, ";");
        } else if (v->way == WAY_EACH && (!p->r->watched || is_used(p, v, first->first, end))) {
            /* In check mode a copy, as each access by a reference would be looked at. */
            const int n = t->at[v->name].length;
            const char *const name = t->at[v->name].text;
            buffer_add(b, " [[maybe_unused]] auto %s%.*s = hpc_of_%d", p->r->watched ? "" : "&", n,
                       name, v->serial);
            if (p->r->watched)
                buffer_add(b, ".get(hpc_t, &hpc_each_%d::%.*s);", v->serial, n, name);
            else
                buffer_add(b, "[hpc_t].%.*s;", n, name);
        }
    }
}

/* What of them goes back at the region's end. */
static inline void add_copies(struct buffer *b, const struct phases *p, const struct item *first,
                              const struct item *last)
{
    for (int i = 0; i < p->n_variables && p->r->watched; i++) {
        const struct variable *v = &p->variables[i];
        const struct token *name = &p->r->t.at[v->name];
        if (v->way == WAY_EACH && is_around(v, first, last->last + 1) &&
            is_used(p, v, first->first, last->last))
            buffer_add(b, " hpc_of_%d.put(hpc_t, &hpc_each_%d::%.*s, %.*s);", v->serial, v->serial,
                       name->length, name->text, name->length, name->text);
    }
}

static inline bool is_all_local(const struct phases *p, const struct item *one)
{
    bool all_local = true;
    for (int i = one->variable; i < one->variable + one->n_variables; i++)
        all_local &= p->variables[i].way == WAY_LOCAL;
    return all_local;
}

/* A declaration of which some variables outlive their region. */
static inline void add_declaration(struct buffer *b, const struct phases *p, const struct item *one)
{
    const struct tokens *t = &p->r->t;
    for (int i = one->variable; i < one->variable + one->n_variables; i++) {
        const struct variable *v = &p->variables[i];
        if (v->way == WAY_AGAIN || (v->way == WAY_EACH && !v->value))
            continue;
        buffer_add(b, " ");
        if (v->way == WAY_LOCAL) {
            add_tokens(b, p, v->start, v->specifiers, NULL, false);
            buffer_add(b, " ");
            add_tokens(b, p, v->from, v->value ? v->value_end : v->to, NULL, true);
        } else {
            buffer_add(b, "%.*s = ", t->at[v->name].length, t->at[v->name].text);
            add_tokens(b, p, v->value, v->value_end, NULL, true);
        }
        buffer_add(b, ";");
    }
}

#endif
