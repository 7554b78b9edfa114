/* The variables, parameters, warp's calls and bounds of a kernel that may be loops between barriers
 * (phased.h). By words: what is not plainly one of simple type is not read. */
#include <string.h>

#include "device/rewrite/phased.h"

static bool is_one_of(const struct tokens *t, size_t i, const char *const *words)
{
    for (; *words; words++)
        if (token_is(t, i, *words))
            return true;
    return false;
}

/* Types whose values may be copied byte by byte and need no making. */
static bool is_simple_type(const struct tokens *t, size_t i)
{
    static const char *const words[] = {
        "unsigned", "signed",   "long",     "short",    "int",       "char",    "float",
        "double",   "bool",     "size_t",   "int8_t",   "int16_t",   "int32_t", "int64_t",
        "uint8_t",  "uint16_t", "uint32_t", "uint64_t", "float2",    "float3",  "float4",
        "double2",  "int2",     "int3",     "int4",     "uint2",     "uint3",   "uint4",
        "uint",     "uchar4",   "uchar3",   "uchar",    "ptrdiff_t", NULL};
    if (is_one_of(t, i, words))
        return true;
    for (size_t k = 1; k < t->count; k++) { /* a template's, or another word for one */
        if (!same_name(t, k, i) || t->files[t->at[k].file].system)
            continue;
        if (token_is(t, k - 1, "typename") || token_is(t, k - 1, "class"))
            return true;
        if (token_is(t, k + 1, ";") && k > 2 && is_one_of(t, k - 1, words) &&
            (token_is(t, k - 2, "typedef") || token_is(t, k - 3, "typedef")))
            return true;
        if (token_is(t, k - 1, "using") && token_is(t, k + 1, "=") && is_one_of(t, k + 2, words))
            return true;
    }
    return false;
}

static bool is_qualifier(const struct tokens *t, size_t i)
{
    return token_is(t, i, "const") || token_is(t, i, "__restrict__") || token_is(t, i, "register");
}

/* Behind the specifiers of a declaration; `first` where none begins. *simple: of a simple type. */
static size_t after_specifiers(const struct tokens *t, size_t first, size_t last, bool *simple)
{
    size_t i = first;
    bool type = false, word = true;
    for (*simple = true; i < last && t->at[i].kind == TOKEN_WORD; i++) {
        if (is_qualifier(t, i))
            continue;
        word = token_is(t, i, "unsigned") || token_is(t, i, "long") || token_is(t, i, "short") ||
               token_is(t, i, "int") || token_is(t, i, "signed") || token_is(t, i, "char") ||
               token_is(t, i, "double");
        if (type && !word)
            break;
        type = true;
        *simple = *simple && is_simple_type(t, i);
    }
    return type ? i : first;
}

bool is_declaration(const struct tokens *t, size_t first, size_t last)
{
    static const char *const others[] = {"return", "delete", "if",    "for",  "while", "do",
                                         "else",   "switch", "throw", "goto", "case",  NULL};
    bool simple;
    size_t i = after_specifiers(t, first, last, &simple);
    if (i == first || is_one_of(t, first, others))
        return false;
    if (token_is(t, i, "::") || token_is(t, i, "<")) /* a::b c, a<b> c: of no simple type */
        return after_angles(t, i) > i ? t->at[after_angles(t, i)].kind == TOKEN_WORD
                                      : token_is(t, i, "::") && !token_is(t, i + 2, "(");
    while (token_is(t, i, "*") || token_is(t, i, "&") || is_qualifier(t, i))
        i++;
    return t->at[i].kind == TOKEN_WORD &&
           (token_is(t, i + 1, "=") || token_is(t, i + 1, ";") || token_is(t, i + 1, ",") ||
            token_is(t, i + 1, "[") || token_is(t, i + 1, "(") || token_is(t, i + 1, "{"));
}

