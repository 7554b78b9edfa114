#include "device/rewrite/rewrite.h"

#include <stdlib.h>
#include <string.h>

#include "device/rewrite/locals.h"

static void device_body(struct rewriter *r, size_t i)
{
    note_loop(r, i, r->device_end);
    if (i >= r->constexpr_end)
        note(&r->bodies, i);
    if (i >= r->constexpr_end && r->hosts_too)
        note(&r->two_sided, i);
}

static void open_brace(struct rewriter *r, size_t i)
{
    if (r->depth == r->scope_capacity) {
        r->scope_capacity = 2 * r->scope_capacity + 64;
        r->scopes = realloc(r->scopes, r->scope_capacity * sizeof *r->scopes);
        if (!r->scopes)
            abort();
    }
    enum scope s = scope_of(r, i);
    if (s == SCOPE_BLOCK)
        host_function(r, i);
    if (s == SCOPE_BLOCK && !r->t.files[r->t.at[i].file].system)
        function_begins(r, i);
    if (r->device_end && r->t.match[i] == (int)r->device_end)
        device_body(r, i);
    r->scopes[r->depth++] = s;
}

static void close_brace(struct rewriter *r, size_t i)
{
    if (r->depth > 0)
        r->depth--;
    if (i == r->kernel_end)
        r->kernel_end = 0;
    if (i == r->device_end) {
        r->device_end = 0;
        r->hosts_too = false;
    }
}

/* Whether a lambda or a class of its own stands between the kernel's body and here: there the
 * kernel's parameters can't be relied on. */
static bool in_kernel_itself(const struct rewriter *r)
{
    if (!r->kernel_end)
        return false;
    for (size_t i = r->kernel_depth; i < r->depth; i++)
        if (r->scopes[i] == SCOPE_CLASS || r->scopes[i] == SCOPE_LAMBDA)
            return false;
    return true;
}

/* threadIdx and its like, in device code outside of a kernel's own body. On the host the names are
 * free: dim3 blockDim(16, 16); */
static void rewrite_index(struct rewriter *r, size_t i)
{
    static const char *const names[][2] = {{"threadIdx", "::hpc_dev::thread_index()"},
                                           {"blockIdx", "::hpc_dev::block_index()"},
                                           {"blockDim", "::hpc_dev::block_dim()"},
                                           {"gridDim", "::hpc_dev::grid_dim()"}};
    if (!r->device_end || token_is(&r->t, i - 1, ".") || token_is(&r->t, i - 1, "->"))
        return;
    for (size_t k = 0; k < sizeof names / sizeof *names; k++)
        if (token_is(&r->t, i, names[k][0])) {
            if (in_kernel_itself(r))
                return;
            r->edits[i].drop = true;
            waiting_word(r, i);
            edit_before(r, i, " ");
            edit_before(r, i, names[k][1]);
            if (i > 0 && token_is(&r->t, i - 1, "::"))
                r->edits[i - 1].drop = true;
        }
}

/* What rounds.c wants to know of. */
static void round_word(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    if (token_is(t, i, "for") || token_is(t, i, "while") || token_is(t, i, "do"))
        rewrite_loop(r, i);
    if (token_is(t, i, "for") || token_is(t, i, "while"))
        rewrite_looks(r, i);
    else if (token_is(t, i, "constexpr") && !(i > 0 && token_is(t, i - 1, "if")))
        rounds_constexpr(r, i);
}

/* clock() in device code is the device's, not the C library's. */
static void rewrite_clock(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    if (!r->device_end || !token_is(t, i + 1, "(") || !token_is(t, i + 2, ")") ||
        token_is(t, i - 1, ".") || token_is(t, i - 1, "->") || token_is(t, i - 1, "::") ||
        t->files[t->at[i].file].system)
        return;
    r->edits[i].drop = true;
    edit_before(r, i, " (clock_t)clock64");
}

/* printf() in device code returns how many arguments it has printed: where that is looked at. */
static void rewrite_printf(struct rewriter *r, size_t i)
{
    static const char *const alone[] = {";", "{", "}", ")", ":", ",", "::", ".", "->", NULL};
    const struct tokens *t = &r->t;
    if (!r->device_end || !token_is(t, i + 1, "(") || is_any(t, i - 1, alone) ||
        (t->at[i - 1].kind == TOKEN_WORD && !token_is(t, i - 1, "return")) ||
        t->files[t->at[i].file].system)
        return;
    r->edits[i].drop = true;
    edit_before(r, i, " ::hpc_dev::printed");
}

/* Whether the word at i stands in __attribute__((..)) or behind gnu::. */
static bool in_attribute(const struct tokens *t, size_t i)
{
    if (i > 1 && token_is(t, i - 1, "::"))
        return token_is(t, i - 2, "gnu") || token_is(t, i - 2, "__gnu__");
    while (i > 0 && (t->at[i - 1].kind == TOKEN_WORD || token_is(t, i - 1, ",")))
        i--;
    return i > 2 && token_is(t, i - 1, "(") && token_is(t, i - 2, "(") &&
           (token_is(t, i - 3, "__attribute__") || token_is(t, i - 3, "__attribute"));
}

/* At -O1, g++ refuses an always_inline function that it finds called by a pointer, which nvcc
 * takes. __forceinline__ is one text in all modes: only here is it another one. System headers
 * write __always_inline__, and mean it. */
static void rewrite_always_inline(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    const bool system = t->files[t->at[i].file].system && token_is(t, i, "__always_inline__");
    if ((r->in_phases && !r->watched) || system || !in_attribute(t, i))
        return;
    r->edits[i].drop = true;
    edit_before(r, i, "unused");
}

