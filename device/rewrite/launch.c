/* kernel<<<grid, block, shared, stream>>>(arguments) */
#include <ctype.h>
#include <stdlib.h>
#include <string.h>

#include "device/rewrite/hosts.h"

/* Whether tokens i, i + 1, i + 2 are the same character. Formatters that do not know CUDA write
 * << < and >> >, which nvcc takes. */
static bool three(const struct tokens *t, size_t i, const char *c)
{
    return token_is(t, i, c) && token_is(t, i + 1, c) && token_is(t, i + 2, c);
}

/* The first > of the >>> that ends a configuration begun before i; 0 where there is none. Of >>>>
 * it is the last three: the first ends a template's arguments. */
static size_t config_end(const struct tokens *t, size_t i)
{
    for (; i < t->count; i++) {
        const struct token *k = &t->at[i];
        if (k->kind != TOKEN_PUNCT)
            continue;
        char c = *k->text;
        if (c == ';' || c == ')' || c == ']' || c == '}')
            return 0;
        if (c == '(' || c == '[' || c == '{')
            i = (size_t)t->match[i];
        else if (three(t, i, ">") && token_is(t, i + 3, "("))
            return i;
    }
    return 0;
}

/* The < that > at i closes, going back; i where it is not found. */
static size_t before_angles(const struct tokens *t, size_t i)
{
    int depth = 0;
    for (size_t k = i;; k--) {
        if (token_is(t, k, ">"))
            depth++;
        else if (token_is(t, k, "<") && --depth == 0)
            return k;
        else if (token_is(t, k, ")") || token_is(t, k, "]") || token_is(t, k, "}"))
            k = (size_t)t->match[k];
        else if (token_is(t, k, ";") || token_is(t, k, "{") || token_is(t, k, "("))
            return i;
        if (k == 0)
            return i;
    }
}

static bool is_control(const struct tokens *t, size_t i)
{
    return token_is(t, i, "if") || token_is(t, i, "while") || token_is(t, i, "for") ||
           token_is(t, i, "switch") || token_is(t, i, "constexpr");
}

static bool is_statement_word(const struct tokens *t, size_t i)
{
    return token_is(t, i, "return") || token_is(t, i, "else") || token_is(t, i, "do") ||
           token_is(t, i, "case") || is_control(t, i);
}

/* Whether the token before i ends an operand to which a ( or [ at i belongs. */
static bool follows_operand(const struct tokens *t, size_t i)
{
    if (i == 0)
        return false;
    const struct token *k = &t->at[i - 1];
    if (k->kind == TOKEN_WORD)
        return !is_statement_word(t, i - 1);
    if (token_is(t, i - 1, ")")) {
        size_t open = (size_t)t->match[i - 1];
        return open == 0 || !is_control(t, open - 1);
    }
    return token_is(t, i - 1, "]") || token_is(t, i - 1, ">");
}

/* The first token of the expression that ends with token i: a name with its namespaces and
 * template arguments, a member, an element, a call, or something in parentheses. */
static size_t expression_start(const struct tokens *t, size_t i, bool *ok)
{
    for (;;) {
        if (token_is(t, i, ">")) {
            size_t open = before_angles(t, i);
            *ok = open < i && open > 0 && t->at[open - 1].kind == TOKEN_WORD;
            if (!*ok)
                return i;
            i = open - 1;
        } else if (token_is(t, i, ")") || token_is(t, i, "]")) {
            i = (size_t)t->match[i];
            if (!follows_operand(t, i))
                return i;
            i--;
            continue;
        } else if (t->at[i].kind != TOKEN_WORD || is_statement_word(t, i)) {
            *ok = false;
            return i;
        }
        if (i > 0 && token_is(t, i - 1, "template"))
            i--;
        if (i == 0)
            return i;
        if (token_is(t, i - 1, ".") || token_is(t, i - 1, "->")) {
            i -= i > 1 ? 2 : 1;
            continue;
        }
        if (!token_is(t, i - 1, "::"))
            return i;
        i--;
        bool named = i > 0 && (token_is(t, i - 1, ">") ||
                               (t->at[i - 1].kind == TOKEN_WORD && !is_statement_word(t, i - 1)));
        if (!named)
            return i;
        i--;
    }
}

/* The launch at i stands in a kernel, or in a function that kernels alone call. */
static bool nested_error(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    size_t name = token_is(t, i - 1, ">") ? before_angles(t, i - 1) - 1 : i - 1;
    if (r->explains) {
        fprintf(r->explains, "not supported  %s:%d: a launch from a kernel (%.*s)\n",
                t->files[t->at[i].file].name, t->at[i].line, t->at[name].length, t->at[name].text);
        r->n_nested++;
        return true;
    }
    return token_error(t, i, r->error, "not supported: a launch from a kernel (of %.*s)",
                       t->at[name].length, t->at[name].text);
}

/* The function of this body, where no other has its name; or NULL. */
static const struct function *only_function(const struct rewriter *r, size_t body)
{
    const struct function *found = NULL;
    for (int k = 0; k < r->n_functions && !found; k++)
        if (r->functions[k].body == body && r->functions[k].name < r->t.count)
            found = &r->functions[k];
    for (int k = 0; k < r->n_functions && found; k++)
        if (r->functions[k].body != body && is_same(&r->t, r->functions[k].name, found->name))
            return NULL;
    return found;
}

