/* Pairs that are alike, for instructors. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "common/ui.h"
#include "harness/class/page.h"
#include "harness/similar/similar.h"
#include "harness/report/html.h"

#define PAGE_PAIRS  40  /* beyond them a person reads no more */
#define GROUP_SHARE 0.8 /* short kernels that were written alone share up to six tenths */

/* Lines from .. to of a text, which were not given. */
static void add_lines(struct text *t, const char *text, int from, int to)
{
    int number = 1;
    text_add(t, "<td><pre>");
    for (const char *at = text; *at && number <= to; number++) {
        const size_t length = strcspn(at, "\n");
        if (number >= from && length > 0) {
            char *line = hpc_printf("%4d  %.*s", number, (int)length, at);
            html_words(t, line);
            text_add(t, "\n");
            free(line);
        }
        at += length + (at[length] == '\n');
    }
    text_add(t, "</pre></td>");
}

int similar_order(const void *a, const void *b)
{
    const struct similar_pair *x = a, *y = b;
    if (x->share != y->share)
        return x->share < y->share ? 1 : -1;
    const int file = strcmp(x->text[0]->task_file, y->text[0]->task_file);
    const int first = strcmp(x->text[0]->label, y->text[0]->label);
    return file ? file : first ? first : strcmp(x->text[1]->label, y->text[1]->label);
}

/* The lines of a pair side by side, below a heading of its level. */
static void add_pair(struct text *t, const struct similar_pair *p, int level)
{
    text_add(t, "<h%d>%.0f%%: ", level, 100 * p->share);
    html_words(t, p->text[0]->label);
    text_add(t, ", ");
    html_words(t, p->text[1]->label);
    text_add(t, " (%s)</h%d>\n<div class=\"wide\"><table class=\"two\"><tr><th>",
             p->text[0]->task_file, level);
    html_words(t, p->text[0]->label);
    text_add(t, "</th><th>");
    html_words(t, p->text[1]->label);
    text_add(t, "</th></tr>\n");
    for (int i = 0; i < p->n; i++) {
        text_add(t, "<tr>");
        for (int k = 0; k < 2; k++)
            add_lines(t, p->text[k]->text, p->run[i].from[k], p->run[i].to[k]);
        text_add(t, "</tr>\n");
    }
    text_add(t, "</table></div>\n");
}

static void print_pair(const struct similar_pair *p)
{
    char *one = hpc_strdup(p->text[0]->label), *two = hpc_strdup(p->text[1]->label);
    hpc_harmless(one);
    hpc_harmless(two);
    printf("%3.0f%%  %s, %s: %s, %d tokens", 100 * p->share, one, two, p->text[0]->task_file,
           p->tokens);
    for (int i = 0; i < p->n && i < 3; i++)
        printf("%s %d-%d/%d-%d", i ? "," : ", lines", p->run[i].from[0], p->run[i].to[0],
               p->run[i].from[1], p->run[i].to[1]);
    printf("%s\n", p->n > 3 ? " .." : "");
    free(one);
    free(two);
}

/* Students whose texts hang together, each alike to another one: ten pairs of five are one group.
 * Texts of before are named by the groups that they are alike to, and join none. */
enum pair_kind { PAIR_ALONE, PAIR_LINK, PAIR_LEFT };
struct groups {
    int *first, *size;    /* of a text: the first one of its group, which has the group's size */
    enum pair_kind *kind; /* of a pair: listed; one that links a group; said by another one */
};

/* The first text of the group that a pair's text is of. */
static int first_of(const struct similar *x, const struct groups *g, const struct similar_text *t)
{
    int i = (int)(t - x->text);
    for (; g->first[i] != i; i = g->first[i]) /* and halves the way for the next who asks */
        g->first[i] = g->first[g->first[i]];
    return i;
}

/* Pairs come most alike first, so that those that link a group are its most alike ones. */
static void link_groups(const struct similar *x, struct groups *g)
{
    for (int i = 0; i < x->n; i++) {
        g->first[i] = i;
        g->size[i] = 1;
    }
    for (int i = 0; i < x->n_pairs; i++) {
        const struct similar_pair *p = &x->pair[i];
        const int a = first_of(x, g, p->text[0]), b = first_of(x, g, p->text[1]);
        if (p->share < GROUP_SHARE || p->text[0]->old || p->text[1]->old || a == b)
            continue;
        g->kind[i] = PAIR_LINK;
        g->first[b] = a;
        g->size[a] += g->size[b];
    }
}

/* The group of three or more that a pair is in; -1: none. */
static int group_of(const struct similar *x, const struct groups *g, const struct similar_pair *p)
{
    const int student = p->text[0]->old ? 1 : 0;
    const int first = first_of(x, g, p->text[student]);
    const bool within = p->text[1 - student]->old || first_of(x, g, p->text[1 - student]) == first;
    return within && p->share >= GROUP_SHARE && g->size[first] > 2 ? first : -1;
}

/* Whether what a pair says of two groups, or of texts in none, a pair before it said: of three or
 * more the first pair speaks for all, and of references the most alike one does. */
