#include "device/rewrite/batches.h"

#include <stdlib.h>
#include <string.h>

static struct item *add_item(struct phases *p, enum item_kind kind, size_t first, size_t last)
{
    if (p->n_items == MOST_ITEMS)
        return NULL;
    struct item *one = &p->items[p->n_items++];
    *one = (struct item){.kind = kind, .first = first, .last = last};
    return one;
}

/* `name = ..;`, `name += ..;`, `name++;`: the name, or 0. */
static size_t assigned(const struct tokens *t, size_t first, size_t last)
{
    if (t->at[first].kind == TOKEN_WORD && t->at[first + 1].kind == TOKEN_PUNCT &&
        !token_is(t, first + 1, "(") && !token_is(t, first + 1, "[") &&
        !token_is(t, first + 1, ".") && !token_is(t, first + 1, "->") &&
        !token_is(t, first + 1, "::") && !token_is(t, first + 1, ":"))
        return first;
    if ((token_is(t, first, "+") || token_is(t, first, "-")) && first + 3 == last)
        return first + 2;
    return 0;
}

static bool read_statement(struct phases *p, size_t first, size_t last, size_t scope_end);

static bool read_list(struct phases *p, size_t first, size_t end)
{
    const struct tokens *t = &p->r->t;
    for (size_t i = first; i < end;) {
        if (t->at[i].kind == TOKEN_DIRECTIVE) {
            i++;
            continue;
        }
        const size_t last = statement_end(t, i, 0);
        if (last >= end || !read_statement(p, i, last, end))
            return false;
        i = last + 1;
    }
    return true;
}

/* The body of a loop or branch. */
static bool read_body(struct phases *p, size_t first, size_t last)
{
    while (first < last && p->r->t.at[first].kind == TOKEN_DIRECTIVE)
        first++;
    if (!token_is(&p->r->t, first, "{")) {
        if (!read_statement(p, first, last, last))
            return false;
        p->items[p->n_items - 1].alone = true;
        return add_item(p, ITEM_EDGE, last, last); /* what follows is no part of it */
    }
    return add_item(p, ITEM_EDGE, first, first) && read_list(p, first + 1, last) &&
           add_item(p, ITEM_EDGE, last, last);
}

static bool waits_for_block(const struct tokens *t, size_t first, size_t last)
{
    return has_word(t, first, last, "__syncthreads") || has_word(t, first, last, "__syncwarp") ||
           has_word(t, first, last, "sync") || has_word(t, first, last, "__shared__");
}

/* for, while or if around a barrier. */
static bool read_control(struct phases *p, size_t first, size_t last)
{
    const struct tokens *t = &p->r->t;
    const size_t open = first + 1 + token_is(t, first + 1, "constexpr");
    if (!token_is(t, open, "("))
        return false;
    const size_t close = (size_t)t->match[open];
    struct item *head = add_item(p, ITEM_HEAD, first, close);
    if (!head)
        return false;
    head->variable = p->n_variables;
    if (token_is(t, first, "for")) {
        size_t semicolon = open + 1;
        while (semicolon < close && !token_is(t, semicolon, ";"))
            semicolon = t->match[semicolon] > (int)semicolon ? (size_t)t->match[semicolon] + 1
                                                             : semicolon + 1;
        if (semicolon >= close || (is_declaration(t, open + 1, semicolon) &&
                                   !read_variables(p, open + 1, semicolon, last)))
            return false;
    }
    head->n_variables = p->n_variables - head->variable;
    size_t body = close + 1, end = statement_end(t, body, 0);
    if (end > last || !read_body(p, body, end))
        return false;
    if (open == first + 1 && token_is(t, first, "if") && !has_warp_call(t, open, close) &&
        end == last && !waits_for_block(t, first, last) && !is_declaration(t, open + 1, close))
        head->end = last;
    if (token_is(t, first, "if") && token_is(t, end + 1, "else"))
        return add_item(p, ITEM_EDGE, end + 1, end + 1) && read_body(p, end + 2, last);
    return end == last;
}

