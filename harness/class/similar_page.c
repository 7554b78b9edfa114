/* Pairs that are alike, for instructors. */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/class/page.h"
#include "harness/class/similar.h"
#include "harness/report/html.h"

#define PAGE_PAIRS 40 /* beyond them a person reads no more */

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

static void add_pair(struct text *t, const struct similar_pair *p)
{
    text_add(t, "<h2>%.0f%%: ", 100 * p->share);
    html_words(t, p->text[0]->label);
    text_add(t, ", ");
    html_words(t, p->text[1]->label);
    text_add(t, " (%s)</h2>\n<div class=\"wide\"><table class=\"two\"><tr><th>",
             p->text[0]->task_file);
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

bool similar_write(const struct class_state *c, const struct similar *x, struct hpc_error *err)
{
    struct text t = {0};
    char *title = hpc_printf("%s: submissions that are alike", c->project->lab->name);
    page_begin(&t, title);
    text_add(&t,
             "<p>%d texts, %d pairs. A share is of the shorter text, in tokens, without the lines "
             "that everybody was given; names, numbers, layout and comments do not count. Short "
             "programs are alike by nature: look before you ask.</p>\n",
             x->n, x->n_pairs);
    for (int i = 0; i < x->n_pairs && i < PAGE_PAIRS; i++) {
        print_pair(&x->pair[i]);
        add_pair(&t, &x->pair[i]);
    }
    if (x->n_pairs > PAGE_PAIRS) {
        printf("%d pairs more, none of them more alike, are not listed\n", x->n_pairs - PAGE_PAIRS);
        text_add(&t, "<p>%d pairs more, none of them more alike, are not listed.</p>\n",
                 x->n_pairs - PAGE_PAIRS);
    }
    page_end(&t);
    const bool good = page_write(c->folder, "similar.html", &t, err);
    if (good)
        printf("%d texts, %d pairs are alike: %s/similar.html\n", x->n, x->n_pairs, c->folder);
    text_free(&t);
    free(title);
    return good;
}
