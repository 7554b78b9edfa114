/* __device__, __constant__ and __managed__: variables get a record that the runtime finds by the
 * section it stands in; functions and variables of one file are kept to it, as nvcc keeps them but
 * with -rdc=true. */
#include <stdlib.h>
#include <string.h>

#include "device/rewrite/rewrite.h"

enum what { A_VARIABLE, A_FUNCTION, A_LAMBDA };

/* What is declared from `start` on; *stop: the ( of a function, else where the declarator ends. */
static enum what what_is(const struct tokens *t, size_t start, size_t *stop)
{
    for (size_t k = start; k < t->count; k++) {
        *stop = k;
        if (token_is(t, k, "operator"))
            return A_FUNCTION;
        if (token_is(t, k, "alignas") || token_is(t, k, "__attribute__") ||
            token_is(t, k, "decltype") || token_is(t, k, "__declspec"))
            k = token_is(t, k + 1, "(") ? (size_t)t->match[k + 1] : k;
        else if (token_is(t, k, "template") && token_is(t, k + 1, "<"))
            k = after_angles(t, k + 1) > k + 1 ? after_angles(t, k + 1) - 1 : k;
        else if (token_is(t, k, "<") && after_angles(t, k) > k)
            k = after_angles(t, k) - 1;
        else if (token_is(t, k, "[") && token_is(t, k + 1, "["))
            k = (size_t)t->match[k];
        else if (token_is(t, k, "("))
            return token_is(t, k + 1, "*") || token_is(t, k + 1, "&") ? A_VARIABLE : A_FUNCTION;
        else if (token_is(t, k, ";") || token_is(t, k, "=") || token_is(t, k, "[") ||
                 token_is(t, k, ",") || token_is(t, k, "{") || token_is(t, k, ")"))
            return A_VARIABLE;
    }
    return A_VARIABLE;
}

/* Words of a declaration that decide its linkage. */
struct words {
    bool host, device, constant, managed, is_static, is_extern, is_inline, is_template, is_friend;
};

static struct words words_of(const struct tokens *t, size_t start, size_t end)
{
    struct words w = {0};
    for (size_t k = start; k < end; k++) {
        w.host |= token_is(t, k, "__host__");
        w.device |= token_is(t, k, "__device__");
        w.constant |= token_is(t, k, "__constant__");
        w.managed |= token_is(t, k, "__managed__");
        w.is_static |= token_is(t, k, "static") || token_is(t, k, "constexpr");
        w.is_extern |= token_is(t, k, "extern");
        w.is_inline |=
            token_is(t, k, "inline") || token_is(t, k, "__inline__") || token_is(t, k, "__inline");
        w.is_template |= token_is(t, k, "template");
        w.is_friend |=
            token_is(t, k, "friend") || token_is(t, k, "using") || token_is(t, k, "typedef");
    }
    return w;
}

static void declared_add(struct rewriter *r, size_t name)
{
    const struct token *k = &r->t.at[name];
    r->declared = realloc(r->declared, (size_t)(r->n_declared + 1) * sizeof *r->declared);
    char *copy = strndup(k->text, (size_t)k->length);
    if (!r->declared || !copy)
        abort();
    r->declared[r->n_declared++] = copy;
}

static bool declared_before(const struct rewriter *r, size_t name)
{
    for (int i = 0; i < r->n_declared; i++)
        if (token_is(&r->t, name, r->declared[i]))
            return true;
    return false;
}

static void drop_words(struct rewriter *r, size_t start, size_t end)
{
    for (size_t k = start; k < end; k++)
        if (token_is(&r->t, k, "__host__") || token_is(&r->t, k, "__device__") ||
            token_is(&r->t, k, "__constant__") || token_is(&r->t, k, "__managed__"))
            r->edits[k].drop = true;
}

/* Whether a function of this name has a body behind its declaration. */
static bool defined_behind(const struct tokens *t, size_t name)
{
    for (size_t k = name + 1; k + 1 < t->count; k++) {
        if (t->at[k].kind != TOKEN_WORD || t->at[k].length != t->at[name].length ||
            !token_is(t, k + 1, "(") || token_is(t, k - 1, "::") ||
            memcmp(t->at[k].text, t->at[name].text, (size_t)t->at[k].length) != 0)
            continue;
        if (token_is(t, (size_t)t->match[k + 1] + 1, "{"))
            return true;
    }
    return false;
}

