/* __global__ void k(parameters) { body } becomes a function that the host calls once: its body is a
 * lambda, which copies the parameters and is called for each thread. */
#include <stdlib.h>

#include "device/rewrite/rewrite.h"

/* The ( of the parameters of the function that is declared from i on; t->count where none is. */
static size_t parameters(const struct tokens *t, size_t i)
{
    for (; i < t->count; i++) {
        if (token_is(t, i, ";") || token_is(t, i, "{") || token_is(t, i, "}"))
            break;
        if (token_is(t, i, "__attribute__") || token_is(t, i, "alignas") ||
            token_is(t, i, "decltype")) {
            if (token_is(t, i + 1, "("))
                i = (size_t)t->match[i + 1];
        } else if (token_is(t, i, "[")) {
            i = (size_t)t->match[i];
        } else if (token_is(t, i, "<") && after_angles(t, i) > i) {
            i = after_angles(t, i) - 1;
        } else if (token_is(t, i, "(")) {
            return i;
        }
    }
    return t->count;
}

/* The name before the ( at i: k, k<float>, a::k. */
static size_t function_name(const struct tokens *t, size_t i)
{
    size_t k = i - 1;
    if (token_is(t, k, ">"))
        while (k > 0 && !(token_is(t, k, "<") && after_angles(t, k) == i))
            k--;
    return token_is(t, k, "<") && k > 0 ? k - 1 : k;
}

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
    struct buffer b = {0};
    buffer_add(&b,
               " static ::hpc_dev::kernel hpc_kernel = {\"%.*s\", \"%s\", %d, 0, 0, 0};"
               " if (::hpc_dev::asked(hpc_kernel)) return;"
               " ::hpc_dev::run(hpc_kernel, [=]([[maybe_unused]] const uint3 threadIdx,"
               " [[maybe_unused]] const uint3 blockIdx, [[maybe_unused]] const dim3 blockDim,"
               " [[maybe_unused]] const dim3 gridDim) mutable {",
               t->at[name].length, t->at[name].text, t->files[t->at[name].file].name,
               t->at[name].line);
    edit_after(r, body, b.text);
    free(b.text);
    r->kernel_end = r->device_end = (size_t)t->match[body];
    r->kernel_depth = r->depth + 1;
    edit_before(r, r->kernel_end, " });");
    return true;
}
