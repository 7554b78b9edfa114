/* A race as two lanes of time (view.h). */
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "common/error.h"
#include "common/scratch.h"
#include "harness/view/view.h"

enum { LANE = 9, WORDS = 52, MOST_SOURCE = 1 << 20 };

void view_source(const char *source, int line, struct view_source *s)
{
    int at = 1;
    size_t margin = SIZE_MAX;
    *s = (struct view_source){.from = line > VIEW_AROUND ? line - VIEW_AROUND : 1};
    for (const char *p = source; p && *p && at <= line + VIEW_AROUND; at++) {
        const size_t n = strcspn(p, "\n");
        if (at >= s->from) {
            char *words = s->words[s->n++];
            text_fit(words, sizeof s->words[0], "%.*s", (int)(n < 150 ? n : 150), p);
            for (char *tab = words; (tab = strchr(tab, '\t')) != NULL;)
                *tab = ' ';
            hpc_harmless(words);
            const size_t blanks = strspn(words, " ");
            if (blanks < margin && words[blanks])
                margin = blanks;
        }
        p += n + (p[n] == '\n');
    }
    for (int i = 0; i < s->n; i++) {
        const size_t n = strlen(s->words[i]), cut = n < margin ? n : margin;
        memmove(s->words[i], s->words[i] + cut, n - cut + 1);
    }
}

void view_who(const struct view_side *s, char *text, size_t size)
{
    snprintf(text, size, "thread (%d,%d,%d), block (%d,%d,%d)", s->thread[0], s->thread[1],
             s->thread[2], s->block[0], s->block[1], s->block[2]);
}

const char *view_unordered(const struct view_race *r)
{
    if (strcmp(r->kind, "race-stream") == 0)
        return "no stream, event or wait orders the two: either may come first";
    if (strcmp(r->kind, "race-host") == 0)
        return "the host waits for nothing between the two: either may come first";
    if (memcmp(r->first.block, r->second.block, sizeof r->first.block) != 0)
        return "no barrier orders two blocks: either may come first";
    return "no barrier stands between the two: either may come first";
}

/* One moment: what the lanes do, and a line of the source, or none. */
static void draw_moment(struct text *t, int lane, const char *does, int number, const char *words)
{
    char cells[2][LANE + 1] = {"    |", "    |"}, own[WORDS];
    if (does)
        snprintf(cells[lane], sizeof cells[lane], "  %.7s", does[0] ? does : "HERE");
    if (!number) {
        text_add(t, "  %-*s%s\n", LANE, cells[0], cells[1]);
        return;
    }
    text_fit(own, sizeof own, "%s", words);
    text_add(t, "  %-*s%-*s %s%4d  %s\n", LANE, cells[0], LANE, cells[1], does ? ">" : " ", number,
             own);
}

/* The lines around one side, its own marked by what it does there. */
static void draw_side(struct text *t, int lane, const struct view_side *s, const char *file,
                      const char *source)
{
    struct view_source lines = {0};
    if (file && source && strcmp(file, s->file) == 0)
        view_source(source, s->line, &lines);
    for (int i = 0; i < lines.n; i++)
        draw_moment(t, lane, lines.from + i == s->line ? s->does : NULL, lines.from + i,
                    lines.words[i]);
    if (lines.n == 0)
        draw_moment(t, lane, s->does, s->line, s->file);
}

void view_timeline(const struct view_race *r, const char *file, const char *source, struct text *t)
{
    char first[120], second[120];
    view_who(&r->first, first, sizeof first);
    view_who(&r->second, second, sizeof second);
    text_add(t, "%s%s%s%s%s\n", r->kind, *r->kernel ? " in " : "", r->kernel,
             *r->variable ? ": " : "", r->variable);
    text_add(t, "  A: %s\n  B: %s\n", first, second);
    text_add(t, "  %-*s%s\n", LANE, "    A", "    B");
    draw_side(t, 0, &r->first, file, source);
    draw_moment(t, 0, NULL, 0, NULL);
    text_add(t, "  %s\n", view_unordered(r));
    draw_moment(t, 0, NULL, 0, NULL);
    draw_side(t, 1, &r->second, file, source);
}

char *view_file(const char *root, const char *file)
{
    char *path = hpc_printf("%s/%s", root, file), *text = NULL;
    struct stat st;
    FILE *f = scratch_open(path);
    if (f && fstat(fileno(f), &st) == 0 && st.st_size <= MOST_SOURCE) {
        text = hpc_malloc((size_t)st.st_size + 1);
        text[fread(text, 1, (size_t)st.st_size, f)] = '\0';
    }
    if (f)
        fclose(f);
    free(path);
    return text;
}

void view_timelines(const char *reports, const char *root, const char *file, struct text *t)
{
    struct view *v = hpc_calloc(1, sizeof *v);
    char *source = view_file(root, file);
    view_read(reports, v);
    for (int i = 0; i < v->n_races; i++) {
        text_add(t, "\n");
        view_timeline(&v->race[i], file, source, t);
    }
    free(source);
    free(v);
}