bool nested_calls(struct rewriter *r)
{
    const struct tokens *t = &r->t;
    struct list names = {0};
    bool ok = true;
    for (size_t before = 1, k; before != names.n && r->two_sided.n > 0;)
        for (before = names.n, k = 0; k < r->two_sided.n; k++) {
            const size_t body = r->two_sided.at[k], end = (size_t)t->match[body];
            const struct function *f = only_function(r, body);
            bool launches = called_in(t, &names, body, end) < end;
            for (int l = 0; l < r->n_launches; l++)
                launches |= r->launches[l].kernel > body && r->launches[l].kernel < end;
            if (f && launches && !is_noted(t, &names, f->name))
                note(&names, f->name);
        }
    for (size_t k = 0; k < r->bodies.n && ok && names.n > 0; k++) {
        const size_t body = r->bodies.at[k], end = (size_t)t->match[body];
        const size_t call = called_in(t, &names, body, end);
        bool both = false;
        for (size_t l = 0; l < r->two_sided.n; l++)
            both |= r->two_sided.at[l] == body;
        if (call < end && !both)
            ok = nested_error(r, call + 1);
    }
    free(names.at);
    return ok;
}

bool rewrite_launch(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    if (!three(t, i, "<") || (i > 0 && token_is(t, i - 1, "operator")))
        return true;
    size_t end = config_end(t, i + 3);
    if (end == 0)
        return token_error(t, i, r->error,
                           "<<< without its >>>(..), expected "
                           "kernel<<<grid, block>>>(arguments)");
    bool ok = i > 0;
    size_t start = ok ? expression_start(t, i - 1, &ok) : i;
    if (!ok)
        return token_error(t, i, r->error,
                           "no kernel before <<<, expected "
                           "kernel<<<grid, block>>>(arguments)");
    if (end == i + 3)
        return token_error(t, i, r->error,
                           "nothing between <<< and >>>, expected "
                           "kernel<<<grid, block>>>(arguments)");
    if (r->edits[start].launch)
        return token_error(t, i, r->error, "two launches in one expression");
    if (r->device_end && !r->hosts_too)
        return nested_error(r, i);
    struct launch *grown = realloc(r->launches, (size_t)(r->n_launches + 1) * sizeof *r->launches);
    if (!grown)
        abort();
    r->launches = grown;
    if (r->device_end) /* of a kernel's call refused when it runs, which takes the worker */
        waiting_word(r, i);
    r->launches[r->n_launches++] =
        (struct launch){.kernel = start, .config = i + 3, .config_end = end, .call = end + 3};
    r->edits[start].launch = r->n_launches;
    edit_after(r, (size_t)t->match[end + 3], ")");
    return true;
}

/* cudaLaunchKernel((void *)k, ..), cudaLaunchKernelExC(&c, (void *)k, ..) and their kin: without
 * the cast, which hides the kernel's type. */
void rewrite_launch_call(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    size_t from = i + 2;
    if (!token_is(t, i + 1, "("))
        return;
    if (token_is(t, i, "cudaLaunchKernelExC")) {
        const size_t end = (size_t)t->match[i + 1];
        while (from < end && !token_is(t, from, ","))
            from = t->match[from] > (int)from ? (size_t)t->match[from] + 1 : from + 1;
        from++;
    }
    size_t to = from;
    if (token_is(t, from, "(")) { /* (void *), (const void *) */
        to = (size_t)t->match[from];
        if (!token_is(t, to - 1, "*") || !token_is(t, to - 2, "void"))
            return;
    } else if (token_is(t, from, "reinterpret_cast")) {
        while (to < t->count && !token_is(t, to, ">") && !token_is(t, to, ";"))
            to++;
        if (!token_is(t, to, ">") || !token_is(t, to - 1, "*") || !token_is(t, to - 2, "void"))
            return;
    } else {
        return;
    }
    for (size_t k = from; k <= to; k++)
        r->edits[k].drop = true;
}

/* Whether the colon at i ends a label: case 1: default: again: */
static bool is_label(const struct tokens *t, size_t i)
{
    size_t k = i;
    while (k > 0 && !token_is(t, k - 1, ";") && !token_is(t, k - 1, "{") &&
           !token_is(t, k - 1, "}") && !token_is(t, k - 1, ":"))
        k--;
    return token_is(t, k, "case") || k + 1 == i;
}

/* Whether a statement begins at i. */
static bool begins_statement(const struct tokens *t, size_t i)
{
    if (i == 0)
        return false;
    if (token_is(t, i - 1, ")")) {
        const size_t open = (size_t)t->match[i - 1];
        return open > 0 && is_control(t, open - 1);
    }
    return token_is(t, i - 1, ";") || token_is(t, i - 1, "{") || token_is(t, i - 1, "}") ||
           token_is(t, i - 1, "else") || token_is(t, i - 1, "do") ||
           (token_is(t, i - 1, ":") && is_label(t, i - 1));
}

/* cudaFree(p); on the host: an error that nobody looks at. */
void rewrite_dropped(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    const struct token *k = &t->at[i];
    if (k->length < 5 || strncmp(k->text, "cuda", 4) != 0 || !isupper((unsigned char)k->text[4]) ||
        token_is(t, i, "cudaGetLastError") || token_is(t, i, "cudaPeekAtLastError") ||
        r->device_end || scope_now(r) < SCOPE_LAMBDA || t->files[k->file].system ||
        !token_is(t, i + 1, "(") || !token_is(t, (size_t)t->match[i + 1] + 1, ";") ||
        !begins_statement(t, i))
        return;
    struct buffer b = {0};
    buffer_add(&b, ", ::hpc_dev::dropped{\"%.*s\", \"%s\", %d}", k->length, k->text,
               t->files[k->file].name, k->line);
    edit_after(r, (size_t)t->match[i + 1], b.text);
    free(b.text);
}

void rewrite_bounds(struct rewriter *r, size_t i)
{
    const size_t end = (size_t)r->t.match[i - 2];
    for (size_t k = i - 3; k <= end; k++)
        r->edits[k].drop = true;
}
