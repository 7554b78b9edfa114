/* Check mode: arrays of a thread's own that are declared without a value are filled with numbers
 * that no program computes, and where an element is an operand it is looked at:
 *
 *   int w[5];           int w[5]; ::hpc_dev::unset_array(w);
 *   if (w[a] < w[b])    if (::hpc_dev::operand(w[a], "w") < ::hpc_dev::operand(w[b], "w"))
 *
 * So are structs, of which arrays that are members are looked at: acc.w[a].
 * Not where it may be a place instead of a value (an argument, &w[a], w[a] += 1), nor where it is
 * copied alone: what nobody uses later is no mistake. Names decide, and types
 * (device/include/hpc_device/locals.h). In any mode, of the address of a device variable that
 * is stored the runtime is told. Text that phases.c has written anew is left as it is. */
#ifndef HPC_DEVICE_REWRITE_LOCALS_H
#define HPC_DEVICE_REWRITE_LOCALS_H

#include "device/rewrite/hosts.h"

/* Behind the subscripts of the name at i; *n: how many there are. */
static inline size_t after_subscripts(const struct tokens *t, size_t i, int *n)
{
    size_t k = i + 1;
    for (*n = 0; token_is(t, k, "["); ++*n)
        k = (size_t)t->match[k] + 1;
    return k;
}

static inline bool is_one_of(const struct tokens *t, size_t i, const char *signs)
{
    const struct token *k = &t->at[i];
    return k->kind == TOKEN_PUNCT && k->length == 1 && strchr(signs, *k->text);
}

/* Whether the sign at i stands there twice: ++, <<. */
static inline bool is_double(const struct tokens *t, size_t i)
{
    return t->at[i + 1].kind == TOKEN_PUNCT && *t->at[i].text == *t->at[i + 1].text &&
           t->at[i].text + 1 == t->at[i + 1].text;
}

/* Whether a * or > at i stands between two operands: not in float *w[3], set<int> w[3]. */
static inline bool is_between_values(const struct tokens *t, size_t i)
{
    if (is_one_of(t, i - 1, ")]") || t->at[i - 1].kind == TOKEN_NUMBER)
        return token_is(t, i, "*") || !is_one_of(t, i + 1, "<>");
    return t->at[i - 1].kind == TOKEN_WORD && is_one_of(t, i - 2, "=+-/%[?:|^!");
}

/* Whether the element of tokens [first, last] is an operand, whose value alone matters. */
static inline bool is_operand(const struct tokens *t, size_t first, size_t last)
{
    const size_t a = first - 1, z = last + 1;
    const bool step = is_one_of(t, a, "+-") && is_double(t, a - 1);
    const bool again = is_one_of(t, z, "+-") && is_double(t, z);
    const bool shift = is_one_of(t, z, "<>") && is_double(t, z);
    const bool stores = is_one_of(t, z, "+-*/%&|^") && token_is(t, z + 1, "=");
    if (step || again || stores || (shift && token_is(t, z + 2, "=")) || token_is(t, a, "&") ||
        (token_is(t, z, "=") && !token_is(t, z + 1, "=")))
        return false;
    if (t->at[a].kind == TOKEN_WORD && !token_is(t, a, "return"))
        return false;
    if (is_one_of(t, z, "+-/%<>?|^*=") || (token_is(t, z, "!") && token_is(t, z + 1, "=")) ||
        (token_is(t, z, "&") && token_is(t, z + 1, "&")))
        return !is_one_of(t, a, "*>") || is_between_values(t, a);
    if (token_is(t, a, "[") && token_is(t, z, "]"))
        return true;
    if (is_one_of(t, a, "*>"))
        return is_between_values(t, a);
    return is_one_of(t, a, "+-/%<") || (token_is(t, a, "=") && is_one_of(t, a - 1, "+-*/%=!<>"));
}

/* The element [i, last], whose name goes to `named`, is looked at where it is an operand. */
static inline void watch_operand(struct rewriter *r, size_t i, size_t named, size_t last)
{
    const struct tokens *t = &r->t;
    struct buffer b = {NULL, 0, 0};
    if (r->edits[i].drop || token_is(t, last + 1, ".") || !is_operand(t, i, last))
        return;
    edit_before(r, i, " ::hpc_dev::operand(");
    buffer_add(&b, ", \"");
    for (size_t k = i; k <= named; k++)
        buffer_add(&b, "%.*s", t->at[k].length, t->at[k].text);
    buffer_add(&b, "\")");
    edit_after(r, last, b.text);
    free(b.text);
}

/* Whether the name at i is the variable that is declared at `name`. */
static inline bool is_local(const struct tokens *t, size_t i, size_t name)
{
    return is_same(t, i, name) && t->at[i].kind == TOKEN_WORD && !token_is(t, i - 1, ".") &&
           !token_is(t, i - 1, "::") && !token_is(t, i - 1, "->");
}

/* The elements of the array that is declared at `name`, from `from` to `end`. */
static inline void watch_elements(struct rewriter *r, size_t name, size_t from, size_t end)
{
    const struct tokens *t = &r->t;
    int dims, n;
    after_subscripts(t, name, &dims);
    for (size_t i = from; i < end; i++) {
        if (!is_local(t, i, name))
            continue;
        const size_t last = after_subscripts(t, i, &n) - 1;
        if (n == dims)
            watch_operand(r, i, i, last);
    }
}

