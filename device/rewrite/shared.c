/* __shared__ variables: references into the arena of the worker that runs the block. A struct with
 * the declarator as its member gives the type, however it is spelt. What lies between variables of
 * the device in check mode, as the runtime keeps it between shared ones: red zones. And static
 * variables of functions. */
#include <stdlib.h>
#include <string.h>

#include "device/rewrite/rewrite.h"

static const char *const storage[] = {"__shared__", "extern", "static", "__device__", NULL};

/* One declaration: its specifiers and the tokens that it is made of. */
struct declaration {
    size_t start, specifiers_end, end; /* end: the ; */
    bool dynamic;                      /* extern __shared__ T s[]; */
    const char *thread_local_;         /* "static thread_local " at namespace scope */
};

static const char *file_of(const struct rewriter *r, size_t i)
{
    return r->t.files[r->t.at[i].file].name;
}

/* SPECIFIERS DECLARATOR; with an array of unknown size given one element. */
static bool add_member(struct rewriter *r, struct buffer *b, const struct declaration *d,
                       size_t from, size_t to, size_t name)
{
    const struct tokens *t = &r->t;
    buffer_tokens(b, t, d->start, d->specifiers_end, storage);
    buffer_add(b, " ");
    if (!d->dynamic) {
        buffer_tokens(b, t, from, to, storage);
        return true;
    }
    if (!token_is(t, name + 1, "[") || !token_is(t, name + 2, "]"))
        return token_error(t, name, r->error,
                           "extern __shared__ %.*s, expected an array without "
                           "a size: %.*s[]",
                           t->at[name].length, t->at[name].text, t->at[name].length,
                           t->at[name].text);
    buffer_tokens(b, t, from, name + 1, storage);
    buffer_add(b, "[1]");
    buffer_tokens(b, t, name + 3, to, storage);
    return true;
}

static bool add_variable(struct rewriter *r, struct buffer *b, const struct declaration *d,
                         size_t from, size_t to)
{
    const struct tokens *t = &r->t;
    size_t name = declarator_name(t, from, to);
    if (name >= to)
        return token_error(t, from < to ? from : d->start, r->error,
                           "__shared__ without a name, expected __shared__ TYPE NAME[..];");
    int n = ++r->serial, length = t->at[name].length;
    const char *text = t->at[name].text;
    buffer_add(b, " struct hpc_shared_%d { ", n);
    if (!add_member(r, b, d, from, to, name))
        return false;
    buffer_add(b, "; };");
    if (d->dynamic) {
        buffer_add(b,
                   " typedef ::hpc_dev::element<decltype(hpc_shared_%d::%.*s)> hpc_element_%d;"
                   " [[maybe_unused]] %shpc_element_%d (&%.*s)[] = "
                   "*(hpc_element_%d (*)[])::hpc_dev::dynamic_shared();",
                   n, length, text, n, d->thread_local_, n, length, text, n);
        return true;
    }
    buffer_add(b,
               " static ::hpc_dev::shared_variable hpc_variable_%d = {sizeof(hpc_shared_%d),"
               " alignof(hpc_shared_%d), \"%.*s\", \"%s\", %d, 0, 0, 0,"
               " ::hpc_dev::shape<decltype(hpc_shared_%d::%.*s)>(), %s, 0};"
               " [[maybe_unused]] %sauto &%.*s ="
               " ::hpc_dev::shared<hpc_shared_%d>(hpc_variable_%d).%.*s;",
               n, n, n, length, text, file_of(r, name), t->at[name].line, n, length, text,
               *d->thread_local_ ? "true" : "false", d->thread_local_, length, text, n, n, length,
               text);
    return true;
}

/* Where the specifiers end: before the *, the ( or the name of the first declarator. */
static size_t specifiers_end(const struct tokens *t, size_t start, size_t first_end)
{
    size_t name = declarator_name(t, start, first_end);
    for (size_t k = start; k < name; k++) {
        if (token_is(t, k, "*") || token_is(t, k, "&"))
            return k;
        if (token_is(t, k, "(") && (token_is(t, k + 1, "*") || token_is(t, k + 1, "&")))
            return k;
        if (token_is(t, k, "<") && after_angles(t, k) > k)
            k = after_angles(t, k) - 1;
        else if (t->match[k] > (int)k)
            k = (size_t)t->match[k];
    }
    return name;
}

