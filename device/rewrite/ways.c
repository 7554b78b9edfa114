/* Of the variables of phased.h: which are the block's, made again, or each thread's. At first as
 * many as may be are the block's; what speaks against one makes it each thread's, until nothing
 * does. */
#include <string.h>

#include "device/rewrite/phased.h"

/* Whether the name at i may get another value there. */
static bool is_changed(const struct rewriter *r, size_t i)
{
    const struct tokens *t = &r->t;
    if (token_is(t, i - 1, "&") && is_prefix(t, i - 1) &&
        !(token_is(t, i - 2, "&") && is_joined(t, i - 1, "&")) && !token_is(t, i + 1, "->") &&
        !token_is(t, i + 1, "[")) /* of what a pointer points to, or of an array */
        return true;
    if ((token_is(t, i - 1, "+") && token_is(t, i - 2, "+")) ||
        (token_is(t, i - 1, "-") && token_is(t, i - 2, "-")))
        return true;
    size_t k = i + 1;
    while (token_is(t, k, ".") || (k > i + 1 && token_is(t, k, "[")))
        k = token_is(t, k, ".") ? k + 2 : (size_t)t->match[k] + 1;
    if (token_is(t, k, "("))
        return true; /* a functor, a member */
    if (token_is(t, k, "="))
        return !is_joined(t, k + 1, "=");
    if (t->at[k].kind == TOKEN_PUNCT && strchr("+-*/%&|^", *t->at[k].text)) {
        if (is_joined(t, k + 1, "="))
            return true;
        if ((token_is(t, k, "+") && is_joined(t, k + 1, "+")) ||
            (token_is(t, k, "-") && is_joined(t, k + 1, "-")))
            return true;
    }
    if ((token_is(t, k, "<") && is_joined(t, k + 1, "<") && is_joined(t, k + 2, "=")) ||
        (token_is(t, k, ">") && is_joined(t, k + 1, ">") && is_joined(t, k + 2, "=")))
        return true;
    if ((token_is(t, k, ",") || token_is(t, k, ")")) &&
        (token_is(t, i - 1, "(") || token_is(t, i - 1, ","))) { /* an argument by itself? */
        size_t open = i - 1;
        while (open > 0 && !token_is(t, open, "(") && !token_is(t, open, ";") &&
               !token_is(t, open, "{"))
            open = token_is(t, open, ")") || token_is(t, open, "]") ? (size_t)t->match[open] - 1
                                                                    : open - 1;
        if (token_is(t, open, "(") && open > 0 &&
            (t->at[open - 1].kind == TOKEN_WORD || token_is(t, open - 1, ">") ||
             token_is(t, open - 1, "]")))
            return !takes_values(r, open - 1);
    }
    return false;
}

static bool is_use(const struct tokens *t, size_t i, size_t name)
{
    return same_name(t, i, name) && !token_is(t, i - 1, ".") && !token_is(t, i - 1, "->") &&
           !token_is(t, i - 1, "::");
}

/* Whether the name changes between: by a thread on its own; or, `at_all`, in any way. */
static bool changes(const struct phases *p, size_t name, size_t from, size_t to, bool at_all)
{
    for (size_t i = from; i < to; i++) {
        if (!is_use(&p->r->t, i, name) || !is_changed(p->r, i))
            continue;
        const int k = item_of(p, i);
        const struct item *one = k < 0 ? NULL : &p->items[k];
        if (at_all || !one ||
            !(one->kind == ITEM_HEAD || ((one->kind == ITEM_ASSIGNS) && one->whole)))
            return true;
    }
    return false;
}

const struct variable *variable_of(const struct phases *p, size_t i)
{
    for (int k = p->n_variables - 1; k >= 0; k--)
        if (same_name(&p->r->t, p->variables[k].name, i) && i >= p->variables[k].start &&
            i < p->variables[k].scope_end)
            return &p->variables[k];
    return NULL;
}

static bool is_named(const struct phases *p, size_t i, const size_t *names, int n)
{
    for (int k = 0; k < n; k++)
        if (same_name(&p->r->t, names[k], i))
            return true;
    return false;
}

