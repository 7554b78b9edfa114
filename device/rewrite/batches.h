/* Check mode: regions (phased.h) whose accesses follow from threadIdx.x, by what stands there:
 * numbers of the threads, and elements of arrays that are parameters or shared. Such a loop is
 * asked for all its accesses at once (hpc_device/batches.h):
 *
 *   each([&](..) { if (t < n)      { const bool hpc_b = batched([.., x = seen_of(x)](..) {
 *       y[t] = x[t + 1]; });               if (t < n) y.put(t) = x.get(t + 1); }, [..](..) { .. });
 *                                    if (!hpc_b) each([&](..) { if (t < n) y[t] = x[t + 1]; }); }
 *
 * What stands there twice more is written by words alone, so all of it has to be known. */
#ifndef HPC_DEVICE_REWRITE_BATCHES_H
#define HPC_DEVICE_REWRITE_BATCHES_H

#include "device/rewrite/numbers.h"
#include "device/rewrite/regions.h"

static inline const struct item *last_of_region(const struct phases *p, const struct item *first)
{
    const struct item *last = first;
    while (last + 1 < p->items + p->n_items && last[1].region == first->region)
        last++;
    return last;
}

/* Whether a statement begins at i. */
static inline bool begins_statement(const struct phases *p, size_t i)
{
    const struct tokens *t = &p->r->t;
    const int k = item_of(p, i);
    return (k >= 0 && p->items[k].first == i) || token_is(t, i - 1, ";") ||
           token_is(t, i - 1, "{") || token_is(t, i - 1, "}") || token_is(t, i - 1, ")") ||
           token_is(t, i - 1, "else") || t->at[i - 1].kind == TOKEN_DIRECTIVE;
}

/* What is done to the element whose last ] stands at i: 1 written, 0 read, -1 something else. */
static inline int done_to_element(const struct tokens *t, size_t i)
{
    const struct token *next = &t->at[i + 1];
    if (token_is(t, i + 1, "="))
        return !is_joined(t, i + 2, "=");
    if (next->kind != TOKEN_PUNCT || !strchr("+-*/%&|^<>", *next->text))
        return 0;
    if (is_joined(t, i + 2, "="))
        return strchr("+-*", *next->text) ? 1 : strchr("<>", *next->text) ? 0 : -1;
    const bool twice = is_joined(t, i + 2, next->text) && next->length == 1;
    return twice && (strchr("+-", *next->text) || is_joined(t, i + 3, "=")) ? -1 : 0;
}

/* The element of the array whose name stands at i. */
static inline bool is_batch_element(const struct phases *p, size_t i)
{
    const struct tokens *t = &p->r->t;
    size_t last = i;
    while (token_is(t, last + 1, "["))
        last = (size_t)t->match[last + 1];
    const int done = done_to_element(t, last);
    return last > i && done >= 0 && (done == 1) == begins_statement(p, i) &&
           !(token_is(t, i - 1, "+") && token_is(t, i - 2, "+")) &&
           !(token_is(t, i - 1, "-") && token_is(t, i - 2, "-"));
}

/* c ? a : b, of which one is a number as it stands, so that both get one type. */
static inline bool is_batch_choice(const struct tokens *t, size_t i)
{
    size_t colon = i + 1;
    while (!token_is(t, colon, ":") && !token_is(t, colon, "?") && !token_is(t, colon, ";") &&
           colon < t->count)
        colon = t->match[colon] > (int)colon ? (size_t)t->match[colon] + 1 : colon + 1;
    return token_is(t, colon, ":") &&
           ((t->at[i + 1].kind == TOKEN_NUMBER && colon == i + 2) ||
            (t->at[colon + 1].kind == TOKEN_NUMBER &&
             (token_is(t, colon + 2, ";") || token_is(t, colon + 2, ")") ||
              token_is(t, colon + 2, ","))));
}

static inline bool is_batch_punct(const struct tokens *t, size_t i)
{
    if (token_is(t, i, "?"))
        return is_batch_choice(t, i);
    if (token_is(t, i, "*") || token_is(t, i, "&"))
        return !is_prefix(t, i) || is_joined(t, i, "&") || is_joined(t, i + 1, "&");
    return t->at[i].length == 1 && strchr("+-/%<>=!|^:,;(){}[]", *t->at[i].text);
}

enum { MOST_NAMES_OF_BATCH = 32 };
struct batch_names {
    size_t at[MOST_NAMES_OF_BATCH]; /* variables of statements in statements */
    int n;
};

static inline bool is_batch_name(const struct phases *p, size_t i, const struct batch_names *names)
{
    const struct tokens *t = &p->r->t;
    const struct variable *v = variable_of(p, i);
    for (int k = 0; k < names->n; k++)
        if (same_name(t, names->at[k], i))
            return true;
    return v ? is_number_variable(p, v)
             : is_number_parameter(p, i) || is_constant_name(&p->r->t, i);
}

