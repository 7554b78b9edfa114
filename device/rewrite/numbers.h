/* Names that stand for numbers, and for arrays of them: by what a file declares (batches.h). */
#ifndef HPC_DEVICE_REWRITE_NUMBERS_H
#define HPC_DEVICE_REWRITE_NUMBERS_H

#include "device/rewrite/phased.h"

static inline bool is_word_among(const struct tokens *t, size_t i, const char *const *words)
{
    for (; *words; words++)
        if (token_is(t, i, *words))
            return true;
    return false;
}

/* Behind the words of a number's type that begin at i; i where none does. */
static inline size_t number_type_end(const struct tokens *t, size_t i)
{
    static const char *const words[] = {"int",    "unsigned", "long", "float",
                                        "double", "size_t",   "bool", NULL};
    size_t end = i;
    bool type = false;
    for (; is_word_among(t, end, words) || token_is(t, end, "const"); end++)
        type |= !token_is(t, end, "const");
    return type ? end : i;
}

/* ::hpc_dev::some<TYPE> of the type [from, to). */
static inline void add_some(struct buffer *b, const struct tokens *t, size_t from, size_t to)
{
    static const char *const constant[] = {"const", NULL};
    buffer_add(b, " ::hpc_dev::some<");
    buffer_tokens(b, t, from, to, constant);
    buffer_add(b, ">");
}

static inline bool is_number_variable(const struct phases *p, const struct variable *v)
{
    return number_type_end(&p->r->t, v->start) == v->specifiers && v->from == v->name &&
           v->to == v->name + 1;
}

/* The name of a parameter as it is declared; 0: it is none. */
static inline size_t parameter_of(const struct phases *p, size_t i)
{
    for (int k = 0; k < p->n_parameters; k++)
        if (same_name(&p->r->t, p->parameters[k], i))
            return p->parameters[k];
    return 0;
}

static inline size_t parameter_start(const struct tokens *t, size_t name)
{
    size_t start = name;
    while (start > 0 && !token_is(t, start - 1, ",") && !token_is(t, start - 1, "("))
        start--;
    return start;
}

static inline bool is_number_parameter(const struct phases *p, size_t i)
{
    const size_t name = parameter_of(p, i);
    return name && number_type_end(&p->r->t, parameter_start(&p->r->t, name)) == name;
}

static inline bool is_pointer_parameter(const struct phases *p, size_t i)
{
    const struct tokens *t = &p->r->t;
    const size_t name = parameter_of(p, i), start = name ? parameter_start(t, name) : 0;
    size_t star = name ? number_type_end(t, start) : 0;
    if (!name || star == start || !token_is(t, star, "*") || token_is(t, star - 1, "bool") ||
        token_is(t, start, "bool"))
        return false;
    for (star++; token_is(t, star, "const") || token_is(t, star, "__restrict__") ||
                 token_is(t, star, "__restrict");)
        star++;
    return star == name && (token_is(t, name + 1, ",") || token_is(t, name + 1, ")"));
}

/* Of __shared__ or extern __shared__ TYPE NAME[..]. */
static inline bool is_shared_name(const struct phases *p, size_t i)
{
    const struct tokens *t = &p->r->t;
    for (int k = 0; k < p->n_shared; k++) {
        size_t start = p->shared[k];
        if (!same_name(t, start, i))
            continue;
        while (start > p->k->body && !token_is(t, start - 1, ";") && !token_is(t, start - 1, "{") &&
               !token_is(t, start - 1, "}"))
            start--;
        while (token_is(t, start, "extern") || token_is(t, start, "__shared__") ||
               token_is(t, start, "static"))
            start++;
        const size_t end = number_type_end(t, start);
        return end > start && t->at[end].kind == TOKEN_WORD && token_is(t, end + 1, "[") &&
               !token_is(t, start, "bool") && token_is(t, p->shared[k] + 1, "[");
    }
    return false;
}

static inline bool is_array_name(const struct phases *p, size_t i)
{
    return p->r->t.at[i].kind == TOKEN_WORD && !variable_of(p, i) &&
           (is_shared_name(p, i) || is_pointer_parameter(p, i));
}

/* Whether the name is one of an enum, or of const or constexpr TYPE NAME =, in the user's files,
 * and no other variable's. */
static inline bool is_constant_name(const struct tokens *t, size_t name)
{
    bool found = false;
    size_t enum_end = 0;
    for (size_t i = 1; i < t->count; i++) {
        if (token_is(t, i, "enum"))
            for (size_t k = i + 1; k < i + 6 && k < t->count; k++)
                if (token_is(t, k, "{"))
                    enum_end = (size_t)t->match[k];
        if (!same_name(t, i, name))
            continue;
        const bool begins = token_is(t, i - 1, "{") || token_is(t, i - 1, ",");
        if (i < enum_end && begins) {
            found = true;
            continue;
        }
        size_t start = i;
        bool constant = false;
        for (; start > 0 && t->at[start - 1].kind == TOKEN_WORD; start--)
            constant |= token_is(t, start - 1, "const") || token_is(t, start - 1, "constexpr");
        if (constant && token_is(t, i + 1, "="))
            found = true;
        else if (start < i && !token_is(t, i - 1, "return") && !token_is(t, i - 1, "else") &&
                 !token_is(t, i - 1, "case"))
            return false; /* int NAME; __device__ float NAME */
    }
    return found;
}

#endif