static bool is_said(const struct similar *x, const struct groups *g, const struct similar_pair *p,
                    bool *seen)
{
    const int n = x->n, old = p->text[0]->old ? 0 : 1;
    const int a = first_of(x, g, p->text[1 - old]), b = first_of(x, g, p->text[old]);
    const bool reference = p->text[old]->old && !strncmp(p->text[old]->label, "reference ", 10);
    const int low = reference ? a : a < b ? a : b, high = reference ? a : a < b ? b : a;
    bool *const known = &seen[(size_t)low * (size_t)n + (size_t)high];
    const bool said = *known && (reference || g->size[a] > 2 || g->size[b] > 2);
    *known = true;
    return said;
}

static struct groups find_groups(const struct similar *x)
{
    const unsigned long n = (unsigned long)x->n;
    struct groups g = {hpc_calloc(n + 1, sizeof(int)), hpc_calloc(n + 1, sizeof(int)),
                       hpc_calloc((unsigned long)x->n_pairs + 1, sizeof(enum pair_kind))};
    bool *seen = hpc_calloc(n * n + 1, sizeof *seen);
    link_groups(x, &g);
    for (int i = 0; i < x->n_pairs; i++) {
        const struct similar_pair *p = &x->pair[i];
        const bool grouped = group_of(x, &g, p) >= 0, link = g.kind[i] == PAIR_LINK;
        const bool two = first_of(x, &g, p->text[0]) != first_of(x, &g, p->text[1]);
        if (two ? is_said(x, &g, p, seen) : grouped && !link)
            g.kind[i] = PAIR_LEFT;
        else
            g.kind[i] = grouped ? PAIR_LINK : PAIR_ALONE;
    }
    free(seen);
    return g;
}

/* Its members, then what of before is like them; and the share that each has with another one. */
static char *group_words(const struct similar *x, const struct groups *g, int first, double *least)
{
    struct text words = {0};
    int olds = 0;
    for (int i = 0; i < x->n; i++)
        if (!x->text[i].old && first_of(x, g, &x->text[i]) == first)
            text_list(&words, ", ", x->text[i].label);
    for (int i = 0; i < x->n_pairs; i++) {
        const struct similar_pair *p = &x->pair[i];
        if (g->kind[i] != PAIR_LINK || group_of(x, g, p) != first)
            continue;
        if (p->text[0]->old || p->text[1]->old)
            text_add(&words, "%s %s (%.0f%%)", olds++ ? "," : "; as",
                     p->text[p->text[0]->old ? 0 : 1]->label, 100 * p->share);
        else
            *least = p->share;
    }
    return text_take(&words);
}

/* A group in words, and each of its members beside the one most like it. */
static int add_group(struct text *t, const struct similar *x, const struct groups *g, int first)
{
    double least = 1;
    int shown = 0;
    char *words = group_words(x, g, first, &least);
    char *label = hpc_printf("%3.0f%%  ", 100 * least);
    text_add(t, "<h2>%d alike in %s</h2>\n<p>", g->size[first], x->text[first].task_file);
    html_words(t, words);
    text_add(t,
             ". Each shares at least %.0f%% with another one, beside which it stands here.</p>\n",
             100 * least);
    hpc_harmless(words);
    char *line = hpc_printf("%d alike in %s: %s", g->size[first], x->text[first].task_file, words);
    ui_paragraph(0, label, line);
    for (int i = 0; i < x->n_pairs; i++)
        if (g->kind[i] == PAIR_LINK && group_of(x, g, &x->pair[i]) == first) {
            add_pair(t, &x->pair[i], 3);
            shown++;
        }
    free(line);
    free(words);
    free(label);
    return shown;
}

/* Groups first, then what is in none. Returns how many pairs are shown. */
static int add_all(struct text *t, const struct similar *x, const struct groups *g)
{
    bool *done = hpc_calloc((unsigned long)x->n + 1, sizeof *done);
    int shown = 0, alone = 0;
    for (int i = 0; i < x->n_pairs; i++) {
        const int first = group_of(x, g, &x->pair[i]);
        if (first >= 0 && !done[first]) {
            shown += add_group(t, x, g, first);
            done[first] = true;
        }
    }
    for (int i = 0; i < x->n_pairs && alone < PAGE_PAIRS; i++)
        if (g->kind[i] == PAIR_ALONE) {
            print_pair(&x->pair[i]);
            add_pair(t, &x->pair[i], 2);
            alone++;
        }
    free(done);
    return shown + alone;
}

bool similar_write(const struct class_state *c, const struct similar *x, struct hpc_error *err)
{
    struct text t = {0};
    struct groups g = find_groups(x);
    char *title = hpc_printf("%s: submissions that are alike", c->project->lab->name);
    page_begin(&t, c, title, page_ended(c));
    text_add(&t,
             "<p>%d texts, %d pairs. A share is of the shorter text, in tokens, without the lines "
             "that everybody was given; names, numbers, layout and comments do not count. Short "
             "programs are alike by nature: look before you ask.</p>\n",
             x->n, x->n_pairs);
    const int left = x->n_pairs - add_all(&t, x, &g);
    if (left) {
        printf("%d more, less alike or said by a group, not listed\n", left);
        text_add(&t, "<p>%d more, less alike or said by a group, not listed.</p>\n", left);
    }
    page_end(&t);
    const bool good = page_write(c->folder, "similar.html", &t, err);
    if (good)
        printf("%d texts, %d pairs are alike: %s/similar.html\n", x->n, x->n_pairs, c->folder);
    text_free(&t);
    free(g.first);
    free(g.size);
    free(g.kind);
    free(title);
    return good;
}