/* Whether the statement is plainly none that declares something. */
static bool is_no_declaration(const struct tokens *t, size_t i)
{
    static const char *const words[] = {"if", "for", "while", "do", "switch", "return"};
    if (t->at[i].kind == TOKEN_PUNCT)
        return strchr("{(*+-;", *t->at[i].text) && t->at[i].length == 1;
    for (size_t k = 0; k < sizeof words / sizeof *words; k++)
        if (token_is(t, i, words[k]))
            return true;
    if (token_is(t, i, "auto") ||
        (token_is(t, i + 1, "(") &&
         (token_is(t, i + 2, "*") || (token_is(t, i + 2, "&") && token_is(t, i + 4, ")")) ||
          t->at[t->match[i + 1] + 1].kind == TOKEN_WORD)))
        return false; /* auto [a, b]; T (*p)[4]; T (&r)[4]; decltype(x) y */
    const struct token *next = &t->at[i + 1];
    return t->at[i].kind == TOKEN_WORD && next->kind == TOKEN_PUNCT &&
           (token_is(t, i + 1, "->") || token_is(t, i + 1, "=") ||
            (strchr("([.+-/%&|^*<>", *next->text) &&
             (strchr("([.", *next->text) || t->at[i + 2].kind == TOKEN_PUNCT)));
}

static bool note_shared(struct phases *p, size_t first, size_t last)
{
    const struct tokens *t = &p->r->t;
    for (size_t i = first; i < last; i++) {
        if (t->at[i].kind == TOKEN_WORD &&
            (token_is(t, i + 1, "[") || token_is(t, i + 1, ";") || token_is(t, i + 1, ","))) {
            if (p->n_shared == MOST_NAMES_OF_BLOCK)
                return false;
            p->shared[p->n_shared++] = i;
        }
        if (token_is(t, i, "[") || token_is(t, i, "{"))
            i = (size_t)t->match[i];
    }
    return add_item(p, ITEM_BLOCK, first, last);
}

/* __syncthreads(); __syncwarp(); of whatever mask, as all lanes come; cg::sync(g); g.sync(); of the
 * block's group g, and what names the group. */
static bool is_barrier(struct phases *p, size_t first, size_t last)
{
    const struct tokens *t = &p->r->t;
    if (!p->group && last > first + 5 && token_is(t, last - 3, "this_thread_block")) {
        const size_t is = last - 4 - 2 * token_is(t, last - 4, "::");
        if (token_is(t, is, "=") && is > first + 1 && t->at[is - 1].kind == TOKEN_WORD)
            p->group = is - 1;
        return p->group != 0;
    }
    const size_t of_call = token_is(t, last - 4, "sync") ? last - 2 : first; /* the group */
    return (token_is(t, first, "__syncthreads") && first + 3 == last) ||
           (token_is(t, first, "__syncwarp") && token_is(t, first + 1, "(") && first + 4 >= last &&
            (size_t)t->match[first + 1] + 1 == last) ||
           (p->group && same_name(t, of_call, p->group) &&
            (of_call == first ? first + 5 == last && token_is(t, first + 2, "sync")
                              : first + 4 + 2 * token_is(t, first + 1, "::") == last));
}

static bool read_statement(struct phases *p, size_t first, size_t last, size_t scope_end)
{
    static const char *const of_block[] = {"constexpr", "typedef", "using", "enum",
                                           "static_assert"};
    const struct tokens *t = &p->r->t;
    if (is_barrier(p, first, last))
        return add_item(p, ITEM_BARRIER, first, last);
    if ((token_is(t, first, "break") || token_is(t, first, "continue")) && first + 1 == last)
        return add_item(p, ITEM_EDGE, first, last); /* all threads come, or a head is not steady */
    for (size_t i = first; i < last && !token_is(t, i, "(") && !token_is(t, i, "{"); i++)
        if (token_is(t, i, "__shared__"))
            return note_shared(p, first, last);
    for (size_t k = 0; k < sizeof of_block / sizeof *of_block; k++)
        if (token_is(t, first, of_block[k]))
            return add_item(p, ITEM_BLOCK, first, last);
    const bool of_warp = has_warp_call(t, first, last);
    const bool waits = waits_for_block(t, first, last);
    const bool jumps = jumps_out(t, first, last), parts = of_warp || waits || jumps;
    if (parts && token_is(t, first, "{"))
        return read_body(p, first, last);
    if (parts &&
        (token_is(t, first, "for") || token_is(t, first, "while") || token_is(t, first, "if")))
        return read_control(p, first, last);
    if (waits || jumps || token_is(t, first, "struct") || token_is(t, first, "class") ||
        token_is(t, first, "static"))
        return false;
    struct item *one = add_item(p, ITEM_EACH, first, last);
    if (!one || (of_warp && !read_warp_calls(p, one)))
        return false;
    if (is_declaration(t, first, last)) {
        one->kind = ITEM_DECLARES;
        one->variable = p->n_variables;
        if (!read_variables(p, first, last, scope_end))
            return false;
        one->n_variables = p->n_variables - one->variable;
        return one->n_calls == 0 || one->n_variables == 1;
    } else if (!is_no_declaration(t, first)) {
        return false;
    } else if ((one->target = assigned(t, first, last))) {
        one->kind = ITEM_ASSIGNS;
    }
    return true;
}

