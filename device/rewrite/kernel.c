/* __global__ void k(parameters) { body } becomes a function that the host calls once: its body is a
 * lambda, which copies the parameters and is called for each thread. */
#include <stdlib.h>

#include "device/rewrite/rewrite.h"

bool rewrite_kernel(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    r->edits[i].drop = true;
    size_t open = parameters(t, i + 1);
    size_t name = open < t->count && open > 0 ? function_name(t, open) : t->count;
    if (name >= t->count || t->at[name].kind != TOKEN_WORD)
        return token_error(t, i, r->error,
                           "__global__ without a function behind it, expected "
                           "__global__ void NAME(parameters)");
    if (scope_now(r) == SCOPE_CLASS && !token_is(t, declaration_start(t, i), "friend"))
        return token_error(t, i, r->error,
                           "kernel %.*s is a member of a class, expected it at "
                           "namespace scope",
                           t->at[name].length, t->at[name].text);
    size_t body = (size_t)t->match[open] + 1;
    while (token_is(t, body, "noexcept") || token_is(t, body, "__attribute__")) {
        body++;
        if (token_is(t, body, "("))
            body = (size_t)t->match[body] + 1;
    }
    if (!token_is(t, body, "{"))
        return true; /* declared only */
    r->kernel_end = r->device_end = (size_t)t->match[body];
    r->kernel_depth = r->depth + 1;
    struct kernel *grown = realloc(r->kernels, (size_t)(r->n_kernels + 1) * sizeof *r->kernels);
    if (!grown)
        abort();
    r->kernels = grown;
    r->kernels[r->n_kernels++] = (struct kernel){.name = name, .body = body, .end = r->kernel_end};
    return true;
}

/* Parameters that are references, of the ( at open: they are captured as such, ", &a, &b". */
static void add_references(struct buffer *b, const struct tokens *t, size_t open)
{
    bool value = false;
    for (size_t i = open + 1, end = (size_t)t->match[open]; i < end; i++) {
        value = (value || token_is(t, i, "=")) && !token_is(t, i, ",");
        size_t name = i + 1;
        while (token_is(t, name, ".") || token_is(t, name, "..."))
            name++;
        const bool pack = name > i + 1;
        if (!value && token_is(t, i, "&") && t->at[name].kind == TOKEN_WORD &&
            (token_is(t, name + 1, ",") || token_is(t, name + 1, ")") ||
             token_is(t, name + 1, "=")))
            buffer_add(b, ", &%.*s%s", t->at[name].length, t->at[name].text, pack ? "..." : "");
        if (token_is(t, i, "(") && !token_is(t, i + 1, "&")) /* a function's */
            i = (size_t)t->match[i];
    }
}

void write_kernels(struct rewriter *r)
{
    for (int i = 0; i < r->n_kernels; i++) {
        const struct kernel *k = &r->kernels[i];
        const struct token *name = &r->t.at[k->name];
        struct buffer b = {0}, references = {0};
        buffer_add(&references, "%s", "");
        add_references(&references, &r->t, parameters(&r->t, k->name));
        buffer_add(&b,
                   " static ::hpc_dev::kernel hpc_kernel = {\"%.*s\", \"%s\", %d, 0, 0, 0, 0};"
                   " if (::hpc_dev::asked(hpc_kernel)) return;"
                   " ::hpc_dev::run<%s, %s>(hpc_kernel, ::hpc_dev::arguments{[=%s]("
                   "[[maybe_unused]] const uint3 threadIdx,"
                   " [[maybe_unused]] const uint3 blockIdx, [[maybe_unused]] const dim3 blockDim,"
                   " [[maybe_unused]] const dim3 gridDim) mutable {",
                   name->length, name->text, r->t.files[name->file].name, name->line,
                   k->plain ? "true" : "false", k->ends ? "true" : "false", references.text);
        edit_after(r, k->body, b.text);
        free(b.text);
        free(references.text);
        edit_before(r, k->end, " }}.f);");
    }
}
