/* The problem that a name draws, by [problem TASK] of lab.ini. */
#include <stdlib.h>
#include <string.h>

#include "common/error.h"
#include "common/random.h"
#include "common/text.h"
#include "harness/answers/internal.h"

/* The n-th word of a list, and how many there are. */
static int word_at(const char *words, int n, char *word, int size)
{
    int count = 0;
    for (const char *at = words + strspn(words, " "); *at; at += strspn(at, " ")) {
        const int length = (int)strcspn(at, " ");
        if (count++ == n)
            snprintf(word, (size_t)size, "%.*s", length, at);
        at += length;
    }
    return count;
}

static void draw_one(struct hpc_random *r, const struct sheet_draw *d, char word[SHEET_KEY])
{
    if (*d->words) {
        const int n = word_at(d->words, -1, word, SHEET_KEY);
        word_at(d->words, (int)hpc_random_below(r, (uint32_t)n), word, SHEET_KEY);
    } else {
        const uint32_t n = (uint32_t)((d->last - d->first) / d->by) + 1;
        snprintf(word, SHEET_KEY, "%d", d->first + d->by * (int)hpc_random_below(r, n));
    }
}

/* The text of the problem, {KEY} replaced by what is drawn. */
static void write_problem(struct sheet *s)
{
    struct text t = {0};
    for (const char *c = s->form.problem; *c; c++) {
        char key[SHEET_KEY + 2];
        int i = 0;
        for (; *c == '{' && i < s->form.n_draws; i++) {
            snprintf(key, sizeof key, "%s}", s->form.draw[i].key);
            if (strncmp(c + 1, key, strlen(key)) == 0)
                break;
        }
        if (*c == '{' && i < s->form.n_draws) {
            text_add(&t, "%s", s->drawn[i]);
            c += strlen(key);
        } else {
            text_add(&t, "%c", *c);
        }
    }
    text_fit(s->problem, sizeof s->problem, "%s", text_string(&t));
    text_free(&t);
}

void sheet_draw(struct sheet *s, const char *task, const char *term, const char *student)
{
    struct hpc_random r;
    char *name = hpc_printf("%s%s%s", task, *term ? " " : "", term);
    hpc_random_init(&r, hpc_random_named(student), hpc_random_named(name));
    free(name);
    for (int i = 0; i < s->form.n_draws; i++)
        draw_one(&r, &s->form.draw[i], s->drawn[i]);
    write_problem(s);
}

const char *sheet_drawn_text(const struct sheet *s, const char *key)
{
    for (int i = 0; i < s->form.n_draws; i++)
        if (strcmp(s->form.draw[i].key, key) == 0)
            return s->drawn[i];
    HPC_ASSERT(!"[problem] of lab.ini draws what the marker asks for");
    return "";
}

double sheet_drawn(const struct sheet *s, const char *key)
{
    return strtod(sheet_drawn_text(s, key), NULL);
}