/* A thread may return; where its block does something behind, it is left out of that. */
static bool settle_returns(struct phases *p)
{
    bool behind = false, around = false;
    for (int k = p->n_items - 1; k >= 0; k--) {
        const struct item *one = &p->items[k];
        if (has_word(&p->r->t, one->first, one->last, "return") &&
            (behind || one->region != p->n_regions)) {
            if (!may_leave(p, one))
                return false;
            p->last_leaving = p->leaves ? p->last_leaving : k;
            p->leaves = one->first;
        }
        behind |= one->kind == ITEM_HEAD || one->kind == ITEM_EDGE;
        around |= p->leaves && one->kind == ITEM_HEAD;
    }
    if (around) /* a loop may come back to regions before */
        p->leaves = p->k->body;
    return true;
}

/* What the rest of the rewriter writes into a statement is not repeated, and volatile accesses take
 * turns. */
static bool is_plain_text(const struct rewriter *r, const struct kernel *k)
{
    for (size_t i = k->body + 1; i < k->end; i++) {
        const bool edited = r->edits[i].drop || r->edits[i].before || r->edits[i].launch;
        if (token_is(&r->t, i, "volatile") || is_volatile_name(r, i))
            return false;
        if (edited && !token_is(&r->t, i, "return")) {
            const size_t end = statement_end(&r->t, i, 0);
            bool shared = false;
            for (size_t b = i; b < end && !shared; b++)
                shared = token_is(&r->t, b, "__shared__");
            if (!shared)
                return false;
            i = end;
        }
    }
    return true;
}

/* Threads that return are noted where others go on without them. */
static void write_returns(struct phases *p)
{
    const struct item *last = &p->items[p->last_leaving];
    for (size_t i = p->k->body; p->leaves && i <= last->last; i++)
        if (token_is(&p->r->t, i, "return")) {
            edit_before(p->r, i, " { hpc_left.add(hpc_t);");
            edit_after(p->r, i + 1, " }");
        }
}

/* Nothing in run mode: loops end there; in check mode the checker is told. */
static void write_barriers(struct phases *p)
{
    for (int k = 0; k < p->n_items; k++) {
        const struct item *one = &p->items[k];
        if (one->kind != ITEM_BARRIER)
            continue;
        for (size_t i = one->first; i < one->last; i++)
            p->r->edits[i].drop = true;
        if (p->r->watched && !has_word(&p->r->t, one->first, one->last, "this_thread_block"))
            edit_before(p->r, one->first,
                        p->leaves ? " ::hpc_dev::all_come(hpc_left)" : " ::hpc_dev::all_come()");
    }
}

bool in_phases(struct rewriter *r, struct kernel *k)
{
    struct phases *p = calloc(1, sizeof *p);
    if (!p)
        abort();
    p->r = r;
    p->k = k;
    const bool fits = !r->counts_rounds && is_plain_text(r, k) && read_parameters(p) &&
                      read_list(p, k->body + 1, k->end) && groups_wait(p) && settle_ways(p) &&
                      settle_returns(p) && (!r->watched || is_watchable(p)) &&
                      (k->barriers || is_one_batch(p));
    k->leaves = fits && p->leaves;
    if (fits) {
        find_bounds(p);
        write_returns(p);
        write_barriers(p);
        write_phases(p);
    }
    free(p);
    return fits;
}