/* Whether all tokens of [from, to) are known. */
static inline bool is_batch_text(const struct phases *p, size_t from, size_t to,
                                 struct batch_names *names)
{
    static const char *const words[] = {"if",    "else",     "for",  "while", "do",
                                        "break", "continue", "true", "false", NULL};
    static const char *const indices[] = {"threadIdx", "blockIdx", "blockDim", "gridDim", NULL};
    const struct tokens *t = &p->r->t;
    for (size_t i = from; i < to; i++) {
        const size_t type = number_type_end(t, i);
        if (t->at[i].kind == TOKEN_NUMBER || t->at[i].kind == TOKEN_DIRECTIVE ||
            is_word_among(t, i, words) || (token_is(t, i, "return") && token_is(t, i + 1, ";")))
            continue;
        if (t->at[i].kind == TOKEN_PUNCT) {
            if (!is_batch_punct(t, i))
                return false;
        } else if (type > i) {
            const bool in_for = token_is(t, i - 1, "(") && token_is(t, i - 2, "for");
            if (!(in_for || begins_statement(p, i)) || t->at[type].kind != TOKEN_WORD ||
                !(token_is(t, type + 1, "=") || token_is(t, type + 1, ";") ||
                  token_is(t, type + 1, ",")) ||
                names->n == MOST_NAMES_OF_BATCH)
                return false;
            names->at[names->n++] = type;
            i = type - 1;
        } else if (is_word_among(t, i, indices)) {
            if (!token_is(t, i + 1, "."))
                return false;
            i += 2;
        } else if (t->at[i].kind != TOKEN_WORD ||
                   !(is_array_name(p, i) ? is_batch_element(p, i)
                                         : !token_is(t, i + 1, "(") && !token_is(t, i + 1, "[") &&
                                               is_batch_name(p, i, names))) {
            return false;
        }
    }
    return true;
}

/* Whether the region that begins with `first` is one. */
static inline bool is_batch(const struct phases *p, const struct item *first)
{
    struct batch_names names;
    const struct item *last = last_of_region(p, first);
    bool all = p->r->watched && !p->leaves && !first->mask && first->region > 0, touches = false;
    names.n = 0;
    for (int i = 0; i < p->n_variables && all; i++) {
        const struct variable *v = &p->variables[i];
        if (is_around(v, first, last->last + 1) && v->way == WAY_AGAIN)
            all = is_number_variable(p, v) && is_batch_text(p, v->value, v->value_end, &names);
    }
    for (const struct item *one = first; one <= last && all; one++)
        all = (one->kind == ITEM_EACH || one->kind == ITEM_DECLARES || one->kind == ITEM_ASSIGNS) &&
              one->n_calls == 0 && is_batch_text(p, one->first, one->last + 1, &names);
    for (size_t i = first->first; i < last->last && all; i++)
        touches |= token_is(&p->r->t, i, "[");
    return touches;
}

/* Whether a kernel without barriers is one loop that the checker may be asked for at once: fibers
 * serve others as well, and those with several rows of threads, which are short. */
static inline bool is_one_batch(const struct phases *p)
{
    const struct tokens *t = &p->r->t;
    for (size_t i = p->k->body; i < p->k->end; i++)
        if (token_is(t, i, "threadIdx") && !token_is(t, i + 2, "x"))
            return false;
    const struct item *first = p->items;
    while (first < p->items + p->n_items && first->region == 0)
        first++;
    return p->n_regions == 1 && is_batch(p, first);
}

/* Numbers are `some`, elements are got and put. Each access stands at its line. */
static inline void add_seen(struct buffer *b, const struct phases *p, size_t from, size_t to)
{
    const struct tokens *t = &p->r->t;
    for (size_t i = from; i < to; i++) {
        const struct token *k = &t->at[i];
        const size_t type = number_type_end(t, i);
        if (k->kind == TOKEN_DIRECTIVE)
            continue;
        if (i == from || k->line != t->at[i - 1].line || k->file != t->at[i - 1].file)
            buffer_add(b, "\n# %d \"%s\"\n", k->line, t->files[k->file].name);
        if (type > i) {
            add_some(b, t, i, type);
            i = type - 1;
        } else if (token_is(t, i, "[")) {
            const size_t end = (size_t)t->match[i];
            buffer_add(b, !token_is(t, end + 1, "[") && done_to_element(t, end) == 1 ? ".put("
                                                                                     : ".get(");
        } else if (token_is(t, i, "]")) {
            buffer_add(b, ")");
        } else {
            const bool joined = i > from && k->space == 0 && k->kind == TOKEN_PUNCT &&
                                t->at[i - 1].kind == TOKEN_PUNCT && k->line == t->at[i - 1].line;
            buffer_add(b, "%s%.*s", joined ? "" : " ", k->length, k->text);
        }
    }
}

