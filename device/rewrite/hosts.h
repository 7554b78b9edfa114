/* Check mode: functions of the host alone are compiled as a release is, and no access of theirs is
 * looked at, where the program is of one file and the host shares no memory with the device: no
 * managed or pinned memory, no variable of the device but in cudaMemcpyToSymbol and its like.
 *
 *   static float sum(..)   __attribute__((no_sanitize(..), optimize(..))) static float sum(..)
 *
 * The runtime then keeps the host off the device's memory by the wall (device/runtime/arena.c),
 * which dev_host_apart asks for. So are C++'s own templates, or no function could have them
 * inlined; what is constexpr may be a kernel's. */
#ifndef HPC_DEVICE_REWRITE_HOSTS_H
#define HPC_DEVICE_REWRITE_HOSTS_H

#include <stdlib.h>
#include <string.h>

#include "device/rewrite/rewrite.h"

static inline bool begins(const struct tokens *t, size_t i, const char *text)
{
    const size_t n = strlen(text);
    return t->at[i].kind == TOKEN_WORD && (size_t)t->at[i].length >= n &&
           memcmp(t->at[i].text, text, n) == 0;
}

static inline bool is_same(const struct tokens *t, size_t a, size_t b)
{
    return t->at[a].length == t->at[b].length &&
           memcmp(t->at[a].text, t->at[b].text, (size_t)t->at[a].length) == 0;
}

static inline bool is_any(const struct tokens *t, size_t i, const char *const *words)
{
    for (; *words; words++)
        if (token_is(t, i, *words))
            return true;
    return false;
}

static inline void note(struct list *list, size_t i)
{
    if (list->n == list->room) {
        list->room = 2 * list->room + 64;
        list->at = (size_t *)realloc(list->at, list->room * sizeof *list->at);
        if (!list->at)
            abort();
    }
    list->at[list->n++] = i;
}

static inline bool is_noted(const struct tokens *t, const struct list *list, size_t i)
{
    for (size_t k = 0; k < list->n; k++)
        if (is_same(t, list->at[k], i))
            return true;
    return false;
}

/* ---- whether the host keeps to its own memory
 * -------------------------------------------------- */

/* What gives the host memory that the device uses, or an address in it. */
static inline bool is_shared(const struct tokens *t, size_t i)
{
    static const char *const words[] = {"cudaMallocManaged",
                                        "__managed__",
                                        "cudaMallocHost",
                                        "cudaHostAlloc",
                                        "cudaHostRegister",
                                        "cudaHostGetDevicePointer",
                                        "cudaGetSymbolAddress",
                                        "cudaPointerGetAttributes",
                                        "dlopen",
                                        "dlsym",
                                        NULL};
    return is_any(t, i, words) || begins(t, i, "cublas") || begins(t, i, "cudnn");
}

/* The names that a declaration of device variables, with a token at i, may give: a name too many
 * costs no more than time. */
static inline void note_variables(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    for (size_t k = declaration_start(t, i); k < t->count && !token_is(t, k, ";"); k++) {
        const struct token *next = &t->at[k + 1];
        if (t->match[k] > (int)k) {
            if (token_is(t, k, "{") && token_is(t, k - 1, ")"))
                return; /* a function's body */
            k = (size_t)t->match[k];
        } else if (t->at[k].kind == TOKEN_WORD && next->kind == TOKEN_PUNCT &&
                   strchr(";=[,{", *next->text)) {
            note(&r->hosts.variables, k);
        }
    }
}

static inline void find_shared_memory(struct rewriter *r)
{
    const struct tokens *t = &r->t;
    for (size_t i = 1; i < t->count; i++) {
        if (t->at[i].kind != TOKEN_WORD || t->files[t->at[i].file].system)
            continue;
        if (is_shared(t, i))
            r->hosts.apart = false;
        else if (token_is(t, i, "__device__") || token_is(t, i, "__constant__"))
            note_variables(r, i);
    }
}

/* The function whose argument stands at i: the name before the ( around it. */
static inline size_t called(const struct tokens *t, size_t i)
{
    while (i > 1 && !token_is(t, i - 1, "(")) {
        if (token_is(t, i - 1, ";") || token_is(t, i - 1, "{") || token_is(t, i - 1, "}"))
            return t->count;
        i = token_is(t, i - 1, ")") || token_is(t, i - 1, "]") ? (size_t)t->match[i - 1] : i - 1;
    }
    return i > 2 ? function_name(t, i - 1) : t->count;
}

/* The first call, in [from, to), of a function whose name is noted; or `to`. */
static inline size_t called_in(const struct tokens *t, const struct list *names, size_t from,
                               size_t to)
{
    for (; from < to; from++)
        if (t->at[from].kind == TOKEN_WORD &&
            (token_is(t, from + 1, "(") || token_is(t, from + 1, "<")) &&
            !token_is(t, from - 1, ".") && !token_is(t, from - 1, "->") && is_noted(t, names, from))
            break;
    return from;
}

