/* s[i], *s and *(s + i) of a name s that is declared volatile become accesses in turn:
 *
 *   s[t] += s[t + 16];
 *   turns<5, 9>(s, 7)[t] += value_of(turns<5, 9>(s, 7)[t + 16]);    of ::hpc_dev
 *
 * in line 7 of a function of lines 5 to 9; the lines of the loops around follow, outer ones first.
 * What is only read is a plain value, whose type decides what `c ? s[t] : 0` and max(s[t], 0) are.
 * Names decide where, types whether (device/include/hpc_device/turns.h): so a name that is volatile
 * in one function costs nothing in another. */
#include <stdlib.h>
#include <string.h>

#include "device/rewrite/rewrite.h"

enum { MOST_NAMES = 64, DEEPEST_LOOP = 4 };

static bool is_name(const struct tokens *t, size_t a, size_t b)
{
    return t->at[a].length == t->at[b].length &&
           memcmp(t->at[a].text, t->at[b].text, (size_t)t->at[a].length) == 0;
}

static void note_name(struct rewriter *r, size_t i)
{
    if (r->n_volatiles == MOST_NAMES)
        return;
    size_t *grown = realloc(r->volatiles, (size_t)(r->n_volatiles + 1) * sizeof *r->volatiles);
    if (!grown)
        abort();
    r->volatiles = grown;
    r->volatiles[r->n_volatiles++] = i;
}

void find_volatiles(struct rewriter *r)
{
    const struct tokens *t = &r->t;
    for (size_t i = 0; i < t->count; i++) {
        if (!token_is(t, i, "volatile") || t->files[t->at[i].file].system)
            continue;
        for (i++; i < t->count; i++) {
            if (token_is(t, i, ";") || token_is(t, i, "{") || token_is(t, i, ")"))
                break;
            if (t->at[i].kind == TOKEN_WORD &&
                (token_is(t, i + 1, "[") || token_is(t, i + 1, "=") || token_is(t, i + 1, ",") ||
                 token_is(t, i + 1, ";") || token_is(t, i + 1, ")")))
                note_name(r, i);
            if (token_is(t, i, "[") || token_is(t, i, "("))
                i = (size_t)t->match[i];
        }
    }
}

bool is_volatile_name(const struct rewriter *r, size_t i)
{
    for (int k = 0; k < r->n_volatiles; k++)
        if (is_name(&r->t, r->volatiles[k], i))
            return true;
    return false;
}

/* Whether the * at i has no left operand. */
static bool is_unary(const struct tokens *t, size_t i)
{
    if (!token_is(t, i, "*") || i == 0)
        return false;
    const struct token *before = &t->at[i - 1];
    if (before->kind == TOKEN_WORD)
        return token_is(t, i - 1, "return") || token_is(t, i - 1, "else");
    return before->kind == TOKEN_PUNCT && !token_is(t, i - 1, ")") && !token_is(t, i - 1, "]");
}

/* Whether the name at i is the one that a declaration declares, or belongs to something else. */
static bool is_no_use(const struct tokens *t, size_t i)
{
    if (token_is(t, i - 1, ".") || token_is(t, i - 1, "->") || token_is(t, i - 1, "::"))
        return true;
    if (t->at[i - 1].kind == TOKEN_WORD)
        return !token_is(t, i - 1, "return") && !token_is(t, i - 1, "else") &&
               !token_is(t, i - 1, "do");
    if (token_is(t, i - 1, "=") && i > 3 && t->at[i - 2].kind == TOKEN_WORD &&
        token_is(t, i - 3, "auto")) /* the value, not a place */
        return true;
    bool declares = token_is(t, i - 1, "*") || token_is(t, i - 1, "&") || token_is(t, i - 1, ">");
    return declares && t->at[i - 2].kind == TOKEN_WORD &&
           (t->at[i - 3].kind == TOKEN_WORD || token_is(t, i - 3, ";") || token_is(t, i - 3, "{") ||
            token_is(t, i - 3, "}"));
}

static bool is_access(const struct tokens *t, size_t i)
{
    bool step = t->at[i + 1].text + 1 == t->at[i + 2].text && is_name(t, i + 1, i + 2);
    if (token_is(t, i + 1, "["))
        return true;
    if ((token_is(t, i + 1, "+") || token_is(t, i + 1, "-")) && !step && token_is(t, i - 1, "("))
        return is_unary(t, i - 2);
    return is_unary(t, i - 1) && !step && !token_is(t, i + 1, "(") && !token_is(t, i + 1, "->");
}

