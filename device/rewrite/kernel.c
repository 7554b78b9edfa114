/* __global__ void k(parameters) { body } becomes a function that the host calls once: its body is a
 * lambda, which copies the parameters and is called for each thread, or once a block. */
#include <stdlib.h>

#include "device/rewrite/batches.h"
#include "device/rewrite/values.h"

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
    buffer_add(b, " ::hpc_dev::each_%s(blockDim, ", is_unseen(p, first, end) ? "unseen" : "thread");
    add_bound(b, p, first);
    buffer_add(b, "[&](const uint3 threadIdx, "
                  "[[maybe_unused]] const unsigned hpc_t) __attribute__((always_inline)) {");
    if (first->mask)
        buffer_add(b, " if (!hpc_in_%d.of[hpc_t]) return;", first->mask);
    if (p->leaves && first->first > p->leaves)
        buffer_add(b, " if (hpc_left.has(hpc_t)) return;");
    add_variables(b, p, first, end);
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
    if (is_batch(p, first))
        open_batch(&b, p, first);
    open_loop(&b, p, first, end);
    edit_before(p->r, first->first, b.text);
    free(b.text);
}

/* Copies go back at its end. */
static void close_region(struct phases *p, const struct item *first, const struct item *last)
{
    struct buffer b = {0};
    add_copies(&b, p, first, last);
    buffer_add(&b, "%s",
               (first->n_calls > 0 && first->alone) || is_batch(p, first) ? " }); }" : " });");
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
    if (is_all_local(p, one)) {
        write_warp_calls(p, one);
        return;
    }
    struct buffer b = {0};
    add_declaration(&b, p, one);
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