static bool find_end(struct rewriter *r, size_t i, struct declaration *d)
{
    const struct tokens *t = &r->t;
    for (d->end = d->start; d->end < t->count && !token_is(t, d->end, ";"); d->end++) {
        if (token_is(t, d->end, "}") || token_is(t, d->end, ")"))
            break;
        if (t->match[d->end] > (int)d->end)
            d->end = (size_t)t->match[d->end];
    }
    return token_is(t, d->end, ";") ||
           token_error(t, i, r->error,
                       "__shared__ without its ;, expected __shared__ TYPE NAME[..];");
}

/* struct NAME { .. } s; the definition goes first, and `struct NAME` stays as the specifier.
 * Returns where the declarators begin. */
static size_t lift_struct(const struct tokens *t, struct declaration *d, struct buffer *b)
{
    for (size_t k = d->start; k < d->end; k++) {
        if (!token_is(t, k, "struct") && !token_is(t, k, "union"))
            continue;
        if (t->at[k + 1].kind != TOKEN_WORD || !token_is(t, k + 2, "{"))
            break;
        buffer_add(b, " ");
        buffer_tokens(b, t, k, (size_t)t->match[k + 2] + 1, NULL);
        buffer_add(b, ";");
        d->specifiers_end = k + 2;
        return (size_t)t->match[k + 2] + 1;
    }
    return 0;
}

/* Where the first declarator begins; sets d->specifiers_end. */
static size_t first_declarator(const struct tokens *t, struct declaration *d, struct buffer *b)
{
    size_t from = lift_struct(t, d, b);
    if (from)
        return from;
    size_t end = declarator_end(t, d->start, d->end);
    if (token_is(t, end, "{") && (token_is(t, end - 1, "struct") || token_is(t, end - 1, "union")))
        return d->specifiers_end = (size_t)t->match[end] + 1;
    return d->specifiers_end = specifiers_end(t, d->start, end);
}

bool rewrite_shared(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    struct declaration d = {.start = declaration_start(t, i), .thread_local_ = ""};
    enum scope scope = scope_now(r);
    if (scope == SCOPE_CLASS)
        return token_error(t, i, r->error,
                           "__shared__ member of a class, expected it in a function");
    if (scope == SCOPE_NAMESPACE)
        d.thread_local_ = "static thread_local ";
    if (!find_end(r, i, &d))
        return false;
    for (size_t k = d.start; k < i; k++)
        d.dynamic |= token_is(t, k, "extern");
    d.dynamic |= token_is(t, i + 1, "extern");
    struct buffer b = {0};
    bool ok = true;
    for (size_t from = first_declarator(t, &d, &b); ok; from++) {
        size_t to = declarator_end(t, from, d.end);
        if (token_is(t, to, "=") || token_is(t, to, "{"))
            ok = token_error(t, to, r->error,
                             "a __shared__ variable with an initial value, expected "
                             "it to be written in the kernel");
        ok = ok && add_variable(r, &b, &d, from, to);
        from = to;
        if (to >= d.end)
            break;
    }
    for (size_t k = d.start; k <= d.end; k++)
        r->edits[k].drop = true;
    if (ok)
        edit_before(r, d.start, b.text);
    free(b.text);
    return ok;
}

/* ---- red zones ------------------------------------------------------------------------------- */

/* Whether the specifiers before the name have nothing but words of numbers: no constructor, which
 * may leave something else than zeros, and no pointer. */
static bool is_of_numbers(const struct tokens *t, size_t start, size_t name)
{
    static const char *const words[] = {"int",    "float",    "double", "char",   "short",
                                        "long",   "unsigned", "signed", "bool",   "const",
                                        "static", "volatile", "float2", "float4", NULL};
    for (size_t k = start; k < name; k++) {
        int w = 0;
        while (words[w] && !token_is(t, k, words[w]))
            w++;
        if (!words[w] && !(t->at[k].length > 8 && memcmp(t->at[k].text, "__", 2) == 0))
            return false; /* but for __device__ and its kin */
    }
    return true;
}

/* The section of the variable and its zones: in one section compilers keep variables in order.
 * NULL: it would stand there beside others of another kind. */
static const char *zone_section(const struct tokens *t, size_t start, size_t name, size_t end)
{
    bool constant = false, initial = false, braces = false;
    const bool numbers = is_of_numbers(t, start, name);
    for (size_t k = start; k < end; k++) {
        if (token_is(t, k, "alignas") || token_is(t, k, "__attribute__") ||
            token_is(t, k, "__align__") || token_is(t, k, "constexpr"))
            return NULL;
        constant |= k < name && token_is(t, k, "const");
        initial |= k > name && (token_is(t, k, "=") || token_is(t, k, "{"));
        braces |= k > name && token_is(t, k, "{");
    }
    if (constant)
        return numbers && braces ? "hpc_constants" : NULL;
    return initial ? ".data.hpc_zones" : numbers ? ".bss.hpc_zones" : NULL;
}