void note_loop(struct rewriter *r, size_t first, size_t last)
{
    if (!r->n_volatiles || last >= r->t.count)
        return;
    struct range *grown = realloc(r->loops, (size_t)(r->n_loops + 1) * sizeof *r->loops);
    if (!grown)
        abort();
    r->loops = grown;
    r->loops[r->n_loops++] = (struct range){first, last};
}

/* "<5, 9, 6, 8>": the lines of the function and of the loops that token i stands in. */
static void add_loops(struct buffer *b, const struct rewriter *r, size_t i)
{
    const struct token *at = r->t.at;
    int n = 0;
    for (int k = 0; k < r->n_loops; k++) {
        const struct range *l = &r->loops[k];
        if (l->first > i || l->last < i || at[l->first].file != at[i].file || n == DEEPEST_LOOP)
            continue;
        buffer_add(b, "%s%d, %d", n++ ? ", " : "<", at[l->first].line, at[l->last].line);
    }
    buffer_add(b, "%s", n ? ">" : "<>");
}

/* Whether the puncts from i on, without a gap, are those of `text`. */
static bool is_sign(const struct tokens *t, size_t i, const char *text)
{
    for (size_t k = 0; text[k]; k++) {
        const struct token *at = &t->at[i + k];
        if (at->kind != TOKEN_PUNCT || at->length != 1 || *at->text != text[k] ||
            (k > 0 && at[-1].text + 1 != at->text))
            return false;
    }
    return true;
}

/* Whether the access of the tokens from first to last changes what is there, or is more than its
 * value: an address, an object with members. */
static bool is_changed(const struct tokens *t, size_t first, size_t last)
{
    static const char *const behind[] = {
        "+=", "-=", "*=", "/=", "%=", "&=", "|=", "^=", "++", "--", "<<=", ">>="};
    while (token_is(t, first - 1, "(") && t->match[first - 1] == (int)last + 1) {
        first--;
        last++;
    }
    if (token_is(t, last + 1, ".") || token_is(t, last + 1, "->") ||
        (is_sign(t, last + 1, "=") && !is_sign(t, last + 1, "==")))
        return true;
    for (size_t k = 0; k < sizeof behind / sizeof *behind; k++)
        if (is_sign(t, last + 1, behind[k]))
            return true;
    return token_is(t, first - 1, "&") ||
           (first > 1 && (is_sign(t, first - 2, "++") || is_sign(t, first - 2, "--")));
}

/* Whether the access by the name at i, or by a sum that begins with it, is only read; and its
 * tokens. */
static bool is_value(const struct tokens *t, size_t i, size_t *first, size_t *last)
{
    *first = *last = i;
    while (token_is(t, *last + 1, "["))
        *last = (size_t)t->match[*last + 1];
    if (token_is(t, i - 1, "(") && is_unary(t, i - 2)) {
        *first = i - 2;
        *last = (size_t)t->match[i - 1];
    } else if (is_unary(t, i - 1) && *last == i) {
        *first = i - 1;
    }
    return !is_changed(t, *first, *last);
}

void rewrite_volatile(struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    if (token_is(t, i, "printf") && token_is(t, i + 1, "("))
        r->varying_end = (size_t)t->match[i + 1]; /* takes any type as it is */
    if (!r->device_end || i < 3 || i < r->varying_end || t->files[t->at[i].file].system ||
        r->edits[i].drop)
        return;
    bool known = false;
    for (int k = 0; k < r->n_volatiles; k++) {
        if (r->volatiles[k] == i) /* its declaration */
            return;
        known |= is_name(t, r->volatiles[k], i);
    }
    if (!known || is_no_use(t, i) || !is_access(t, i))
        return;
    struct buffer b = {0};
    size_t first, last;
    const bool value = is_value(t, i, &first, &last);
    if (value)
        edit_before(r, first, " ::hpc_dev::value_of(");
    buffer_add(&b, " ::hpc_dev::turns");
    add_loops(&b, r, i);
    buffer_add(&b, "(");
    edit_before(r, i, b.text);
    b.length = 0;
    buffer_add(&b, ", %d)", t->at[i].line);
    edit_after(r, i, b.text);
    if (value)
        edit_after(r, last, ")");
    free(b.text);
}