static void device_function(struct rewriter *r, size_t start, size_t open, const struct words *w)
{
    const struct tokens *t = &r->t;
    size_t name = open > 0 ? open - 1 : 0, end = open;
    if (token_is(t, open, "operator")) /* its own name may have a ( */
        while (end < t->count && !(token_is(t, end, "(") && !token_is(t, end + 1, ")")) &&
               !token_is(t, end, ";"))
            end++;
    if (!token_is(t, end, "("))
        return;
    size_t body = (size_t)t->match[end] + 1;
    while (body < t->count && !token_is(t, body, "{") && !token_is(t, body, ";") &&
           !token_is(t, body, "}") && !token_is(t, body, "="))
        body = t->match[body] > (int)body ? (size_t)t->match[body] + 1 : body + 1;
    bool defined = token_is(t, body, "{");
    if (defined && !r->device_end) {
        r->device_end = (size_t)t->match[body];
        r->hosts_too = w->host;
    }
    bool plain = t->at[name].kind == TOKEN_WORD && open > 0 && !token_is(t, open, "operator") &&
                 !(name > 0 && token_is(t, name - 1, "::"));
    if (!defined && t->at[name].kind == TOKEN_WORD)
        function_elsewhere(r, name);
    if (scope_now(r) != SCOPE_NAMESPACE || !plain)
        return;
    const bool files = !w->is_static && !w->is_extern && !w->is_inline && !w->is_template &&
                       !w->is_friend && !w->host && !r->relocatable;
    if (!defined && !(files && !declared_before(r, name) && defined_behind(t, name)))
        declared_add(r, name);
    else if (files && !declared_before(r, name))
        edit_before(r, start, " static __attribute__((unused)) ");
}

static const char *kind_of(const struct words *w)
{
    return w->managed ? "DEV_MANAGED" : w->constant ? "DEV_CONSTANT" : "DEV_SYMBOL";
}

static void add_record(struct rewriter *r, struct buffer *b, size_t name, const struct words *w)
{
    const struct token *k = &r->t.at[name];
    buffer_add(b,
               " __attribute__((section(\"hpc_symbols\"), used)) static const"
               " ::hpc_dev::symbol hpc_symbol_%d = {%s, \"%.*s\", \"%s\", %d,"
               " (char *)&%.*s, sizeof(%.*s), ::hpc_dev::shape<decltype(%.*s)>(), %s};",
               ++r->serial, kind_of(w), k->length, k->text, r->t.files[k->file].name, k->line,
               k->length, k->text, k->length, k->text, k->length, k->text, unit_of(r));
    if (w->constant)
        buffer_add(b,
                   " static_assert(sizeof(%.*s) <= ::hpc_dev::most_constant, \"a GPU has 64 KiB of"
                   " __constant__ memory\");",
                   k->length, k->text);
}

/* A template's parameters, < at i, without what they are by default: "class T, int N", and their
 * names, "T, N". False where one has none. */
static bool add_parameters(const struct rewriter *r, size_t i, struct buffer *all,
                           struct buffer *names)
{
    const struct tokens *t = &r->t;
    const size_t end = after_angles(t, i) - 1;
    for (size_t k = i + 1, to; k < end; k++) {
        const size_t from = k;
        for (to = 0; k < end && !token_is(t, k, ","); k++) {
            to = !to && token_is(t, k, "=") ? k : to;
            if (token_is(t, k, "<") && after_angles(t, k) > k)
                k = after_angles(t, k) - 1;
            else if (t->match[k] > (int)k)
                k = (size_t)t->match[k];
        }
        const size_t name = (to ? to : k) - 1;
        if (name <= from || t->at[name].kind != TOKEN_WORD)
            return false;
        buffer_add(all, from == i + 1 ? "" : ", ");
        buffer_tokens(all, t, from, name + 1, NULL);
        buffer_add(names, "%s%.*s%s", from == i + 1 ? "" : ", ", t->at[name].length,
                   t->at[name].text, token_is(t, name - 1, ".") ? "..." : "");
    }
    return true;
}

/* template <class T> .. x; one record for each x<T> that is made: what tells of it is made with it,
 * by the alignment that names it, and runs before main. */