static inline void host_word(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    if (!r->hosts.apart || t->files[t->at[i].file].system)
        return;
    if (r->device_end) {
        if (token_is(t, i + 1, "(") || token_is(t, i + 1, "<"))
            note(&r->hosts.calls, i);
        return;
    }
    for (size_t k = 0; k < r->hosts.variables.n; k++)
        if (r->hosts.variables.at[k] == i)
            return;
    if (token_is(t, i - 1, ".") || token_is(t, i - 1, "->") || !is_noted(t, &r->hosts.variables, i))
        return;
    const size_t name = called(t, i);
    if (name >= t->count ||
        !(begins(t, name, "cudaMemcpyToSymbol") || begins(t, name, "cudaMemcpyFromSymbol") ||
          token_is(t, name, "sizeof")))
        r->hosts.apart = false;
}

/* ---- functions --------------------------------------------------------------------------------
 */

/* Where the declaration of the function with that body begins, behind template<..>; t->count where
 * it is of no plain form. */
static inline size_t function_start(const struct tokens *t, size_t body)
{
    static const char *const access[] = {"public", "private", "protected", NULL};
    size_t start = declaration_start(t, body);
    if (start > 1 && token_is(t, start - 1, ":") && !is_any(t, start - 2, access))
        return t->count; /* a constructor's members */
    if (start > 0 && token_is(t, start - 1, "("))
        return t->count;
    while (token_is(t, start, "template") && token_is(t, start + 1, "<") &&
           after_angles(t, start + 1) > start + 1)
        start = after_angles(t, start + 1);
    return start < body && (t->at[start].kind == TOKEN_WORD || token_is(t, start, "~")) ? start
                                                                                        : t->count;
}

/* Whether only const, noexcept and their like stand between a function's parameters and its body.
 */
static inline bool is_end_of_head(const struct tokens *t, size_t i, size_t body)
{
    static const char *const words[] = {"const", "noexcept", "override", "final", "&", NULL};
    for (; i < body; i++)
        if (token_is(t, i, "(") && token_is(t, i - 1, "noexcept"))
            i = (size_t)t->match[i];
        else if (!is_any(t, i, words))
            return false;
    return true;
}

static inline bool is_hosts(const struct tokens *t, size_t start, size_t open)
{
    static const char *const words[] = {"__device__", "__global__",    "constexpr", "consteval",
                                        "friend",     "extern",        "requires",  "concept",
                                        "typedef",    "using",         "namespace", "template",
                                        "=",          "__attribute__", NULL};
    for (size_t i = start; i < open; i++)
        if (is_any(t, i, words))
            return false;
    return true;
}

static inline void host_function(struct rewriter *r, size_t body)
{
    const struct tokens *t = &r->t;
    const struct source_file *file = &t->files[t->at[body].file];
    const enum scope around = scope_now(r);
    if (!r->hosts.apart || r->device_end || (file->system && !strstr(file->name, "/c++/")) ||
        (around != SCOPE_NAMESPACE && around != SCOPE_CLASS))
        return;
    const size_t start = function_start(t, body);
    size_t open = start < t->count ? parameters(t, start) : t->count;
    if (open >= body || open == start)
        return;
    if (token_is(t, open - 1, "operator"))
        open = (size_t)t->match[open] + 1;
    if (token_is(t, open, "(") && is_hosts(t, start, open) &&
        is_end_of_head(t, (size_t)t->match[open] + 1, body)) {
        note(&r->hosts.starts, start);
        note(&r->hosts.names, function_name(t, open));
    }
}

static inline void write_hosts(struct rewriter *r)
{
    const struct tokens *t = &r->t;
    for (size_t i = 0; i < r->hosts.starts.n && r->hosts.apart; i++) {
        const size_t start = r->hosts.starts.at[i], name = r->hosts.names.at[i];
        if (t->at[name].kind == TOKEN_WORD && is_noted(t, &r->hosts.calls, name))
            continue;
        edit_before(r, start,
                    t->files[t->at[start].file].system
                        ? " __attribute__((no_sanitize(\"thread\"))) "
                        : " __attribute__((no_sanitize(\"thread\"), optimize(\"O3\", "
                          "\"tree-vectorize\"))) ");
    }
    if (r->hosts.apart && t->count > 0)
        edit_after(r, t->count - 1,
                   " extern \"C\" { extern const char dev_host_apart; const char dev_host_apart = "
                   "1; }");
    free(r->hosts.starts.at);
    free(r->hosts.names.at);
    free(r->hosts.calls.at);
    free(r->hosts.variables.at);
}

#endif
