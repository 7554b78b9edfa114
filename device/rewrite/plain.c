/* Which kernels never wait. A thread of such a kernel can't stand at a barrier or meet its warp,
 * and asks nothing of the worker that runs it; so its threads may be a loop, which the compiler may
 * vectorise.
 *
 * Words decide: those that wait or ask make their function a waiting one, and so does a call of a
 * waiting function by its name. Where such a word stands in a class, in a lambda or at namespace
 * scope, or a waiting function's name is used for something else than a call, no kernel of the file
 * is plain: they could come upon it by ways that names do not show. */
#include <stdlib.h>
#include <string.h>

#include "device/rewrite/rewrite.h"

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

bool is_waiting_word(const struct tokens *t, size_t i)
{
    static const char *const words[] = {
        "__shared__",
        "__activemask",
        "__assert_fail",
        "__trap",
        "this_thread_block",
        "tiled_partition",
        "coalesced_threads",
        "thread_block",
        "thread_group",
        "thread_block_tile",
        "coalesced_group",
        "grid_group",
        "this_grid",
        "labeled_partition",
        "binary_partition",
        "__ballot",
        "__any",
        "__all",
        "cudaGridDependencySynchronize",
    };
    const struct token *k = &t->at[i];
    if (begins_with(k, "__sync") || begins_with(k, "__shfl") || begins_with(k, "hpc_dev") ||
        begins_with(k, "dev_") || ends_with(k, "_sync"))
        return true;
    for (size_t w = 0; w < sizeof words / sizeof *words; w++)
        if (token_is(t, i, words[w]))
            return true;
    return false;
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
    *new_function(r) = (struct function){
        .name = named ? name : t->count, .body = body, .end = (size_t)t->match[body]};
}

void function_elsewhere(struct rewriter *r, size_t name)
{
    if (r->t.files[r->t.at[name].file].system)
        return;
    struct function *f = new_function(r);
    *f = (struct function){.name = name, .body = name, .end = name, .waits = true};
}

void waiting_word(struct rewriter *r, size_t i)
{
    struct function *f = r->n_functions > 0 ? &r->functions[r->n_functions - 1] : NULL;
    /* A word from a system header's macro counts where it is used. */
    if (r->t.files[r->t.at[i].file].system && !r->kernel_end && !(f && i < f->end))
        return;
    if (r->kernel_end) {
        r->kernels[r->n_kernels - 1].waits = true;
        return;
    }
    bool hidden = r->depth == 0 || scope_now(r) == SCOPE_NAMESPACE;
    for (size_t k = 0; k < r->depth; k++)
        hidden |= r->scopes[k] == SCOPE_CLASS || r->scopes[k] == SCOPE_LAMBDA;
    if (hidden || !f || f->name >= r->t.count)
        r->nothing_plain = true;
    else
        f->waits = true;
}

static bool same_word(const struct tokens *t, size_t a, size_t b)
{
    return t->at[a].length == t->at[b].length &&
           memcmp(t->at[a].text, t->at[b].text, (size_t)t->at[a].length) == 0;
}

/* Whether the tokens between have the name of a waiting function. */
static bool names_waiting(const struct rewriter *r, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        if (r->t.at[i].kind != TOKEN_WORD)
            continue;
        for (int f = 0; f < r->n_functions; f++)
            if (r->functions[f].waits && same_word(&r->t, i, r->functions[f].name))
                return true;
    }
    return false;
}

/* Whether a waiting function's name stands where it is not called. */
static bool used_otherwise(const struct rewriter *r)
{
    for (size_t i = 0; i < r->t.count; i++)
        if (r->t.at[i].kind == TOKEN_WORD && !r->t.files[r->t.at[i].file].system &&
            !token_is(&r->t, i + 1, "(") && !token_is(&r->t, i + 1, "<") &&
            names_waiting(r, i, i + 1))
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
            if (!one->waits && names_waiting(r, one->body, one->end)) {
                one->waits = more = true;
                r->nothing_plain |= one->name >= r->t.count;
            }
        }
    }
    r->nothing_plain |= any && !r->nothing_plain && used_otherwise(r);
    for (int k = 0; k < r->n_kernels; k++)
        r->kernels[k].plain = !r->nothing_plain && !r->kernels[k].waits &&
                              !names_waiting(r, r->kernels[k].body, r->kernels[k].end);
}
