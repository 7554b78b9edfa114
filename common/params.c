#define _GNU_SOURCE
#include "common/params.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/random.h"
#include "common/text.h"

/* False where text does not fit. */
static bool copy(char *to, size_t size, const char *text)
{
    size_t length = strlen(text);
    if (length >= size)
        return false;
    memcpy(to, text, length + 1);
    return true;
}

static struct hpc_param *find(struct hpc_params *params, const char *key)
{
    for (int i = 0; i < params->n; i++)
        if (strcmp(params->p[i].key, key) == 0)
            return &params->p[i];
    return NULL;
}

const struct hpc_param *hpc_params_find(const struct hpc_params *params, const char *key)
{
    return find((struct hpc_params *)params, key);
}

bool hpc_params_set(struct hpc_params *params, const char *key, const char *value,
                    const char *where, struct hpc_error *err)
{
    struct hpc_param *p = find(params, key);
    if (!p && params->n == HPC_PARAMS_MAX)
        return hpc_fail(err, "%s: too many keys; expected at most %d", where, HPC_PARAMS_MAX);
    struct hpc_param new = {.used = false};
    if (!*key || !copy(new.key, sizeof new.key, key))
        return hpc_fail(err, "%s: '%.60s' is no key; expected 1 to %zu characters", where, key,
                        sizeof new.key - 1);
    if (!copy(new.value, sizeof new.value, value))
        return hpc_fail(err, "%s: the value of %s is too long; expected at most %zu characters",
                        where, key, sizeof new.value - 1);
    snprintf(new.where, sizeof new.where, "%s", where);
    if (!p)
        p = &params->p[params->n++];
    *p = new;
    return true;
}

bool hpc_params_set_word(struct hpc_params *params, const char *word, const char *where,
                         struct hpc_error *err)
{
    const char *equals = strchr(word, '=');
    char key[sizeof params->p[0].key];
    if (!equals || equals == word || (size_t)(equals - word) >= sizeof key)
        return hpc_fail(err, "%s: '%.60s', expected key=value", where, word);
    memcpy(key, word, (size_t)(equals - word));
    key[equals - word] = 0;
    return hpc_params_set(params, key, equals + 1, where, err);
}

/* Read digits, with a sign and an exponent where they are there ("1e6"), from *text on. */
static bool read_integer(const char **text, long long *value)
{
    char *end;
    errno = 0;
    const char *digits = **text == '-' || **text == '+' ? *text + 1 : *text;
    if (*digits < '0' || *digits > '9')
        return false;
    long long v = strtoll(*text, &end, 10);
    if (errno)
        return false;
    if (*end == 'e' || *end == 'E') {
        if (end[1] < '0' || end[1] > '9')
            return false;
        long exponent = strtol(end + 1, &end, 10);
        for (long i = 0; i < exponent && v; i++)
            if (__builtin_mul_overflow(v, 10, &v))
                return false;
    }
    *value = v;
    *text = end;
    return true;
}

/* The value of a key, from low to high; *value keeps its default where the key is absent. */
static bool get_integer(struct hpc_params *params, const char *key, long long low, long long high,
                        long long *value, struct hpc_error *err)
{
    struct hpc_param *p = find(params, key);
    if (!p)
        return true;
    p->used = true;
    const char *text = p->value;
    long long v;
    if (!read_integer(&text, &v) || *text || v < low || v > high)
        return hpc_fail(err, "%s: %s = %s, expected a whole number from %lld to %lld", p->where,
                        key, p->value, low, high);
    *value = v;
    return true;
}

bool hpc_params_get_int(struct hpc_params *params, const char *key, int low, int high, int *value,
                        struct hpc_error *err)
{
    long long v = *value;
    bool good = get_integer(params, key, low, high, &v, err);
    *value = (int)v;
    return good;
}

bool hpc_params_get_size(struct hpc_params *params, const char *key, size_t low, size_t high,
                         size_t *value, struct hpc_error *err)
{
    HPC_ASSERT(high <= LLONG_MAX && *value <= LLONG_MAX);
    long long v = (long long)*value;
    bool good = get_integer(params, key, (long long)low, (long long)high, &v, err);
    *value = (size_t)v;
    return good;
}

bool hpc_params_get_double(struct hpc_params *params, const char *key, double low, double high,
                           double *value, struct hpc_error *err)
{
    struct hpc_param *p = find(params, key);
    if (!p)
        return true;
    p->used = true;
    char *end;
    double v = strtod(p->value, &end);
    /* strtod skips spaces and takes hexadecimal, inf and nan; a value may hold none of these. */
    bool plain = p->value[0] && p->value[strspn(p->value, "0123456789+-.eE")] == 0;
    if (!plain || *end || !isfinite(v) || v < low || v > high)
        return hpc_fail(err, "%s: %s = %s, expected a number from %g to %g", p->where, key,
                        p->value, low, high);
    *value = v;
    return true;
}

bool hpc_params_get_text(struct hpc_params *params, const char *key, char *value, int size,
                         struct hpc_error *err)
{
    struct hpc_param *p = find(params, key);
    if (!p)
        return true;
    p->used = true;
    if (!copy(value, (size_t)size, p->value))
        return hpc_fail(err, "%s: the value of %s is too long; expected at most %d characters",
                        p->where, key, size - 1);
    return true;
}

bool hpc_params_all_used(const struct hpc_params *params, const char *known, struct hpc_error *err)
{
    for (int i = 0; i < params->n; i++)
        if (!params->p[i].used)
            return hpc_fail(err, "%s: unknown key '%s'; known: %s", params->p[i].where,
                            params->p[i].key, known);
    return true;
}

/* A range begins with a digit or a sign and has two dots; all other texts are left alone. */
static bool is_range(const char *value)
{
    return *value && strchr("0123456789+-", *value) && strstr(value, "..");
}

bool hpc_params_draw(struct hpc_params *params, uint64_t seed, uint64_t stream,
                     struct hpc_error *err)
{
    struct hpc_random r;
    hpc_random_init(&r, seed, stream);
    for (int i = 0; i < params->n; i++) {
        struct hpc_param *p = &params->p[i];
        if (!is_range(p->value))
            continue;
        const char *text = p->value;
        long long low = 0, high = -1;
        bool good = read_integer(&text, &low) && strncmp(text, "..", 2) == 0;
        text += good ? 2 : 0;
        if (!good || !read_integer(&text, &high) || *text || low > high || low < INT_MIN ||
            high > INT_MAX)
            return hpc_fail(err, "%s: %s = %s, expected a range of whole numbers such as 31..97",
                            p->where, p->key, p->value);
        uint32_t width = (uint32_t)(high - low); /* low .. high may span all 2^32 integers */
        uint32_t drawn = width == UINT32_MAX ? hpc_random_u32(&r) : hpc_random_below(&r, width + 1);
        snprintf(p->value, sizeof p->value, "%lld", low + (long long)drawn);
    }
    return true;
}

void hpc_params_print(const struct hpc_params *params, char *text, int size)
{
    struct text t = {0};
    for (int i = 0; i < params->n; i++)
        text_add(&t, "%s%s=%s", i ? " " : "", params->p[i].key, params->p[i].value);
    text_fit(text, (size_t)size, "%s", text_string(&t));
    text_free(&t);
}