bool read_variables(struct phases *p, size_t first, size_t last, size_t scope_end)
{
    const struct tokens *t = &p->r->t;
    bool simple;
    const size_t specifiers = after_specifiers(t, first, last, &simple);
    if (!simple || token_is(t, specifiers, "::") || token_is(t, specifiers, "<"))
        return false;
    for (size_t from = specifiers; from < last;) {
        const size_t to = declarator_end(t, from, last);
        struct variable v = {.start = first,
                             .specifiers = specifiers,
                             .from = from,
                             .to = to,
                             .name = declarator_name(t, from, to),
                             .scope_end = scope_end,
                             .item = p->n_items - 1,
                             .serial = ++p->r->serial};
        if (v.name >= to || p->n_variables == MOST_VARIABLES || token_is(t, to, "{"))
            return false;
        for (size_t i = from; i < to; i++)
            if (token_is(t, i, "&") || token_is(t, i, "("))
                return false;
        for (int k = 0; k < p->n_variables; k++)
            if (same_name(t, p->variables[k].name, v.name) && p->variables[k].scope_end > first)
                return false;
        size_t next = to;
        if (token_is(t, to, "=")) {
            if (token_is(t, to + 1, "{") || token_is(t, to - 1, "]"))
                return false;
            v.value = to + 1;
            for (next = to + 1; next < last && !token_is(t, next, ","); next++)
                if (t->match[next] > (int)next)
                    next = (size_t)t->match[next];
                else if (token_is(t, next, "<"))
                    for (size_t k = next; k < after_angles(t, next); k++)
                        if (token_is(t, k, ","))
                            return false; /* a < b, c > d */
            v.value_end = next;
        }
        p->variables[p->n_variables++] = v;
        from = next + 1;
    }
    return true;
}

bool is_used(const struct phases *p, const struct variable *v, size_t from, size_t to)
{
    bool used = false;
    for (size_t i = from; i < to && !used; i++)
        used = same_name(&p->r->t, i, v->name) && !token_is(&p->r->t, i - 1, ".");
    return used;
}

bool read_parameters(struct phases *p)
{
    const struct tokens *t = &p->r->t;
    const size_t open = parameters(t, p->k->name), close = (size_t)t->match[open];
    for (size_t from = open + 1; from < close;) {
        const size_t to = declarator_end(t, from, close);
        const size_t name = declarator_name(t, from, to);
        for (size_t i = from; i < to; i++)
            if (token_is(t, i, "&") || token_is(t, i, "(") ||
                (token_is(t, i, ".") && token_is(t, i + 1, ".")))
                return false;
        if (token_is(t, to, "=") || p->n_parameters == MOST_NAMES_OF_BLOCK)
            return false;
        if (name < to)
            p->parameters[p->n_parameters++] = name;
        from = to + 1;
    }
    return true;
}

static const char *const shuffles[] = {"__shfl_sync", "__shfl_up_sync", "__shfl_down_sync",
                                       "__shfl_xor_sync", NULL};
static const char *const votes[] = {"__ballot_sync", "__any_sync", "__all_sync", NULL};

bool has_warp_call(const struct tokens *t, size_t first, size_t last)
{
    for (size_t i = first; i <= last; i++)
        if (is_one_of(t, i, shuffles) || is_one_of(t, i, votes))
            return true;
    return false;
}

/* The comma or closing bracket behind the argument that begins at i; 0 where `<` hides which. */
static size_t argument_end(const struct tokens *t, size_t i)
{
    while (!token_is(t, i, ",") && !token_is(t, i, ")")) {
        if (token_is(t, i, "<") && after_angles(t, i) > i)
            return 0;
        i = t->match[i] > (int)i ? (size_t)t->match[i] + 1 : i + 1;
    }
    return i;
}

/* && or ||, of which both characters are tokens. */
static bool is_and_or(const struct tokens *t, size_t i)
{
    return (token_is(t, i, "&") && token_is(t, i + 1, "&")) ||
           (token_is(t, i, "|") && token_is(t, i + 1, "|"));
}

/* NAME(mask, value ..) at i. */
static bool read_warp_call(struct phases *p, size_t i)
{
    const struct tokens *t = &p->r->t;
    if (p->n_calls == MOST_CALLS || !token_is(t, i + 1, "("))
        return false;
    const size_t mask = argument_end(t, i + 2);
    if (!mask || !token_is(t, mask, ",") || has_warp_call(t, i + 1, (size_t)t->match[i + 1]))
        return false;
    const size_t end = argument_end(t, mask + 1);
    p->calls[p->n_calls++] = (struct warp_call){.name = i,
                                                .value = mask + 1,
                                                .value_end = end,
                                                .serial = ++p->r->serial,
                                                .votes = is_one_of(t, i, votes)};
    return end > mask + 1;
}