/* Whether it is a variable of the device, of the file: its value may be another one later. */
static bool is_devices(const struct tokens *t, size_t i)
{
    for (size_t k = 0; k < t->count; k++) {
        if (!token_is(t, k, "__device__") && !token_is(t, k, "__managed__"))
            continue;
        for (; k < t->count && !token_is(t, k, ";") && !token_is(t, k, "(") && !token_is(t, k, "{");
             k++)
            if (same_name(t, k, i))
                return true;
    }
    return false;
}

bool is_steady(const struct phases *p, size_t from, size_t to, bool again)
{
    static const char *const calls[] = {"min",   "max",      "sizeof", "int",
                                        "float", "unsigned", "size_t"};
    const struct tokens *t = &p->r->t;
    for (size_t i = from; i < to; i++) {
        const struct token *k = &t->at[i];
        if (k->kind == TOKEN_NUMBER || token_is(t, i - 1, "."))
            continue;
        if (k->kind == TOKEN_PUNCT) {
            if (strchr("[{}\\#", *k->text) || token_is(t, i, "->") ||
                ((token_is(t, i, "*") || token_is(t, i, "&")) && is_prefix(t, i) &&
                 !(token_is(t, i, "&") && (is_joined(t, i, "&") || is_joined(t, i + 1, "&")))))
                return false;
            continue;
        }
        if (k->kind != TOKEN_WORD)
            return false;
        const struct variable *v = variable_of(p, i);
        if (token_is(t, i, "threadIdx") || is_named(p, i, p->shared, p->n_shared)) {
            if (!again || !token_is(t, i, "threadIdx"))
                return false;
        } else if (v) {
            if (v->way != WAY_BLOCK && !(again && v->way == WAY_AGAIN))
                return false;
            if (again && changes(p, v->name, p->k->body, p->k->end, true))
                return false;
        } else if (is_named(p, i, p->parameters, p->n_parameters)) {
            if (changes(p, i, p->k->body, p->k->end, again))
                return false;
        } else if (again && is_devices(t, i)) {
            return false;
        } else if (token_is(t, i + 1, "(")) {
            bool known = false;
            for (size_t c = 0; c < sizeof calls / sizeof *calls; c++)
                known |= token_is(t, i, calls[c]);
            if (!known)
                return false;
        }
    }
    return true;
}

static void number_regions(struct phases *p)
{
    bool open = false;
    p->n_regions = 0;
    for (int k = 0; k < p->n_items; k++) {
        struct item *one = &p->items[k];
        const bool each =
            one->kind == ITEM_EACH ||
            ((one->kind == ITEM_DECLARES || one->kind == ITEM_ASSIGNS) && !one->whole) ||
            one->kind == ITEM_MASK;
        p->n_regions += each && (!open || one->n_calls > 0 || one->kind == ITEM_MASK);
        one->region = each ? p->n_regions : 0;
        open = each && one->kind != ITEM_MASK;
    }
}

/* One look at all that are once a block; true where one is no longer. */
static bool drop_some(struct phases *p)
{
    bool dropped = false;
    for (int k = 0; k < p->n_items; k++) {
        struct item *one = &p->items[k];
        if (!one->whole)
            continue;
        bool stays = true;
        if (one->kind == ITEM_ASSIGNS) {
            const struct variable *v = variable_of(p, one->target);
            stays = (v ? v->way == WAY_BLOCK
                       : is_named(p, one->target, p->parameters, p->n_parameters)) &&
                    is_steady(p, one->first, one->last, false);
        }
        for (int i = one->variable; stays && i < one->variable + one->n_variables; i++) {
            const struct variable *v = &p->variables[i];
            stays = v->value && !token_is(&p->r->t, v->to - 1, "]") &&
                    is_steady(p, v->value, v->value_end, false) &&
                    !changes(p, v->name, v->value_end, v->scope_end, false);
        }
        if (stays)
            continue;
        one->whole = false;
        for (int i = one->variable; i < one->variable + one->n_variables; i++)
            p->variables[i].way = WAY_EACH;
        dropped = true;
    }
    return dropped;
}