static bool rewrite_word(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    const struct token *k = &t->at[i];
    host_word(r, i);
    if (token_is(t, i, "clock"))
        rewrite_clock(r, i);
    if (token_is(t, i, "printf"))
        rewrite_printf(r, i);
    if (token_is(t, i, "static"))
        rewrite_static(r, i);
    if (token_is(t, i, "cudaLaunchKernel") || token_is(t, i, "cudaLaunchCooperativeKernel") ||
        token_is(t, i, "cudaLaunchKernelExC"))
        rewrite_launch_call(r, i);
    if (token_is(t, i, "always_inline") || token_is(t, i, "__always_inline__"))
        rewrite_always_inline(r, i);
    if (*k->text == 'c')
        rewrite_dropped(r, i);
    if (token_is(t, i, "hpc_launch_bounds"))
        rewrite_bounds(r, i);
    if (is_waiting_word(t, i))
        waiting_word(r, i);
    else if (is_ending_word(t, i))
        ending_word(r, i);
    if (token_is(t, i, "return") && token_is(t, i + 1, ";") && in_kernel_itself(r))
        edit_after(r, i, " ::hpc_dev::left()");
    round_word(r, i);
    rewrite_volatile(r, i);
    if (*k->text == 't' || *k->text == 'b' || *k->text == 'g') {
        rewrite_index(r, i);
        return true;
    }
    if (token_is(t, i, "asm") || token_is(t, i, "__asm__") || token_is(t, i, "__asm"))
        return rewrite_asm(r, i);
    if (k->length < 8 || k->text[0] != '_' || k->text[1] != '_')
        return true;
    if (token_is(t, i, "__global__"))
        return rewrite_kernel(r, i);
    if (token_is(t, i, "__shared__"))
        return r->edits[i].drop || rewrite_shared(r, i);
    if (token_is(t, i, "__device__") || token_is(t, i, "__constant__") ||
        token_is(t, i, "__managed__"))
        return r->edits[i].drop || rewrite_device(r, i);
    if (token_is(t, i, "__host__"))
        r->edits[i].drop = true;
    if (token_is(t, i, "__noinline__") &&
        !(i > 0 && (token_is(t, i - 1, "(") || token_is(t, i - 1, ",")))) {
        r->edits[i].drop = true;
        edit_before(r, i, " __attribute__((noinline))");
    }
    return true;
}

/* Whether a header of the mode has this word: kernels may be loops between barriers, variables have
 * red zones. */
static bool says(const struct tokens *t, const char *word)
{
    for (size_t i = 0; i < t->count; i++)
        if (t->files[t->at[i].file].system && token_is(t, i, word))
            return true;
    return false;
}

static bool rewrite_tokens(struct rewriter *r)
{
    bool ok = true;
    r->counts_rounds = rounds_matter(&r->t);
    r->in_phases = says(&r->t, "kernels_in_phases");
    r->watched = says(&r->t, "phases_are_watched");
    r->inlined = says(&r->t, "phases_are_inlined");
    r->hosts.apart = r->watched && says(&r->t, "program_is_whole");
    r->zones = says(&r->t, "variables_have_zones");
    r->relocatable = says(&r->t, "device_code_is_relocatable");
    find_volatiles(r);
    find_shared_memory(r);
    for (size_t i = 0; i < r->t.count && ok; i++) {
        const struct token *k = &r->t.at[i];
        if (k->kind == TOKEN_WORD)
            ok = rewrite_word(r, i);
        else if (k->kind != TOKEN_PUNCT)
            continue;
        else if (*k->text == '{')
            open_brace(r, i);
        else if (*k->text == '}')
            close_brace(r, i);
        else if (*k->text == '<')
            ok = rewrite_launch(r, i);
    }
    return ok && nested_calls(r);
}

static void rewriter_free(struct rewriter *r)
{
    for (size_t i = 0; r->edits && i < r->t.count; i++) {
        free(r->edits[i].before);
        free(r->edits[i].after);
    }
    for (int i = 0; i < r->n_declared; i++)
        free(r->declared[i]);
    free(r->declared);
    free(r->volatiles);
    free(r->loops);
    free(r->edits);
    free(r->launches);
    free(r->bodies.at);
    free(r->two_sided.at);
    free(r->functions);
    free(r->kernels);
    free(r->scopes);
    tokens_free(&r->t);
}

static bool rewriter_begins(struct rewriter *r, const char *text, size_t length)
{
    if (!tokens_read(&r->t, text, length, r->error))
        return false;
    r->edits = calloc(r->t.count + 1, sizeof *r->edits);
    if (!r->edits)
        abort();
    return true;
}

bool rewrite(const char *text, size_t length, FILE *out, struct place *error)
{
    struct rewriter r = {.error = error};
    const bool ok =
        rewriter_begins(&r, text, length) && !find_unsupported(&r.t, error) && rewrite_tokens(&r);
    if (ok) {
        find_plain_kernels(&r);
        write_kernels(&r);
        watch_locals(&r);
        write_hosts(&r);
        emit(&r, out);
    }
    rewriter_free(&r);
    return ok;
}

int explain_launches(const char *text, size_t length, FILE *out)
{
    struct place error = {0}; /* said where the program is built */
    struct rewriter r = {.error = &error, .explains = out};
    if (rewriter_begins(&r, text, length))
        rewrite_tokens(&r);
    rewriter_free(&r);
    return r.n_nested;
}