bool read_warp_calls(struct phases *p, struct item *one)
{
    const struct tokens *t = &p->r->t;
    one->call = p->n_calls;
    int depth = 0; /* of brackets */
    for (size_t i = one->first; i <= one->last; i++) {
        if (is_one_of(t, i, shuffles) || is_one_of(t, i, votes)) {
            if (!read_warp_call(p, i))
                return false;
            i = (size_t)t->match[i + 1];
            continue;
        }
        depth += t->match[i] < 0 ? 0 : t->match[i] > (int)i ? 1 : -1;
        if (token_is(t, i, "?") || token_is(t, i, "{") || token_is(t, i, "return") ||
            token_is(t, i, "sizeof") || token_is(t, i, "decltype") || is_and_or(t, i) ||
            (token_is(t, i, ",") && depth == 0))
            return false; /* a thread may leave it out, or does something before it */
    }
    one->n_calls = p->n_calls - one->call;
    return true;
}

static bool is_thread_index(const struct tokens *t, size_t from, size_t to)
{
    return to == from + 3 && token_is(t, from, "threadIdx") && token_is(t, from + 2, "x");
}

/* Of an item that is `if (t < s) ..` or `if (t == 0) ..` and no more, t being threadIdx.x: s, or
 * nothing. */
static void find_bound(const struct phases *p, struct item *one)
{
    const struct tokens *t = &p->r->t;
    size_t i = one->first + 2;
    if (!token_is(t, one->first, "if") || !token_is(t, i - 1, "("))
        return;
    const size_t close = (size_t)t->match[i - 1];
    const struct variable *v = variable_of(p, i);
    if (v && (v->way != WAY_AGAIN || !is_thread_index(t, v->value, v->value_end)))
        return;
    if (!v && !is_thread_index(t, i, i + 3))
        return;
    i += v ? 1 : 3;
    const bool first = token_is(t, i, "=") && token_is(t, i + 1, "=") &&
                       t->at[i + 2].kind == TOKEN_NUMBER && t->at[i + 2].length == 1 &&
                       *t->at[i + 2].text == '0' && i + 3 == close;
    bool plain = token_is(t, i, "<");
    for (size_t k = i + 1; k < close && plain; k++)
        plain = t->at[k].kind == TOKEN_WORD || t->at[k].kind == TOKEN_NUMBER ||
                (t->at[k].kind == TOKEN_PUNCT && strchr("+-*/%.()", *t->at[k].text));
    if (statement_end(t, close + 1, 0) != one->last ||
        !(first || (plain && is_steady(p, i + 1, close, false))))
        return;
    one->as = v;
    one->bound = i + 1;
    one->bound_end = first ? i + 1 : close;
}

void find_bounds(struct phases *p)
{
    for (int k = 0; k < p->n_items; k++) {
        struct item *one = &p->items[k];
        if (one->kind == ITEM_EACH && one->n_calls == 0 &&
            (k == 0 || one[-1].region != one->region) &&
            (k + 1 == p->n_items || one[1].region != one->region))
            find_bound(p, one);
    }
}

bool groups_wait(const struct phases *p)
{
    const struct tokens *t = &p->r->t;
    for (size_t i = p->k->body; i < p->k->end; i++) {
        const int k = item_of(p, i);
        if ((token_is(t, i, "this_thread_block") || token_is(t, i, "thread_block") ||
             token_is(t, i, "sync") || (p->group && same_name(t, i, p->group))) &&
            (k < 0 || p->items[k].kind != ITEM_BARRIER))
            return false;
    }
    return true;
}

bool may_leave(const struct phases *p, const struct item *one)
{
    const struct tokens *t = &p->r->t;
    for (size_t i = one->first; i <= one->last; i++)
        if ((token_is(t, i, "return") && !token_is(t, i + 1, ";")) ||
            (token_is(t, i, "[") && t->at[i - 1].kind != TOKEN_WORD && !token_is(t, i - 1, ")") &&
             !token_is(t, i - 1, "]"))) /* a lambda */
            return false;
    return one->region > 0 && p->n_calls == 0;
}
