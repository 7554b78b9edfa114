/* nvcc compiles a program twice, for the device with __CUDA_ARCH__ and for the host without. Here
 * it is preprocessed twice where its text has that word, and a function whose body differs has
 * both:
 *
 *   { #ifdef __CUDA_ARCH__ a(); #else b(); #endif c(); }
 *       { if (::hpc_dev::on_device()) { a(); c(); } else { b(); c(); } }
 *
 * A kernel and a __device__ function have the device's body, a function of the host alone the
 * host's. What differs outside of functions is the device's. */
#include <stdlib.h>
#include <string.h>

#include "device/rewrite/phased.h"
#include "device/rewrite/rewrite.h"

/* A body that differs: its { in each side. */
struct body {
    size_t device, host;
    bool host_only;
};

struct sides {
    struct rewriter device, host;
    unsigned char *device_opens, *host_opens; /* enum scope + 1 that a { opens */
    struct body *bodies;
    size_t n_bodies;
};

/* What each { of r opens; the caller frees it. */
static unsigned char *find_scopes(struct rewriter *r)
{
    unsigned char *opens = calloc(r->t.count + 1, 1);
    r->scopes = malloc((r->t.count + 1) * sizeof *r->scopes);
    if (!opens || !r->scopes)
        abort();
    for (size_t i = 0; i < r->t.count; i++)
        if (token_is(&r->t, i, "{")) {
            const enum scope around = scope_now(r), s = scope_of(r, i);
            const bool outer = around == SCOPE_NAMESPACE || around == SCOPE_CLASS;
            /* Of blocks, only functions' own. */
            opens[i] = s == SCOPE_LAMBDA || (s == SCOPE_BLOCK && outer) ? s + 1 : 0;
            r->scopes[r->depth++] = s;
        } else if (token_is(&r->t, i, "}") && r->depth > 0) {
            r->depth--;
        }
    return opens;
}

/* The first token of the function whose { is at i: before a constructor's `: a(1), b{2}`, too. */
static size_t function_start(const struct tokens *t, size_t i)
{
    for (;;) {
        const size_t start = declaration_start(t, i);
        if (start < 3)
            return start;
        const size_t open = token_is(t, start - 1, "}") ? (size_t)t->match[start - 1] : 0;
        if (token_is(t, start - 1, ":") && !token_is(t, start - 2, "public") &&
            !token_is(t, start - 2, "private") && !token_is(t, start - 2, "protected"))
            i = start - 1;
        else if (open > 1 && t->at[open - 1].kind == TOKEN_WORD &&
                 (token_is(t, open - 2, ",") || token_is(t, open - 2, ":")))
            i = open;
        else
            return start;
    }
}

/* Whether the declaration of the { at i has the word. */
static bool declared_as(const struct tokens *t, size_t i, const char *word)
{
    for (size_t k = function_start(t, i); k < i; k++)
        if (token_is(t, k, word))
            return true;
    return false;
}

static bool is_function(const struct tokens *t, size_t i)
{
    const size_t open = parameters(t, function_start(t, i));
    if (open >= i)
        return false;
    for (size_t k = (size_t)t->match[open]; k < i; k++)
        if (token_is(t, k, "="))
            return false;
    return true;
}

static void add_body(struct sides *s, size_t device, size_t host)
{
    const struct tokens *t = &s->device.t;
    const bool lambda = s->device_opens[device] == SCOPE_LAMBDA + 1;
    const bool on_device = declared_as(t, device, "__device__");
    if (declared_as(t, device, "__global__") || (on_device && !declared_as(t, device, "__host__")))
        return;
    s->bodies = realloc(s->bodies, (s->n_bodies + 1) * sizeof *s->bodies);
    if (!s->bodies)
        abort();
    s->bodies[s->n_bodies++] =
        (struct body){device, host, !lambda && !on_device && !declared_as(t, device, "constexpr")};
}

static bool same_token(const struct token *a, const struct token *b)
{
    return a->kind == b->kind && a->length == b->length &&
           memcmp(a->text, b->text, (size_t)a->length) == 0;
}

/* Whether the bodies are the same but for those of lambdas, which are added by themselves. */
static bool same_body(struct sides *s, size_t device, size_t host)
{
    const size_t device_end = (size_t)s->device.t.match[device];
    const size_t host_end = (size_t)s->host.t.match[host];
    size_t i = device + 1, k = host + 1;
    for (; i < device_end && k < host_end; i++, k++) {
        if (!same_token(&s->device.t.at[i], &s->host.t.at[k]))
            return false;
        if (s->device_opens[i] != SCOPE_LAMBDA + 1 || s->host_opens[k] != SCOPE_LAMBDA + 1)
            continue;
        const size_t before = s->n_bodies;
        if (!same_body(s, i, k)) {
            s->n_bodies = before;
            add_body(s, i, k);
        }
        i = (size_t)s->device.t.match[i];
        k = (size_t)s->host.t.match[k];
    }
    return i == device_end && k == host_end;
}

/* The function's { from token `from` on that stands where the device's does; t.count: none. */
static size_t counterpart(const struct sides *s, size_t device, size_t from)
{
    const struct token *d = &s->device.t.at[device];
    const char *file = s->device.t.files[d->file].name;
    for (size_t k = from; k < s->host.t.count; k++) {
        const struct token *h = &s->host.t.at[k];
        if (s->host_opens[k] == SCOPE_BLOCK + 1 && h->line == d->line &&
            strcmp(s->host.t.files[h->file].name, file) == 0)
            return k;
    }
    return s->host.t.count;
}