/* The same of arrays that are members of the struct `name`; false where none is used. */
static inline bool watch_members(struct rewriter *r, size_t name, size_t from, size_t end)
{
    const struct tokens *t = &r->t;
    bool any = false;
    for (size_t i = from; i < end; i++) {
        int n;
        if (!is_local(t, i, name) || !token_is(t, i + 1, ".") || !token_is(t, i + 3, "["))
            continue;
        const size_t last = after_subscripts(t, i + 2, &n) - 1;
        any = true;
        watch_operand(r, i, i + 2, last);
    }
    return any;
}

/* The name of the first declarator, an array's, of the declaration that begins at i; 0: none. */
static inline size_t array_declared(const struct tokens *t, size_t i)
{
    static const char *const no_type[] = {
        "return", "delete", "else",      "goto",     "case",       "throw",    "do",     "static",
        "extern", "const",  "constexpr", "using",    "typedef",    "volatile", "struct", "class",
        "union",  "enum",   "new",       "operator", "__shared__", "auto",     NULL};
    size_t k = i;
    if (is_any(t, i, no_type))
        return 0;
    while (t->at[k].kind == TOKEN_WORD && !token_is(t, k + 1, "[")) {
        if (token_is(t, k + 1, "<") && after_angles(t, k + 1) > k + 1)
            k = after_angles(t, k + 1);
        else
            k++;
        if (token_is(t, k, "::"))
            k++;
    }
    return k > i && t->at[k].kind == TOKEN_WORD && token_is(t, k + 1, "[") &&
                   (t->at[k - 1].kind == TOKEN_WORD || token_is(t, k - 1, ">"))
               ? k
               : 0;
}

/* TYPE NAME; where it is a struct's. */
static inline void watch_struct(struct rewriter *r, size_t i, size_t scope_end)
{
    const struct tokens *t = &r->t;
    static const char *const no_type[] = {"return", "delete", "goto", "throw",
                                          "using",  "new",    NULL};
    const size_t k = i + token_is(t, i, "struct"), name = k + 1;
    if (t->at[k].kind != TOKEN_WORD || t->at[name].kind != TOKEN_WORD ||
        !token_is(t, name + 1, ";") || is_any(t, k, no_type) || r->edits[name + 1].drop ||
        is_volatile_name(r, name) || !watch_members(r, name, name + 2, scope_end))
        return;
    struct buffer b = {NULL, 0, 0};
    buffer_add(&b, " ::hpc_dev::unset_struct(%.*s);", t->at[name].length, t->at[name].text);
    edit_after(r, name + 1, b.text);
    free(b.text);
}

static inline void watch_declaration(struct rewriter *r, size_t i, size_t scope_end)
{
    const struct tokens *t = &r->t;
    size_t name = array_declared(t, i);
    const size_t end = name ? variable_end(t, i) : t->count;
    if (end >= t->count || end > scope_end || r->edits[end].drop)
        return;
    while (name < end) {
        int n;
        const size_t stop = declarator_end(t, name, end);
        if (t->at[name].kind == TOKEN_WORD && token_is(t, name + 1, "[") &&
            !is_volatile_name(r, name) && after_subscripts(t, name, &n) == stop &&
            is_one_of(t, stop, ",;")) {
            struct buffer b = {NULL, 0, 0};
            buffer_add(&b, " ::hpc_dev::unset_array(%.*s);", t->at[name].length, t->at[name].text);
            edit_after(r, end, b.text);
            free(b.text);
            watch_elements(r, name, end + 1, scope_end);
        }
        for (name = stop; name < end && !token_is(t, name, ","); name++)
            if (t->match[name] > (int)name)
                name = (size_t)t->match[name];
        name++;
    }
}

/* where = &counter; in device code: the host may get the address back, which it has on the device.
 * Not float *p = &table[0], which stays in the thread, nor an argument. */
static inline void note_taken(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    if (!token_is(t, i, "&") || !token_is(t, i - 1, "=") || t->at[i + 1].kind != TOKEN_WORD ||
        !is_noted(t, &r->hosts.variables, i + 1) ||
        !(token_is(t, i - 2, "]") || t->at[i - 2].kind == TOKEN_WORD) ||
        (t->at[i - 2].kind == TOKEN_WORD &&
         (t->at[i - 3].kind == TOKEN_WORD || is_one_of(t, i - 3, "*&>"))))
        return;
    size_t end = i + 2;
    while (token_is(t, end, "[") || token_is(t, end, "."))
        end = token_is(t, end, "[") ? (size_t)t->match[end] + 1 : end + 2;
    if (!token_is(t, end, ";") || r->edits[i].drop)
        return;
    edit_before(r, i, " ::hpc_dev::taken(");
    edit_after(r, end - 1, ")");
}

/* In the bodies of device functions, when all else is written. */
static inline void watch_locals(struct rewriter *r)
{
    const struct tokens *t = &r->t;
    for (size_t k = 0; k < r->bodies.n; k++) {
        const size_t body = r->bodies.at[k], end = (size_t)t->match[body];
        if (t->files[t->at[body].file].system)
            continue;
        struct list open = {NULL, 0, 0};
        for (size_t i = body; i < end; i++) {
            note_taken(r, i);
            if (token_is(t, i, "{"))
                note(&open, i);
            else if (token_is(t, i, "}"))
                open.n--;
            else if (r->zones && t->at[i].kind == TOKEN_WORD && is_one_of(t, i - 1, ";{}")) {
                watch_declaration(r, i, (size_t)t->match[open.at[open.n - 1]]);
                watch_struct(r, i, (size_t)t->match[open.at[open.n - 1]]);
            }
        }
        free(open.at);
    }
}

#endif
