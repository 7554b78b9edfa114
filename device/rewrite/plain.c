/* Which kernels never wait. A thread of such a kernel can't stand at a barrier or meet its warp,
 * and asks nothing of the worker that runs it; so its threads may be a loop, which the compiler may
 * vectorise.
 *
 * Words decide: those that wait or ask make their function a waiting one, and so does a call of a
 * waiting function by its name. Where such a word stands in a class, in a lambda or at namespace
 * scope, or a waiting function's name is used for something else than a call, no kernel of the file
 * is plain: they could come upon it by ways that names do not show.
 *
 * A thread that may end its kernel, by assert() or __trap(), does not wait, but is asked which one
 * it is. */
#include <stdlib.h>
#include <string.h>

#include "device/rewrite/phased.h"

#define MOST_FUNCTIONS 1000 /* of a file; with more, nothing is plain */

static bool begins_with(const struct token *k, const char *text)
{
    int n = (int)strlen(text);
    return k->length >= n && memcmp(k->text, text, (size_t)n) == 0;
}

static bool ends_with(const struct token *k, const char *text)
{
    int n = (int)strlen(text);
    return k->length >= n && memcmp(k->text + k->length - n, text, (size_t)n) == 0;
}

/* Their members wait, but who calls one has come by a group: by a waiting word, or as a parameter.
 */
static bool is_group_type(const struct tokens *t, size_t i)
{
    return token_is(t, i, "thread_block") || token_is(t, i, "thread_group") ||
           token_is(t, i, "thread_block_tile") || token_is(t, i, "coalesced_group") ||
           token_is(t, i, "grid_group");
}

bool is_ending_word(const struct tokens *t, size_t i)
{
    return token_is(t, i, "__assert_fail") || token_is(t, i, "__trap");
}

bool is_waiting_word(const struct tokens *t, size_t i)
{
    static const char *const words[] = {
        "__shared__",
        "__activemask",
        "this_thread_block",
        "tiled_partition",
        "coalesced_threads",
        "this_grid",
        "labeled_partition",
        "binary_partition",
        "__ballot",
        "__any",
        "__all",
        "cudaGridDependencySynchronize",
    };
    const struct token *k = &t->at[i];
    if (token_is(t, i, "hpc_dev") && token_is(t, i + 2, "on_device")) /* sides.c */
        return false;
    if (begins_with(k, "__sync") || begins_with(k, "__shfl") || begins_with(k, "hpc_dev") ||
        begins_with(k, "dev_") || ends_with(k, "_sync"))
        return true;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (token_is(t, i, words[w]))
            return true;
    return is_group_type(t, i);
}

static struct function *new_function(struct rewriter *r)
{
    struct function *grown =
        realloc(r->functions, (size_t)(r->n_functions + 1) * sizeof *r->functions);
    if (!grown)
        abort();
    r->functions = grown;
    return &r->functions[r->n_functions++];
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
    r->kernel_end = r->device_end = (size_t)t->match[body];
    r->kernel_depth = r->depth + 1;
    struct kernel *grown = realloc(r->kernels, (size_t)(r->n_kernels + 1) * sizeof *r->kernels);
    if (!grown)
        abort();
    r->kernels = grown;
    r->kernels[r->n_kernels++] = (struct kernel){.name = name, .body = body, .end = r->kernel_end};
    return true;
}

void function_begins(struct rewriter *r, size_t body)
{
    const struct tokens *t = &r->t;
    enum scope around = scope_now(r);
    if (around != SCOPE_NAMESPACE && around != SCOPE_CLASS)
        return;
    if (r->n_functions == MOST_FUNCTIONS) {
        r->nothing_plain = true;
        return;
    }
    size_t start = declaration_start(t, body), open = parameters(t, start), name = t->count;
    if (around == SCOPE_NAMESPACE && open > start && open < body)
        name = function_name(t, open);
    bool named = name < t->count && t->at[name].kind == TOKEN_WORD &&
                 !(name > 0 && token_is(t, name - 1, "operator"));
    bool groups = false;
    for (size_t i = start; i < body && named; i++)
        groups |= is_group_type(t, i);
    *new_function(r) = (struct function){.name = named ? name : t->count,
                                         .body = body,
                                         .end = (size_t)t->match[body],
                                         .waits = groups};
}

void function_elsewhere(struct rewriter *r, size_t name)
{
    if (r->t.files[r->t.at[name].file].system)
        return;
    struct function *f = new_function(r);
    *f = (struct function){.name = name, .body = name, .end = name, .waits = true};
}