/* Whether a variable of a region is used outside of it; *block: where all threads are one. */
static bool is_used_elsewhere(const struct phases *p, const struct variable *v, bool *block)
{
    bool used = false;
    *block = false;
    for (size_t i = v->value ? v->value_end : v->to; i < v->scope_end; i++) {
        const int k = is_use(&p->r->t, i, v->name) ? item_of(p, i) : -1;
        if (k < 0 || p->items[k].kind == ITEM_BARRIER)
            continue;
        used |= p->items[k].region != p->items[v->item].region;
        *block |= p->items[k].region == 0;
    }
    return used;
}

/* The head at k becomes a mask: what is behind it is done by the threads for which it holds. So
 * nothing is done there for the block that is seen behind, and no lane counts others' votes. */
static bool make_mask(struct phases *p, int k)
{
    struct item *head = &p->items[k];
    if (!head->end || head->mask)
        return false;
    head->kind = ITEM_MASK;
    for (int n = k + 1; n < p->n_items && p->items[n].first <= head->end; n++) {
        struct item *one = &p->items[n];
        if (one->mask || one->kind == ITEM_BLOCK ||
            (one->kind == ITEM_EDGE && one->first < one->last))
            return false;
        one->mask = k + 1;
        for (size_t i = one->first; one->kind == ITEM_HEAD && i <= one->last; i++) {
            const struct variable *v = variable_of(p, i);
            if ((v || is_named(p, i, p->parameters, p->n_parameters)) && is_changed(p->r, i) &&
                !(v && v->start > head->last))
                return false;
        }
        const struct variable *to = one->whole && one->target ? variable_of(p, one->target) : NULL;
        one->whole &= one->kind != ITEM_ASSIGNS || (to && to->start > head->last);
        for (int c = one->call; c < one->call + one->n_calls; c++)
            if (p->calls[c].votes)
                return false;
    }
    return true;
}

/* Heads of loops and branches are all of the block's, or masks. */
static bool settle_heads(struct phases *p)
{
    for (int k = 0; k < p->n_items; k++) {
        const struct item *one = &p->items[k];
        if (one->kind != ITEM_HEAD)
            continue;
        size_t from = one->first + 1 + token_is(&p->r->t, one->first + 1, "constexpr");
        if (one->n_variables > 0)
            from = p->variables[one->variable].specifiers;
        if (!is_steady(p, from, one->last, false)) {
            if (!make_mask(p, k))
                return false;
            while (drop_some(p))
                ;
            k = -1; /* once more */
            continue;
        }
        for (int i = one->variable; i < one->variable + one->n_variables; i++)
            if (!p->variables[i].value ||
                changes(p, p->variables[i].name, one->last, p->variables[i].scope_end, false))
                return false;
    }
    return true;
}

bool settle_ways(struct phases *p)
{
    for (int k = 0; k < p->n_items; k++)
        p->items[k].whole = p->items[k].kind == ITEM_DECLARES || p->items[k].kind == ITEM_ASSIGNS;
    while (drop_some(p))
        ;
    if (!settle_heads(p))
        return false;
    number_regions(p);
    for (int i = 0; i < p->n_variables; i++) {
        struct variable *v = &p->variables[i];
        bool block;
        if (v->way == WAY_BLOCK)
            continue;
        if (!is_used_elsewhere(p, v, &block))
            v->way = WAY_LOCAL;
        else if (block)
            return false;
        else if (v->value && !token_is(&p->r->t, v->to - 1, "]") &&
                 !changes(p, v->name, v->value_end, v->scope_end, true) &&
                 is_steady(p, v->value, v->value_end, true))
            v->way = WAY_AGAIN;
    }
    for (int i = 0; i < p->n_parameters; i++)
        if (changes(p, p->parameters[i], p->k->body, p->k->end, false))
            return false;
    return p->n_regions > 0;
}