void add_zones(struct rewriter *r, size_t start, size_t name, size_t end)
{
    const char *section = r->zones ? zone_section(&r->t, start, name, end) : NULL;
    const bool constant = section && section[0] != '.';
    struct buffer zone = {0}, place = {0};
    if (!section)
        return;
    for (int side = 0; side < 2; side++) {
        zone.length = 0;
        buffer_add(&zone,
                   " __attribute__((section(\"%s\"), used)) static %schar hpc_zone_%d[%d]%s; ",
                   section, constant ? "const " : "", ++r->serial, *section == '.' ? 1024 : 256,
                   constant ? " = {}" : "");
        if (side == 0)
            edit_before(r, start, zone.text);
        else
            edit_after(r, end, zone.text);
    }
    buffer_add(&place, " __attribute__((section(\"%s\"))) ", section);
    edit_before(r, start, place.text);
    free(zone.text);
    free(place.text);
}

/* Whether the declaration [start, end) may stand in a struct. */
static bool fits_in_struct(const struct tokens *t, size_t start, size_t end)
{
    bool value = false; /* behind a = */
    for (size_t k = start; k < end; k++) {
        value = !token_is(t, k, ",") && (value || token_is(t, k, "="));
        const bool unsized = token_is(t, k, "[") && token_is(t, k + 1, "]");
        if (!value && (unsized || token_is(t, k, "auto") || token_is(t, k, "(")))
            return false; /* int t[] = {1}, n(1); */
        if (value && t->match[k] > (int)k)
            k = (size_t)t->match[k];
    }
    return true;
}

/* What tells the checker of a static variable, when a thread first comes there. */
static void add_static(struct rewriter *r, struct buffer *b, const struct token *k)
{
    const int n = ++r->serial, length = k->length;
    buffer_add(b,
               " static ::hpc_dev::static_variable hpc_static_%d = {{::DEV_SYMBOL, \"%.*s\", "
               "\"%s\", %d, 0, 0, {}}, false}; ::hpc_dev::of_device(hpc_static_%d, %.*s);",
               n, length, k->text, file_of(r, (size_t)(k - r->t.at)), k->line, n, length, k->text);
}

/* static T a = 1, b[2];    static struct { T a = 1, b[2]; } hpc_both_7[2] = {};
 *                          auto &a = hpc_both_7[::hpc_dev::side()].a; auto &b = ..;
 * where the host has the function, too. */
void rewrite_static(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    const size_t end = variable_end(t, i), begin = after_class(t, i, end);
    const bool in_code = scope_now(r) == SCOPE_BLOCK || scope_now(r) == SCOPE_LAMBDA;
    struct buffer copies = {0}, records = {0};
    if (!r->device_end || !in_code || end >= t->count || token_is(t, i - 1, "("))
        return;
    for (size_t k = i; k < end && !token_is(t, k, "=") && !token_is(t, k, "{"); k++)
        if (token_is(t, k, "const") || token_is(t, k, "constexpr") || token_is(t, k, "__shared__"))
            return;
    const int both = r->hosts_too && fits_in_struct(t, i, end) ? ++r->serial : 0;
    buffer_add(&copies, " } hpc_both_%d[2] = {};", both);
    for (size_t from = begin, to; from < end; from = to + 1) {
        to = declarator_end(t, from, end);
        const size_t name = declarator_name(t, from, to);
        const struct token *k = &t->at[name];
        if (name < to)
            buffer_add(&copies, " auto &%.*s = hpc_both_%d[::hpc_dev::side()].%.*s;", k->length,
                       k->text, both, k->length, k->text);
        if (name < to && (!r->in_phases || r->watched))
            add_static(r, &records, k);
        while (to < end && !token_is(t, to, ",")) /* over an initialiser */
            to = t->match[to] > (int)to ? (size_t)t->match[to] + 1 : to + 1;
    }
    edit_after(r, i, both ? " struct {" : "");
    edit_after(r, end, both ? copies.text : "");
    edit_after(r, end, records.text ? records.text : "");
    free(copies.text);
    free(records.text);
}