/* Whether phases.c may make loops of what stands before and behind it. */
static bool is_in_phases(const struct tokens *t, size_t i)
{
    return token_is(t, i, "__syncthreads") || token_is(t, i, "__shared__") ||
           token_is(t, i, "__syncwarp") || token_is(t, i, "this_thread_block") ||
           token_is(t, i, "thread_block") || has_warp_call(t, i, i);
}

void waiting_word(struct rewriter *r, size_t i)
{
    struct function *f = r->n_functions > 0 ? &r->functions[r->n_functions - 1] : NULL;
    /* A word from a system header's macro counts where it is used. */
    if (r->t.files[r->t.at[i].file].system && !r->kernel_end && !(f && i < f->end))
        return;
    if (r->kernel_end) {
        struct kernel *k = &r->kernels[r->n_kernels - 1];
        *(is_in_phases(&r->t, i) ? &k->barriers : &k->waits) = true;
        return;
    }
    if (is_group_type(&r->t, i) && (r->depth == 0 || scope_now(r) != SCOPE_BLOCK))
        return; /* a parameter */
    bool hidden = r->depth == 0 || scope_now(r) == SCOPE_NAMESPACE;
    for (size_t k = 0; k < r->depth; k++)
        hidden |= r->scopes[k] == SCOPE_CLASS || r->scopes[k] == SCOPE_LAMBDA;
    if (hidden || !f || f->name >= r->t.count)
        r->nothing_plain = true;
    else
        f->waits = true;
}

void ending_word(struct rewriter *r, size_t i)
{
    struct function *f = r->n_functions > 0 ? &r->functions[r->n_functions - 1] : NULL;
    if (r->kernel_end)
        r->kernels[r->n_kernels - 1].ends = true;
    else if (f && i < f->end && f->name < r->t.count)
        f->ends = true;
    else if (r->device_end)
        r->anything_ends = true;
}

static bool same_word(const struct tokens *t, size_t a, size_t b)
{
    return t->at[a].length == t->at[b].length &&
           memcmp(t->at[a].text, t->at[b].text, (size_t)t->at[a].length) == 0;
}

static bool waits(const struct function *f)
{
    return f->waits;
}

static bool ends(const struct function *f)
{
    return f->ends;
}

/* Whether the tokens between have the name of a function that does. */
static bool names_one(const struct rewriter *r, size_t from, size_t to,
                      bool (*does)(const struct function *))
{
    for (size_t i = from; i < to; i++) {
        if (r->t.at[i].kind != TOKEN_WORD)
            continue;
        for (int f = 0; f < r->n_functions; f++)
            if (does(&r->functions[f]) && r->functions[f].name < r->t.count &&
                same_word(&r->t, i, r->functions[f].name))
                return true;
    }
    return false;
}

/* Whether a kernel has the name of one that does, which phases.c does not know to wait. */
static bool kernel_names_one(const struct rewriter *r, const struct kernel *k,
                             bool (*does)(const struct function *))
{
    for (size_t i = k->body; i < k->end; i++)
        if (!(k->barriers && (token_is(&r->t, i, "sync") || is_in_phases(&r->t, i))) &&
            names_one(r, i, i + 1, does))
            return true;
    return false;
}

/* Whether a waiting function's name stands where it is not called. */
static bool used_otherwise(const struct rewriter *r)
{
    for (size_t i = 0; i < r->t.count; i++)
        if (r->t.at[i].kind == TOKEN_WORD && !r->t.files[r->t.at[i].file].system &&
            !token_is(&r->t, i + 1, "(") && !token_is(&r->t, i + 1, "<") &&
            names_one(r, i, i + 1, waits))
            return true;
    return false;
}

void find_plain_kernels(struct rewriter *r)
{
    bool any = false;
    for (bool more = true; more;) {
        more = false;
        for (int f = 0; f < r->n_functions; f++) {
            struct function *one = &r->functions[f];
            any |= one->waits;
            if (!one->waits && names_one(r, one->body, one->end, waits)) {
                one->waits = more = true;
                r->nothing_plain |= one->name >= r->t.count;
            }
            if (!one->ends && names_one(r, one->body, one->end, ends)) {
                one->ends = more = true;
                r->anything_ends |= one->name >= r->t.count;
            }
        }
    }
    r->nothing_plain |= any && !r->nothing_plain && used_otherwise(r);
    for (int i = 0; i < r->n_kernels; i++) {
        struct kernel *k = &r->kernels[i];
        k->plain = !r->nothing_plain && !k->waits && !kernel_names_one(r, k, waits);
        k->ends |= r->anything_ends || names_one(r, k->body, k->end, ends);
        k->phased =
            k->plain && (k->barriers || r->watched) && !k->ends && r->in_phases && in_phases(r, k);
        k->plain &= !k->barriers;
    }
}