/* Of a function that differs, the lambdas are on one side as it is; so they may not differ. */
static bool same_lambdas(struct sides *s, size_t device, size_t host, struct place *error)
{
    const struct tokens *d = &s->device.t, *h = &s->host.t;
    const size_t n_bodies = s->n_bodies;
    bool same = true;
    for (size_t i = device; i < (size_t)d->match[device] && same; i++)
        for (size_t k = host; k < (size_t)h->match[host] && same; k++)
            same =
                s->device_opens[i] != SCOPE_LAMBDA + 1 || s->host_opens[k] != SCOPE_LAMBDA + 1 ||
                d->at[i].line != h->at[k].line || (same_body(s, i, k) && s->n_bodies == n_bodies) ||
                token_error(d, i, error, "not supported: __CUDA_ARCH__ in a lambda and around it");
    return same;
}

static bool find_bodies(struct sides *s, struct place *error)
{
    const struct tokens *t = &s->device.t;
    size_t from = 0;
    for (size_t i = 0; i < t->count; i++) {
        if (s->device_opens[i] != SCOPE_BLOCK + 1 || t->files[t->at[i].file].system ||
            !is_function(t, i))
            continue;
        const size_t host = counterpart(s, i, from);
        if (host == s->host.t.count)
            continue;
        from = host + 1;
        const size_t before = s->n_bodies;
        if (!same_body(s, i, host)) {
            s->n_bodies = before;
            if (!same_lambdas(s, i, host, error))
                return false;
            add_body(s, i, host);
        }
        i = (size_t)t->match[i];
    }
    return true;
}

static void add_marker(struct buffer *b, const struct tokens *t, size_t i)
{
    buffer_add(b, "\n# %d \"%s\"\n", t->at[i].line, t->files[t->at[i].file].name);
}

static void add_text(struct buffer *b, const char *from, const char *to)
{
    buffer_add(b, "%.*s", (int)(to - from), from);
}

/* The device's text with the bodies of both. */
static void write_sides(const struct sides *s, const char *text, size_t length, struct buffer *b)
{
    const struct tokens *d = &s->device.t, *h = &s->host.t;
    const char *at = text;
    for (size_t i = 0; i < s->n_bodies; i++) {
        const struct body *one = &s->bodies[i];
        const size_t device_end = (size_t)d->match[one->device];
        const size_t host_end = (size_t)h->match[one->host];
        add_text(b, at, d->at[one->device].text + 1);
        if (!one->host_only) {
            buffer_add(b, " if (::hpc_dev::on_device()) {");
            add_text(b, d->at[one->device].text + 1, d->at[device_end].text);
            buffer_add(b, "} else {");
        }
        add_marker(b, h, one->host);
        add_text(b, h->at[one->host].text + 1, h->at[host_end].text);
        add_marker(b, d, device_end);
        buffer_add(b, "%s", one->host_only ? "" : "}");
        at = d->at[device_end].text;
    }
    add_text(b, at, text + length);
}

char *join_sides(const char *device, size_t device_length, const char *host, size_t host_length,
                 size_t *length, struct place *error)
{
    struct sides s = {0};
    struct buffer b = {0};
    if (tokens_read(&s.device.t, device, device_length, error) &&
        tokens_read(&s.host.t, host, host_length, error)) {
        s.device_opens = find_scopes(&s.device);
        s.host_opens = find_scopes(&s.host);
        if (find_bodies(&s, error))
            write_sides(&s, device, device_length, &b);
    }
    tokens_free(&s.device.t);
    tokens_free(&s.host.t);
    free(s.device.scopes);
    free(s.host.scopes);
    free(s.device_opens);
    free(s.host_opens);
    free(s.bodies);
    *length = b.length;
    return b.text;
}

static bool file_has(const char *name, const char *word)
{
    bool found = false;
    char *line = NULL;
    size_t size = 0;
    FILE *f = fopen(name, "r");
    while (f && !found && getline(&line, &size, f) >= 0)
        found = strstr(line, word) != NULL;
    free(line);
    if (f)
        fclose(f);
    return found;
}

bool has_sides(const char *text, size_t length)
{
    struct tokens t;
    struct place error;
    bool found = false;
    if (tokens_read(&t, text, length, &error))
        for (int i = 0; i < t.n_files && !found; i++)
            found = !t.files[i].system && file_has(t.files[i].name, "__CUDA_ARCH__");
    tokens_free(&t);
    return found;
}

bool takes_values(const struct rewriter *r, size_t i)
{
    static const char *const words[] = {
        "min",    "max",    "sqrt",   "sqrtf", "exp",   "expf",   "log", "logf", "fabs",
        "abs",    "fabsf",  "fmin",   "fmax",  "fminf", "fmaxf",  "sin", "cos",  "sinf",
        "cosf",   "pow",    "powf",   "fma",   "fmaf",  "sizeof", "if",  "for",  "while",
        "switch", "return", "printf", "tanh",  "tanhf", NULL};
    const struct tokens *t = &r->t;
    for (const char *const *w = words; *w; w++)
        if (token_is(t, i, *w))
            return true;
    if (t->at[i].length > 6 &&
        (memcmp(t->at[i].text, "atomic", 6) == 0 || memcmp(t->at[i].text, "__", 2) == 0))
        return true;
    bool found = false;
    for (int f = 0; f < r->n_functions; f++) {
        const struct function *one = &r->functions[f];
        if (one->name >= t->count || !same_name(t, one->name, i))
            continue;
        found = true;
        for (size_t k = one->name; k < one->body; k++)
            if (token_is(t, k, "&"))
                return false;
        if (one->body == one->name)
            return false; /* only declared */
    }
    return found;
}