static inline void add_seen_declaration(struct buffer *b, const struct phases *p,
                                        const struct item *one)
{
    for (int i = one->variable; i < one->variable + one->n_variables; i++) {
        const struct variable *v = &p->variables[i];
        if (v->way == WAY_AGAIN || (v->way == WAY_EACH && !v->value))
            continue;
        if (v->way == WAY_LOCAL)
            add_some(b, &p->r->t, v->start, v->specifiers);
        add_seen(b, p, v->from, v->value ? v->value_end : v->to);
        buffer_add(b, ";");
    }
}

/* The first of the two bodies. */
static inline void add_shape(struct buffer *b, const struct phases *p, const struct item *first,
                             const struct item *last)
{
    for (int i = 0; i < p->n_variables; i++) {
        const struct variable *v = &p->variables[i];
        const bool each = v->way == WAY_EACH && is_used(p, v, first->first, last->last + 1);
        if (!is_around(v, first, last->last + 1) || !(each || v->way == WAY_AGAIN))
            continue;
        buffer_add(b, " [[maybe_unused]]");
        add_some(b, &p->r->t, v->start, v->specifiers);
        add_seen(b, p, v->from, each ? v->to : v->value_end);
        buffer_add(b, ";");
    }
    for (const struct item *one = first; one <= last; one++) {
        if (one->kind == ITEM_DECLARES)
            add_seen_declaration(b, p, one);
        else
            add_seen(b, p, one->first, one->last + 1);
    }
}

/* What the lambdas capture beside values: arrays, as `seen` or by reference; and variables of each
 * thread. */
static inline void add_captures(struct buffer *b, const struct phases *p, const struct item *first,
                                const struct item *last, bool seen)
{
    const struct tokens *t = &p->r->t;
    for (size_t i = first->first; i <= last->last; i++) {
        bool again = !is_array_name(p, i) || (!seen && !is_shared_name(p, i));
        for (size_t k = first->first; k < i && !again; k++)
            again = same_name(t, k, i);
        if (!again && seen)
            buffer_add(b, ", %.*s = ::hpc_dev::seen_of(%.*s)", t->at[i].length, t->at[i].text,
                       t->at[i].length, t->at[i].text);
        else if (!again)
            buffer_add(b, ", &%.*s", t->at[i].length, t->at[i].text);
    }
    for (int i = 0; i < p->n_variables && !seen; i++) {
        const struct variable *v = &p->variables[i];
        if (v->way == WAY_EACH && is_around(v, first, last->last + 1) &&
            is_used(p, v, first->first, last->last + 1))
            buffer_add(b, ", &hpc_of_%d", v->serial);
    }
}

/* What stands before the loop of such a region. */
static inline void open_batch(struct buffer *b, const struct phases *p, const struct item *first)
{
    static const char unwatched[] = "__attribute__((no_sanitize(\"thread\")))";
    const struct tokens *t = &p->r->t;
    const struct item *last = last_of_region(p, first);
    buffer_add(b, "\n#pragma GCC diagnostic push\n"
                  "#pragma GCC diagnostic ignored \"-Wuninitialized\"\n"
                  "#pragma GCC diagnostic ignored \"-Wmaybe-uninitialized\"\n"
                  " { const bool hpc_b = ::hpc_dev::batched(blockDim, ");
    add_bound(b, p, first);
    buffer_add(b, "[=");
    add_captures(b, p, first, last, true);
    buffer_add(b, "]([[maybe_unused]] const ::hpc_dev::seen_index threadIdx) %s {", unwatched);
    add_shape(b, p, first, last);
    buffer_add(b, " }, [=");
    add_captures(b, p, first, last, false);
    buffer_add(b,
               "]([[maybe_unused]] const uint3 threadIdx, [[maybe_unused]] const unsigned hpc_t) "
               "__attribute__((no_sanitize(\"thread\"), always_inline)) {");
    add_variables(b, p, first, last->last + 1);
    for (const struct item *one = first; one <= last; one++) {
        if (one->kind == ITEM_DECLARES && !is_all_local(p, one))
            add_declaration(b, p, one);
        else
            add_tokens(b, p, one->first, one->last + 1, NULL, false);
    }
    add_copies(b, p, first, last);
    buffer_add(b, " });\n#pragma GCC diagnostic pop\n# %d \"%s\"\n if (!hpc_b)",
               t->at[first->first].line, t->files[t->at[first->first].file].name);
}

#endif
