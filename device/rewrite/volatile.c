/* s[i], *s and *(s + i) of a name s that is declared volatile become accesses in turn:
 *
 *   s[t] += s[t + 16];    ::hpc_dev::turns<5, 9>(s, 7)[t] += ::hpc_dev::turns<5, 9>(s, 7)[t + 16];
 *
 * in line 7 of a function of lines 5 to 9; the lines of the loops around follow, outer ones first.
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
    buffer_add(&b, " ::hpc_dev::turns");
    add_loops(&b, r, i);
    buffer_add(&b, "(");
    edit_before(r, i, b.text);
    b.length = 0;
    buffer_add(&b, ", %d)", t->at[i].line);
    edit_after(r, i, b.text);
    free(b.text);
}