static void template_variable(struct rewriter *r, size_t start, size_t end, const struct words *w)
{
    const struct tokens *t = &r->t;
    const size_t open = start + 1, first = after_angles(t, open);
    const size_t to = declarator_end(t, first, end), name = declarator_name(t, first, to);
    struct buffer all = {0}, names = {0}, b = {0};
    if (token_is(t, open, "<") && first > open + 2 && !token_is(t, first, "template") &&
        name < to && !token_is(t, name + 1, "<") && add_parameters(r, open, &all, &names)) {
        const struct token *k = &t->at[name];
        const int n = ++r->serial;
        buffer_add(&b, "template <%s> struct hpc_of_%d { static const int added; }; ", all.text, n);
        edit_before(r, start, b.text);
        b.length = 0;
        buffer_add(&b, "alignas(::hpc_dev::beside<&hpc_of_%d<%s>::added>::line) ", n, names.text);
        edit_before(r, first, b.text);
        b.length = 0;
        buffer_add(
            &b,
            " template <%s> const int hpc_of_%d<%s>::added = [] { static const "
            "::hpc_dev::symbol record ="
            " {%s, \"%.*s\", \"%s\", %d, (char *)&%.*s<%s>, sizeof(%.*s<%s>),"
            " ::hpc_dev::shape<decltype(%.*s<%s>)>(), %s}; return dev_symbol_add(&record); }();",
            all.text, n, names.text, kind_of(w), k->length, k->text, t->files[k->file].name,
            k->line, k->length, k->text, names.text, k->length, k->text, names.text, k->length,
            k->text, names.text, unit_of(r));
        edit_after(r, end, b.text);
    }
    free(all.text);
    free(names.text);
    free(b.text);
}

static void device_variable(struct rewriter *r, size_t start, const struct words *w)
{
    const struct tokens *t = &r->t;
    size_t end = variable_end(t, start), begin = after_class(t, start, end);
    if (scope_now(r) != SCOPE_NAMESPACE || w->is_friend || end >= t->count)
        return;
    if (w->is_template) {
        template_variable(r, start, end, w);
        return;
    }
    size_t to = declarator_end(t, begin, end), first = declarator_name(t, begin, to);
    if (first >= to)
        return;
    if (w->is_extern) {
        declared_add(r, first);
        return;
    }
    if (!w->is_inline && !token_is(t, to, ","))
        add_zones(r, start, first, end);
    if (!w->is_static && !w->is_inline && !r->relocatable && !declared_before(r, first))
        edit_before(r, start, " static __attribute__((unused)) ");
    struct buffer b = {0};
    for (size_t from = begin;; from = to + 1, to = declarator_end(t, from, end)) {
        size_t name = declarator_name(t, from, to);
        if (name < to)
            add_record(r, &b, name, w);
        while (to < end && !token_is(t, to, ",")) /* over an initialiser */
            to = t->match[to] > (int)to ? (size_t)t->match[to] + 1 : to + 1;
        if (to >= end)
            break;
    }
    edit_after(r, end, b.text ? b.text : "");
    free(b.text);
}

/* [=] __device__ (int i) { .. }, [=] __host__ __device__ { .. } */
static bool is_lambda_word(const struct tokens *t, size_t i)
{
    if (i > 0 && token_is(t, i - 1, "__host__"))
        i--;
    return i > 0 && token_is(t, i - 1, "]") && !token_is(t, (size_t)t->match[i - 1] + 1, "[");
}

static void device_lambda(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    const bool host = token_is(t, i - 1, "__host__") || token_is(t, i + 1, "__host__");
    for (i++; i < t->count && !token_is(t, i, ";") && !token_is(t, i, ")"); i++) {
        if (token_is(t, i, "{")) {
            if (!r->device_end)
                r->hosts_too = host;
            if (!r->device_end)
                r->device_end = (size_t)t->match[i];
            return;
        }
        if (token_is(t, i, "("))
            i = (size_t)t->match[i];
    }
}

bool rewrite_device(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    r->edits[i].drop = true;
    if (is_lambda_word(t, i)) {
        device_lambda(r, i);
        return true;
    }
    size_t start = declaration_start(t, i), stop = i;
    enum what what = what_is(t, start, &stop);
    struct words w = words_of(t, start, stop);
    if (stop < i) /* something of its own stands in front: leave the rest alone */
        return true;
    for (size_t k = start; k < stop; k++)
        if (token_is(t, k, "__shared__") || token_is(t, k, "__global__"))
            return true;
    drop_words(r, start, stop);
    if (what == A_FUNCTION)
        device_function(r, start, stop, &w);
    else
        device_variable(r, start, &w);
    return true;
}
