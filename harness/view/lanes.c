/* One request of a warp: which lanes touch which sectors, or are served in which pass (view.h). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/view/view.h"

enum { SECTOR = 32, WORD = 4, BANKS = 32, SHOWN_ROWS = 8 };

bool view_shared(const struct view_line *l)
{
    return strstr(l->access, "shared") != NULL;
}

static bool is_constant(const struct view_line *l)
{
    return strstr(l->access, "constant") != NULL;
}

const char *view_unit(const struct view_line *l)
{
    return view_shared(l) ? "pass" : is_constant(l) ? "word" : "sector";
}

unsigned view_fewest(const struct view_line *l)
{
    const unsigned n = (unsigned)__builtin_popcount(l->who);
    if (is_constant(l))
        return (l->bytes + WORD - 1) / WORD;
    return (n * l->bytes + SECTOR * WORD - 1) / (SECTOR * WORD) * (view_shared(l) ? 1 : 4);
}

static int by_place(const void *a, const void *b)
{
    const struct view_row *x = a, *y = b;
    return (x->at > y->at) - (x->at < y->at);
}

/* Sectors or words: the row of `at` gets a lane. */
static int touch(struct view_row *rows, int n, uint64_t at, unsigned lane)
{
    int i = 0;
    while (i < n && rows[i].at != at)
        i++;
    if (i == VIEW_ROWS)
        return n;
    if (i == n)
        rows[n++] = (struct view_row){.at = at};
    rows[i].lanes |= UINT32_C(1) << lane;
    return n;
}

/* How many bytes of a row its lanes ask for. */
static unsigned used(const struct view_line *l, const struct view_row *r, unsigned size)
{
    uint64_t bytes = 0; /* a bit for each */
    for (unsigned i = 0; i < VIEW_LANES; i++)
        for (unsigned k = 0; r->lanes >> i & 1 && k < l->bytes; k++)
            if (l->at[i] + k >= r->at && l->at[i] + k < r->at + size)
                bytes |= UINT64_C(1) << (l->at[i] + k - r->at);
    return (unsigned)__builtin_popcountll(bytes);
}

static int distinct(const struct view_line *l, unsigned size, struct view_row *rows)
{
    int n = 0;
    for (unsigned i = 0; i < VIEW_LANES; i++)
        for (uint64_t u = l->at[i] / size; l->who >> i & 1 && u <= (l->at[i] + l->bytes - 1) / size;
             u++)
            n = touch(rows, n, u * size, i);
    for (int i = 0; i < n; i++)
        rows[i].used = used(l, &rows[i], size);
    qsort(rows, (size_t)n, sizeof *rows, by_place);
    return n;
}

/* A word's turn in its bank: how many other words of the bank came before, of the lanes that go
 * together. `seen` holds those of each bank. */
static int turn(uint64_t word, uint64_t seen[BANKS][VIEW_LANES], int count[BANKS])
{
    const unsigned bank = (unsigned)(word % BANKS);
    int i = 0;
    while (i < count[bank] && seen[bank][i] != word)
        i++;
    if (i == count[bank])
        seen[bank][count[bank]++] = word;
    return i;
}

/* A pass reads one word of each bank: lanes of up to 4 bytes go together, of 8 bytes half a warp,
 * of 16 a quarter. */
static int passes(const struct view_line *l, struct view_row *rows)
{
    const unsigned together = l->bytes <= WORD ? VIEW_LANES : VIEW_LANES * WORD / l->bytes;
    int n = 0;
    for (unsigned part = 0; part < VIEW_LANES; part += together) {
        uint64_t seen[BANKS][VIEW_LANES];
        int count[BANKS] = {0}, before = n;
        for (unsigned i = part; i < part + together; i++)
            for (uint64_t w = l->at[i] / WORD;
                 l->who >> i & 1 && w <= (l->at[i] + l->bytes - 1) / WORD; w++)
                n = touch(rows, n, (uint64_t)(before + turn(w, seen, count)), i);
    }
    for (int i = 0; i < n; i++)
        rows[i].used = l->bytes * (unsigned)__builtin_popcount(rows[i].lanes);
    qsort(rows, (size_t)n, sizeof *rows, by_place);
    return n;
}

int view_rows(const struct view_line *l, struct view_row rows[VIEW_ROWS])
{
    return view_shared(l) ? passes(l, rows) : distinct(l, is_constant(l) ? WORD : SECTOR, rows);
}

static const char *plural(const struct view_line *l, unsigned n)
{
    return n == 1 ? "" : view_shared(l) ? "es" : "s";
}

void view_sentence(const struct view_line *l, char *text, size_t size)
{
    struct view_row rows[VIEW_ROWS];
    const unsigned n = (unsigned)view_rows(l, rows), fewest = view_fewest(l),
                   lanes = (unsigned)__builtin_popcount(l->who);
    char of[100] = "", than[60] = "";
    if (l->variable[0])
        text_fit(of, sizeof of, " of %.28s", l->variable);
    if (n > fewest)
        snprintf(than, sizeof than, ", where %u would do", fewest);
    text_fit(text, size, "%u lane%s x %u byte%s%s: %u %s%s%s", lanes, lanes == 1 ? "" : "s",
             l->bytes, l->bytes == 1 ? "" : "s", of, n, view_unit(l), plural(l, n), than);
}

static void draw_row(const struct view_line *l, const struct view_row *r, struct text *t)
{
    char name[24];
    if (view_shared(l))
        snprintf(name, sizeof name, "pass %llu", (unsigned long long)r->at + 1);
    else
        snprintf(name, sizeof name, "byte %llu", (unsigned long long)r->at);
    text_add(t, "    %-16.16s ", name);
    for (unsigned i = 0; i < VIEW_LANES; i++)
        text_add(t, "%c", r->lanes >> i & 1 ? '#' : '.');
    if (view_shared(l))
        text_add(t, "  %d lane%s\n", __builtin_popcount(r->lanes),
                 __builtin_popcount(r->lanes) == 1 ? "" : "s");
    else
        text_add(t, "  %u of %d bytes used\n", r->used, is_constant(l) ? WORD : SECTOR);
}

void view_lanes(const struct view_line *l, struct text *t)
{
    struct view_row rows[VIEW_ROWS];
    const int n = view_rows(l, rows);
    text_add(t, "    %-16s 0       8       16      24     31\n", "lane");
    for (int i = 0; i < n; i++) {
        if (n > SHOWN_ROWS && i == SHOWN_ROWS - 2) {
            text_add(t, "    %-16s %d more\n", "..", n - SHOWN_ROWS + 1);
            i = n - 1;
        }
        draw_row(l, &rows[i], t);
    }
}

/* What the line's requests cost beyond what neighbours' would, if all were as full as the dearest.
 */
static double waste(const struct view_line *l)
{
    const double fewest = view_fewest(l) - (view_shared(l) || is_constant(l) ? 1.0 : 0.0);
    return l->units - l->requests * fewest;
}

int view_wasteful(const struct view *v, int *number, int most)
{
    int n = 0;
    for (int i = 0; i < v->n_lines; i++) {
        struct view_row rows[VIEW_ROWS];
        /* One sector more is an odd beginning, no pattern. */
        if ((unsigned)view_rows(&v->line[i], rows) <= view_fewest(&v->line[i]) + 1 ||
            waste(&v->line[i]) <= 0)
            continue;
        int at = n < most ? n++ : most;
        for (; at > 0 && waste(&v->line[number[at - 1]]) < waste(&v->line[i]); at--)
            if (at < most)
                number[at] = number[at - 1];
        if (at < most)
            number[at] = i;
    }
    return n;
}
