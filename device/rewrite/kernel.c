/* __global__ void k(parameters) { body } becomes a function that the host calls once: its body is a
 * lambda, which copies the parameters and is called for each thread, or once a block. */
#include <stdlib.h>

#include "device/rewrite/values.h"

/* What stands before a token: a warp's call is of what the lanes have put down, and of its value
 * only the type is needed. And behind one, with `last`. */
static void add_of_warp(struct buffer *b, const struct phases *p, size_t i, bool last)
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
static void add_tokens(struct buffer *b, const struct phases *p, size_t from, size_t to,
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

static bool is_around(const struct variable *v, const struct item *first, size_t end)
{
    return v->start < end && v->scope_end > first->first;
}

/* SPECIFIERS DECLARATOR of a variable, which can be written to: a member of a struct. */
static void add_member(struct buffer *b, const struct phases *p, const struct variable *v)
{
    static const char *const constant[] = {"const", "register", NULL};
    static const char *const storage[] = {"register", NULL};
    const bool pointer = token_is(&p->r->t, v->from, "*");
    add_tokens(b, p, v->start, v->specifiers, pointer ? storage : constant, false);
    buffer_add(b, " ");
    add_tokens(b, p, v->from, v->to, constant, false);
}

/* Whether a region makes nothing but what is made again where it is used. */
static bool is_idle(const struct phases *p, const struct item *first, const struct item *last)
{
    for (const struct item *one = first; one <= last; one++) {
        if (one->kind != ITEM_DECLARES)
            return false;
        for (int i = one->variable; i < one->variable + one->n_variables; i++)
            if (p->variables[i].way != WAY_AGAIN)
                return false;
    }
    return true;
}

/* The begin of a loop over the threads, with the variables that are there in [first, end). */
static void open_loop(struct buffer *b, const struct phases *p, const struct item *first,
                      size_t end)
{
    const struct tokens *t = &p->r->t;
    buffer_add(b, " ::hpc_dev::each_%s(blockDim, ", is_unseen(p, first, end) ? "unseen" : "thread");
    if (first->bound) {
        buffer_add(b, "::hpc_dev::threads_below<");
        add_tokens(b, p, first->as ? first->as->start : 0, first->as ? first->as->specifiers : 0,
                   NULL, false);
        buffer_add(b, "%s>(blockDim.x,%s", first->as ? "" : "unsigned",
                   first->bound == first->bound_end ? " 1" : "");
        add_tokens(b, p, first->bound, first->bound_end, NULL, false);
        buffer_add(b, "), ");
    }
    buffer_add(b, "[&](const uint3 threadIdx, "
                  "[[maybe_unused]] const unsigned hpc_t) __attribute__((always_inline)) {");
    if (first->mask)
        buffer_add(b, " if (!hpc_in_%d.of[hpc_t]) return;", first->mask);
    if (p->leaves && first->first > p->leaves)
        buffer_add(b, " if (hpc_left.has(hpc_t)) return;");
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

/* Each thread puts down what it brings to the warp's calls of a statement. */
static void put_values(struct buffer *b, const struct phases *p, const struct item *one)
{
    const struct warp_call *calls = &p->calls[one->call];
    for (int c = 0; c < one->n_calls; c++)
        buffer_add(b, " ::hpc_dev::warp_values hpc_w_%d;", calls[c].serial);
    open_loop(b, p, one, one->last + 1);
    for (int c = 0; c < one->n_calls; c++) {
        buffer_add(b, " hpc_w_%d.put%s(hpc_t,", calls[c].serial, calls[c].votes ? "_vote" : "");
        add_tokens(b, p, calls[c].value, calls[c].value_end, NULL, false);
        buffer_add(b, ");");
    }
    buffer_add(b, p->r->watched ? " }); ::dev_loop_warps_meet();" : " });");
    for (int c = 0; c < one->n_calls; c++)
        if (calls[c].votes)
            buffer_add(b, " hpc_w_%d.count(blockDim.x * blockDim.y * blockDim.z);",
                       calls[c].serial);
}

/* Arrays for variables that the region [first, end) declares, before it; and what stands at its
 * begin. */
static void open_region(struct phases *p, const struct item *first, size_t end)
{
    struct buffer b = {0};
    buffer_add(&b, "%s", first->n_calls > 0 && first->alone ? " {" : "");
    for (int i = 0; i < p->n_variables; i++) {
        const struct variable *v = &p->variables[i];
        if (v->way != WAY_EACH || p->items[v->item].region != first->region)
            continue;
        buffer_add(&b, " struct hpc_each_%d { ", v->serial);
        add_member(&b, p, v);
        buffer_add(&b, "; }; ::hpc_dev::each_threads<hpc_each_%d> hpc_of_%d;", v->serial,
                   v->serial);
    }
    if (first->n_calls > 0)
        put_values(&b, p, first);
    open_loop(&b, p, first, end);
    edit_before(p->r, first->first, b.text);
    free(b.text);
}

/* Copies go back at its end. */
static void close_region(struct phases *p, const struct item *first, const struct item *last)
{
    struct buffer b = {0};
    for (int i = 0; i < p->n_variables && p->r->watched; i++) {
        const struct variable *v = &p->variables[i];
        const struct token *name = &p->r->t.at[v->name];
        if (v->way == WAY_EACH && is_around(v, first, last->last + 1) &&
            is_used(p, v, first->first, last->last))
            buffer_add(&b, " hpc_of_%d.put(hpc_t, &hpc_each_%d::%.*s, %.*s);", v->serial, v->serial,
                       name->length, name->text, name->length, name->text);
    }
    buffer_add(&b, "%s", first->n_calls > 0 && first->alone ? " }); }" : " });");
    edit_after(p->r, last->last, b.text);
    free(b.text);
}

/* A statement that stays as it is, but for its warp's calls. */
static void write_warp_calls(struct phases *p, const struct item *one)
{
    for (int c = one->call; c < one->call + one->n_calls; c++) {
        const size_t at[] = {p->calls[c].name, p->calls[c].value};
        for (int i = 0; i < 2; i++) {
            struct buffer b = {0};
            add_of_warp(&b, p, at[i], false);
            edit_before(p->r, at[i], b.text);
            free(b.text);
        }
        edit_after(p->r, p->calls[c].value_end - 1, ")>()");
    }
}

/* A declaration of which some variables outlive their region. */
static void write_declaration(struct phases *p, const struct item *one)
{
    const struct tokens *t = &p->r->t;
    bool all_local = true;
    for (int i = one->variable; i < one->variable + one->n_variables; i++)
        all_local &= p->variables[i].way == WAY_LOCAL;
    if (all_local) {
        write_warp_calls(p, one);
        return;
    }
    struct buffer b = {0};
    for (int i = one->variable; i < one->variable + one->n_variables; i++) {
        const struct variable *v = &p->variables[i];
        if (v->way == WAY_AGAIN || (v->way == WAY_EACH && !v->value))
            continue;
        buffer_add(&b, " ");
        if (v->way == WAY_LOCAL) {
            add_tokens(&b, p, v->start, v->specifiers, NULL, false);
            buffer_add(&b, " ");
            add_tokens(&b, p, v->from, v->value ? v->value_end : v->to, NULL, true);
        } else {
            buffer_add(&b, "%.*s = ", t->at[v->name].length, t->at[v->name].text);
            add_tokens(&b, p, v->value, v->value_end, NULL, true);
        }
        buffer_add(&b, ";");
    }
    for (size_t i = one->first; i <= one->last; i++)
        p->r->edits[i].drop = true;
    if (b.text)
        edit_before(p->r, one->first, b.text);
    free(b.text);
}

/* Which threads go behind a head: a variable in place of it. */
static void write_mask(struct phases *p, int k)
{
    const struct item *one = &p->items[k];
    struct buffer b = {0};
    buffer_add(&b, " { ::hpc_dev::threads_marked hpc_in_%d;", k + 1);
    open_loop(&b, p, one, one->last);
    buffer_add(&b, " hpc_in_%d.of[hpc_t] = static_cast<bool>(", k + 1);
    add_tokens(&b, p, one->first + 1, one->last + 1, NULL, false);
    buffer_add(&b, "); });");
    edit_before(p->r, one->first, b.text);
    free(b.text);
    for (size_t i = one->first; i <= one->last; i++)
        p->r->edits[i].drop = true;
}

void write_phases(struct phases *p)
{
    for (int k = 0; k < p->n_items; k++) {
        struct item *one = &p->items[k];
        if (one->kind == ITEM_MASK)
            write_mask(p, k);
        if (one->region == 0 || one->kind == ITEM_MASK)
            continue;
        int last = k;
        while (last + 1 < p->n_items && p->items[last + 1].region == one->region)
            last++;
        const bool idle = is_idle(p, one, &p->items[last]);
        if (!idle)
            open_region(p, one, p->items[last].last + 1);
        for (; k <= last; k++)
            (p->items[k].kind == ITEM_DECLARES ? write_declaration
                                               : write_warp_calls)(p, &p->items[k]);
        k = last;
        if (!idle)
            close_region(p, one, &p->items[last]);
    }
    for (int k = 0; k < p->n_items; k++)
        if (p->items[k].kind == ITEM_MASK)
            edit_after(p->r, p->items[k].end, " }");
}

void write_kernels(struct rewriter *r)
{
    for (int i = 0; i < r->n_kernels; i++) {
        const struct kernel *k = &r->kernels[i];
        const struct token *name = &r->t.at[k->name];
        struct buffer b = {0}, references = {0}, bounds = {0};
        char how[40];
        buffer_add_bounds(&bounds, &r->t, k->name);
        buffer_add(&references, "%s", "");
        buffer_add_references(&references, &r->t, parameters(&r->t, k->name));
        snprintf(how, sizeof how, k->phased ? "run_phases" : "run<%s, %s>",
                 k->plain ? "true" : "false", k->ends ? "true" : "false");
        buffer_add(&b,
                   " static ::hpc_dev::kernel hpc_kernel = {\"%.*s\", \"%s\", %d, 0, 0, 0, 0, %s};"
                   " if (::hpc_dev::asked(hpc_kernel)) return;"
                   " ::hpc_dev::%s(hpc_kernel, ::hpc_dev::arguments{[=%s](%s"
                   " [[maybe_unused]] const uint3 blockIdx, [[maybe_unused]] const dim3 blockDim,"
                   " [[maybe_unused]] const dim3 gridDim) mutable%s {%s",
                   name->length, name->text, r->t.files[name->file].name, name->line, bounds.text,
                   how, references.text, k->phased ? "" : "[[maybe_unused]] const uint3 threadIdx,",
                   k->phased && r->inlined ? " __attribute__((always_inline))" : "",
                   k->leaves ? " ::hpc_dev::threads_left hpc_left;" : "");
        edit_after(r, k->body, b.text);
        free(b.text);
        free(references.text);
        free(bounds.text);
        edit_before(r, k->end, " }}.f);");
    }
}
